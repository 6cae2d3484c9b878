// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/spotzones.h"

#include "app/savings/capacity/capacity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gpuledger::savings {

using base::Money;
using base::Result;

std::int64_t spotCostAt(const SpotReplay &replay, double quantile)
{
    const auto rank = static_cast<std::size_t>(std::ceil(quantile * static_cast<double>(replay.cost.size())));
    return replay.cost[std::max<std::size_t>(rank, 1) - 1];
}

Result<MoneyBand> spotSavedOf(const SpotPast &past, const SpotCandidate &one, const SpotReplay &replay,
                              std::int64_t most)
{
    __extension__ using Wide = __int128;
    const auto saved = [&](double quantile) -> Result<Money> { // of the cost
        const Wide left = Wide{one.ownBase} - spotCostAt(replay, quantile);
        if (left > std::numeric_limits<std::int64_t>::max() || left < std::numeric_limits<std::int64_t>::min())
            return base::fail(base::ErrorCode::Overflow, "the cost of a workload is too large");
        const auto month = capacityPerMonth(static_cast<std::int64_t>(left), static_cast<std::size_t>(past.hours));
        GPULEDGER_TRY(month);
        return Money(std::min(*month, most), past.currency);
    };
    const auto p10 = saved(0.9), p50 = saved(0.5), p90 = saved(0.1);
    GPULEDGER_TRY(p10);
    GPULEDGER_TRY(p50);
    GPULEDGER_TRY(p90);
    return MoneyBand{*p10, *p50, *p90};
}

Result<std::optional<SpotZones>> spotZonesOf(const SpotPast &past, const SpotFound &found, const SpotRules &rules,
                                             std::int64_t most, const std::stop_token &stop)
{
    constexpr int kAlonePaths = 100;
    const std::vector<SpotPool> pools = spotPoolsOf(*found.work, *found.market, found.plan, rules);
    if (pools.empty())
        return std::optional<SpotZones>();
    SpotZones zones;
    zones.count = pools.size();
    zones.correlation = capacityCorrelation(pools);
    zones.pricesFollow = !pools.front().history.prices.empty();
    zones.sets = SpotPoolModel(pools, 0).sets();
    SpotRules fewer = rules;
    fewer.paths = std::min(rules.paths, kAlonePaths);
    fewer.mostRuns = rules.mostRuns / static_cast<int>(pools.size());
    SpotMarket alone = *found.market;
    for (const SpotPool &pool : pools) {
        alone.interruptions.history = {pool.history};
        if (shapeOf(alone.interruptions.history).upIntervals == 0
            || spotStepsOf(*found.work, alone, found.plan) > rules.mostRuns)
            continue; // no future ends, or it is slow to replay
        const auto replay = replaySpot(*found.work, alone, found.plan, fewer, stop);
        GPULEDGER_TRY(replay);
        const auto band = spotSavedOf(past, *found.work, *replay, most);
        GPULEDGER_TRY(band);
        if (!zones.alone || band->p50.nanos() > zones.alone->nanos()) {
            zones.alone = band->p50;
            zones.best = pool.history.zone;
        }
    }
    return std::optional(std::move(zones));
}

} // namespace gpuledger::savings
