// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/spotzones.h"

#include "app/savings/capacity/capacity.h"
#include "app/savings/spot/spotrefusal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace gpuledger::savings {

using base::Money;
using base::Result;

std::int64_t spotCostAt(const SpotReplay &replay, double quantile)
{
    const auto rank = static_cast<std::size_t>(std::ceil(quantile * static_cast<double>(replay.cost.size())));
    return replay.cost[std::max<std::size_t>(rank, 1) - 1];
}

Result<std::int64_t> spotAvoidable(const SpotPast &past, const SpotCandidate &one)
{
    const auto month = capacityPerMonth(one.ownCost, static_cast<std::size_t>(past.hours));
    GPULEDGER_TRY(month);
    return std::max<std::int64_t>(*month, 0); // credits can exceed the cost
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

namespace {

constexpr int kAlonePaths = 100;

// A workload in several zones and in one.
class SpotZoneChoice {
public:
    SpotZoneChoice(const SpotPast &past, const SpotRules &rules, std::int64_t most, SpotModels &models,
                   const std::stop_token &stop)
        : m_past(past)
        , m_rules(rules)
        , m_most(most)
        , m_models(models)
        , m_stop(stop)
    {
    }

    Result<MoneyBand> choose(SpotFound &found)
    {
        const std::vector<SpotPool> pools = spotPoolsOf(*found.work, *found.market, found.plan, m_rules, m_models);
        const SpotFound before = found;
        auto moving = replayed(found, pools, m_rules);
        GPULEDGER_TRY(moving);
        if (pools.empty())
            return moving;
        SpotZones zones;
        zones.count = pools.size();
        zones.pools = pools;
        zones.correlation = capacityCorrelation(pools);
        zones.pricesFollow = !pools.front().history.prices.empty();
        zones.sets = found.replay->sets;
        zones.moving = moving->p50;
        auto best = bestAlone(before, pools);
        GPULEDGER_TRY(best);
        if (best->pool == nullptr) {
            found.zones = std::move(zones);
            return moving;
        }
        zones.best = best->pool->history.zone;
        const bool isRefused = spotRefusal(found).has_value();
        if (!best->refused && (isRefused || best->saved->p90.nanos() > moving->p50.nanos())) { // else clearly less
            auto saved = replayed(best->found, {*best->pool}, m_rules);
            GPULEDGER_TRY(saved);
            best->saved = *saved;
            zones.moves = spotRefusal(best->found) || (!isRefused && saved->p50.nanos() <= moving->p50.nanos());
        }
        zones.alone = best->saved->p50;
        if (!zones.moves) {
            zones.pools = {*best->pool};
            found = std::move(best->found);
        }
        found.zones = std::move(zones);
        return found.zones->moves ? *moving : *best->saved;
    }

private:
    struct Alone {
        const SpotPool *pool = nullptr; // null: none can be replayed
        SpotFound found;
        std::optional<MoneyBand> saved;
        bool refused = false;
    };

    Result<MoneyBand> replayed(SpotFound &found, const std::vector<SpotPool> &pools, const SpotRules &rules) const
    {
        auto replay = replaySpot(*found.work, *found.market, found.plan, rules, pools, m_models, m_stop);
        GPULEDGER_TRY(replay);
        found.replay = std::move(*replay);
        return spotSavedOf(m_past, *found.work, *found.replay, m_most);
    }

    static SpotFound aloneIn(SpotFound found, const SpotPool &pool)
    {
        SpotMarket market = *found.market;
        market.interruptions.history = {pool.history};
        found.zone = std::make_shared<const SpotMarket>(std::move(market));
        found.market = found.zone.get();
        return found;
    }

    // One that is not refused comes before one that is, then the one that saves more (p50), then the first.
    Result<Alone> bestAlone(const SpotFound &found, const std::vector<SpotPool> &pools) const
    {
        SpotRules fewer = m_rules;
        fewer.paths = std::min(m_rules.paths, kAlonePaths);
        fewer.mostRuns = m_rules.mostRuns / static_cast<int>(pools.size());
        const auto order = [](const Alone &one) { return std::pair(!one.refused, one.saved->p50.nanos()); };
        Alone best;
        for (const SpotPool &pool : pools) {
            Alone one{&pool, aloneIn(found, pool), std::nullopt, false};
            const SpotShape shape = shapeOf({pool.history});
            if (shape.up == 0 || !shape.isEnough())
                continue; // no future ends, or it is the best by chance
            addSpotClosedForms(one.found);
            if (spotHopeless(one.found, m_rules))
                continue; // slow to replay
            const auto saved = replayed(one.found, {pool}, fewer);
            GPULEDGER_TRY(saved);
            one.saved = *saved;
            one.refused = spotRefusal(one.found).has_value();
            if (!best.pool || order(best) < order(one))
                best = std::move(one);
        }
        return best;
    }

    const SpotPast &m_past;
    const SpotRules &m_rules;
    const std::int64_t m_most;
    SpotModels &m_models;
    const std::stop_token &m_stop;
};

} // namespace

Result<MoneyBand> replaySpotZones(const SpotPast &past, SpotFound &found, const SpotRules &rules, std::int64_t most,
                                  SpotModels &models, const std::stop_token &stop)
{
    return SpotZoneChoice(past, rules, most, models, stop).choose(found);
}

} // namespace gpuledger::savings
