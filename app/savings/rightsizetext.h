// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/rightsize.h"

#include <optional>
#include <string>

// The words of a right-size proposal; internal to app/savings. Pure; any thread.
namespace gpuledger::savings {

// What was found out about one workload; the pointers are to the past.
struct RightSizeFound {
    const RightSizeWorkload *work = nullptr;
    const RightSizeGpu *gpu = nullptr; // null: not in the catalogue
    RightSizeNeed need;
    std::optional<MigPart> slice;
    const RightSizeOffer *offer = nullptr; // null: nothing to propose
    std::int64_t tooSmall = 0, used = 0; // ticks: of the offer, and of all that is known
    std::string excludedBy;
};

// The proposal without its amounts.
Proposal rightSizeProposal(const RightSizePast &past, const RightSizeRules &rules, const RightSizeFound &found);
// part / whole in percent with one decimal, rounded up: "0.1%".
std::string percentText(base::GpuTime part, base::GpuTime whole);

} // namespace gpuledger::savings
