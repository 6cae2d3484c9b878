// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/spot/spotratings.h"

#include "app/ledger/prices/pricerules.h"

#include <algorithm>

namespace gpuledger::services {

std::optional<model::PlacementRating> ratingOf(const std::vector<model::PlacementRating> &ratings,
                                               const savings::SpotMarket &market, base::UtcTime at)
{
    const auto isSame = [](const std::string &a, const std::string &b) {
        return ledger::lowerCase(a) == ledger::lowerCase(b);
    };
    const model::PlacementRating *newest = nullptr;
    for (const model::PlacementRating &one : ratings) {
        const auto &types = one.asked.machines;
        const bool isOfMarket = isSame(one.cloud, market.cloud) && isSame(one.region, market.region)
            && std::any_of(types.begin(), types.end(),
                           [&](const std::string &type) { return isSame(type, market.machine); });
        if (isOfMarket && one.at >= at - kRatingGood && (!newest || one.at > newest->at))
            newest = &one;
    }
    return newest ? std::optional(*newest) : std::nullopt;
}

} // namespace gpuledger::services
