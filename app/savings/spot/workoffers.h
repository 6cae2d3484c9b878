// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/prices/pricequote.h"
#include "app/savings/spot/capacity/spotpublished.h"
#include "app/savings/spot/spotestimate.h"

#include <cstdint>
#include <optional>
#include <vector>

// What one piece of work would cost on each of the machines that price lists offer. Pure; any thread. Times in whole
// seconds, prices per machine-hour.
namespace gpuledger::savings {

enum class WorkFit {
    Suits,
    Spot, // it does not: SpotEstimate::reason says why
    DeadlineTooShort, // on demand, it ends after its deadline
    NoInterruptions, // unknown: nothing is published about the interruptions of this spot machine
    NoOnDemandPrice, // unknown: no on-demand price of this spot machine is known, so there is nothing to compare with
    TooLarge, // unknown: the cost overflows
};

struct WorkOffer {
    PriceQuote quote; // with the terms and the price that are counted
    std::optional<PublishedSpot> published; // of a spot machine: what is known of its interruptions
    bool discounted = false; // its price is the on-demand price less the published discount; else it was listed
    SpotWork work; // with the prices of the machine, so its gpus are 1
    SpotBand<base::Money> cost; // on demand: three times the same; unknown as in SpotBands
    SpotBand<double> hours;
    std::optional<SpotEstimate> spot; // empty: on demand, or unknown
    WorkFit fit = WorkFit::Suits;

    bool isSpot() const { return quote.purchase == PurchaseOption::Spot; }
    std::optional<bool> suitable() const; // std::nullopt: unknown
};

struct WorkQuestion {
    SpotWork work; // prices and GPUs are not used: they are those of each offer
    std::uint64_t seed = 1;
    int paths = kSpotPaths;
};

struct WorkOffers {
    std::vector<WorkOffer> offers; // by currency, then by the p50 of the cost, unknown last, then by name
    std::size_t otherTerms = 0; // quotes with a term of their own, which a piece of work can't buy
};

// The quotes on demand (also of GPU clouds) and on spot; for a machine type and region that has a published discount
// and no spot quote, also on spot at its lowest on-demand quote less that discount, rounded down to 1e-9. Spot machines
// with published interruptions are estimated as in spotestimate.h, from that rate alone. Published rows match by cloud,
// machine type and region, in any case. Fails with InvalidArgument (the work).
[[nodiscard]] base::Result<WorkOffers> offersForWork(const std::vector<PriceQuote> &quotes,
                                                     const std::vector<PublishedSpot> &published,
                                                     const WorkQuestion &question);

// The first suitable one: of each currency, the list begins with its cheapest. Null: none.
const WorkOffer *cheapestSuitable(const WorkOffers &offers, base::Currency currency);

} // namespace gpuledger::savings
