// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/spottypes.h"

#include "app/savings/spot/spotrefusal.h"
#include "app/savings/spot/spotzones.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace gpuledger::savings {

using base::Result;

namespace {

// In the order of the market: its own type first.
std::vector<std::string> typesIn(const SpotMarket &market, const std::vector<SpotPool> &pools)
{
    std::vector<std::string> out;
    const auto isIn = [&](auto isType) {
        return std::any_of(pools.begin(), pools.end(),
                           [&](const SpotPool &pool) { return isType(pool.history.instanceType); });
    };
    const auto isOther = [&](const std::string &type) {
        return std::any_of(market.others.begin(), market.others.end(),
                           [&](const SpotOther &other) { return other.machine == type; });
    };
    if (isIn([&](const std::string &type) { return !isOther(type); }))
        out.push_back(market.machine);
    for (const SpotOther &other : market.others) {
        if (isIn([&](const std::string &type) { return type == other.machine; }))
            out.push_back(other.machine);
    }
    return out;
}

SpotZones zonesOf(const std::vector<SpotPool> &pools, const SpotReplay &replay)
{
    std::set<std::string> names;
    for (const SpotPool &pool : pools)
        names.insert(pool.history.zone);
    SpotZones zones;
    zones.count = names.size();
    zones.pools = pools;
    zones.correlation = capacityCorrelation(pools);
    zones.pricesFollow = !pools.front().history.prices.empty();
    zones.sets = replay.sets;
    return zones;
}

} // namespace

bool hasSpotPools(const SpotFound &found)
{
    if (!found.market || found.market->interruptions.basis != SpotBasis::History)
        return false;
    const std::vector<SpotTrace> &all = found.market->interruptions.history;
    return !found.market->others.empty()
        || std::any_of(all.begin(), all.end(), [&](const SpotTrace &trace) { return trace.zone != all.front().zone; });
}

Result<MoneyBand> replaySpotFound(const SpotPast &past, SpotFound &found, const SpotRules &rules, SpotModels &models,
                                  const std::stop_token &stop)
{
    const auto most = spotAvoidable(past, *found.work);
    GPULEDGER_TRY(most);
    SpotFound moving = found;
    auto alone = replaySpotZones(past, found, rules, *most, models, stop);
    GPULEDGER_TRY(alone);
    const std::vector<SpotPool> pools = spotTypePoolsOf(*moving.work, *moving.market, moving.plan, rules, models);
    if (pools.empty())
        return alone;
    SpotTypes types;
    types.names = typesIn(*moving.market, pools);
    types.own = moving.market->machine;
    types.alone = alone->p50;
    if (types.names == std::vector{types.own})
        return alone; // the best pools are its own
    auto replay = replaySpot(*moving.work, *moving.market, moving.plan, rules, pools, models, stop);
    GPULEDGER_TRY(replay);
    moving.replay = std::move(*replay);
    auto saved = spotSavedOf(past, *moving.work, *moving.replay, *most);
    GPULEDGER_TRY(saved);
    types.moving = saved->p50;
    types.moves = !spotRefusal(moving) && (spotRefusal(found).has_value() || saved->p50.nanos() > alone->p50.nanos());
    if (!types.moves) {
        found.types = std::move(types);
        return alone;
    }
    moving.zones = zonesOf(pools, *moving.replay);
    moving.types = std::move(types);
    found = std::move(moving);
    return saved;
}

} // namespace gpuledger::savings
