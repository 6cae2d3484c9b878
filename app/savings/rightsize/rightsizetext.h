// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/rightsize/rightsize.h"

#include <optional>

// What a right-size proposal says; internal to app/savings. Pure; any thread.
namespace gpuledger::savings {

// What was found out about one workload; the pointers are to the past.
struct RightSizeFound {
    const RightSizeWorkload *work = nullptr;
    const RightSizeGpu *gpu = nullptr; // null: not in the catalogue
    RightSizeNeed need;
    std::optional<MigPart> slice;
    const RightSizeOffer *offer = nullptr; // null: nothing to propose
    std::int64_t tooSmall = 0, used = 0; // ticks: of the offer, and of all that is known
    std::optional<Remark> excludedBy;
};

// The proposal without its amounts.
Proposal rightSizeProposal(const RightSizePast &past, const RightSizeRules &rules, const RightSizeFound &found);
// part / whole, rounded up to a thousandth, so that a small part is never shown as none. 0 if there is no whole.
RemarkTerm upperShare(base::GpuTime part, base::GpuTime whole);

} // namespace gpuledger::savings
