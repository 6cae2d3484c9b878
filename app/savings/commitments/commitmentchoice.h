// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/commitments/commitmentlevel.h"
#include "app/savings/commitments/commitments.h"

#include <cstddef>
#include <optional>
#include <vector>

// Which of several offers is the best for one demand, by term and payment. A part of proposeCommitments(), internal to
// app/savings. Pure; any thread.
namespace gpuledger::savings {

struct RatedOffer {
    const CommitmentOffer *offer = nullptr; // of the demand
    CommitmentRates rates;
    base::GpuTime level; // that costs least; zero: no level costs less than on demand
    CostTicks gain = 0; // of that level, over the known hours
    MoneyBand perMonth; // what it saves, never above what is paid; all equal with fewer than three whole weeks
};

struct RatedOffers {
    std::vector<RatedOffer> all; // with a price in the currency of the demand, in its order
    std::vector<const CommitmentOffer *> otherCurrency; // they have no order with the others
    std::optional<std::size_t>
        best; // of `all`: the largest p50, of equals the first; none: no offer saves at any level
    std::size_t weeks = 0; // whole weeks that are resampled

    // The best one; where none saves anything, the cheapest. Null: there is no offer.
    const RatedOffer *shown() const;
};

// `demand` is the one expected during the term, and has an on-demand price. Fails with Overflow: an offer or an amount
// is too large.
[[nodiscard]] base::Result<RatedOffers> rateOffers(const CommitmentDemand &demand, std::uint64_t seed);

} // namespace gpuledger::savings
