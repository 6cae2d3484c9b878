// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/proof/proof.h"
#include "app/insight/queue/blocked.h"
#include "app/store/facts/attributionreader.h"

#include <string>
#include <string_view>

namespace gpuledger::insight {

// Prefix of Figure::item (FigureKind::Idle) for blocked GPUs, before BlockedItem::id; alone: the sum of all of them.
inline constexpr std::string_view kBlockedItem = "blocked:";

// Measure: "rate-per-hour" (not of the sum) or "per-month".
Figure blockedFigure(const BlockedList &list, const BlockedItem *item, std::string_view measure);

// The proof of such a figure: as the list computes it, and recomputed from the parts of its devices in the bucket,
// all of which must be unallocated, and from the stored waits. Leaves policy, ages and time unset. Blocking; call from
// a worker thread. Fails with NotFound (the list of that instant has no such item or measure) or Storage… codes.
[[nodiscard]] base::Result<Proof> blockedProof(store::AttributionReader &facts, const Figure &figure,
                                               base::Currency currency);

} // namespace gpuledger::insight
