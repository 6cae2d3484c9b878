// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/proposals/proposal.h"

#include <algorithm>

namespace gpuledger::savings {

namespace {

constexpr std::array<std::string_view, kKinds.size()> kKindNames{"capacity", "schedule", "right-size", "spot",
                                                                 "commitments"};

} // namespace

std::string_view toString(Kind kind)
{
    return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<Kind> kindFrom(std::string_view text)
{
    const auto *const found = std::find(kKindNames.begin(), kKindNames.end(), text);
    return found == kKindNames.end() ? std::nullopt
                                     : std::optional(kKinds[static_cast<std::size_t>(found - kKindNames.begin())]);
}

std::optional<MoneyBand> countsWith(const Proposal &proposal)
{
    if (proposal.excludedBy || !proposal.perMonth)
        return std::nullopt;
    return proposal.counted ? proposal.counted : proposal.perMonth;
}

} // namespace gpuledger::savings
