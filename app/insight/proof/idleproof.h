// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/proof/proof.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"

namespace gpuledger::insight {

// The proof of a figure of the idle list (FigureKind::Idle): as the list computes it, and recomputed from every base
// bucket, without the stored list. Leaves policy, ages and time unset. Blocking; call from a worker thread. Fails with
// NotFound (the list of that instant has no such item) or Storage… codes.
[[nodiscard]] base::Result<Proof> idleProof(store::AttributionReader &facts, const Figure &figure,
                                            const model::IdleSettings &configured, base::Currency currency);

} // namespace gpuledger::insight
