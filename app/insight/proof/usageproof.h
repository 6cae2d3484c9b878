// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/proof/proof.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/values/cube.h"

#include <stop_token>

namespace gpuledger::insight {

// The proof of a figure of GPU time (FigureKind::Summary or Heatmap): as the page computes it, and recomputed from
// every base bucket. `facts` is read a few days at a time. Leaves policy, ages and time unset; the caller knows them.
// Blocking; call from a worker thread. Fails with InvalidArgument (no such zone or bin), Cancelled or Storage… codes.
[[nodiscard]] base::Result<Proof> usageProof(store::CubeReader &cube, store::AttributionReader &facts,
                                             const Figure &figure, base::Currency currency,
                                             const std::stop_token &stop = {});

} // namespace gpuledger::insight
