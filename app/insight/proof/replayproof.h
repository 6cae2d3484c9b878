// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/proof/proof.h"
#include "app/store/facts/attributionreader.h"

#include <stop_token>

namespace gpuledger::insight {

// The proof of a figure of a replay (FigureKind::Replay): as the replay of `query`, which is that of the figure, says,
// and recomputed by adding up the facts between each stop and its end, bucket by bucket (definitions: idlereplay.h).
// Leaves policy, ages and time unset. Blocking; call from a worker thread. Fails with NotFound (it has no such row or
// stop, or more stops than it lists), Cancelled, Overflow or Storage… codes.
[[nodiscard]] base::Result<Proof> replayProof(store::AttributionReader &facts, const Figure &figure,
                                              const ReplayQuery &query, base::Currency currency,
                                              const std::stop_token &stop = {});

} // namespace gpuledger::insight
