// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/capacity/spotmodels.h"

#include <algorithm>

namespace gpuledger::savings {

namespace {

constexpr std::size_t kMostKeptSets = 64; // about 20 MB for 90 days of eventful histories

} // namespace

SpotPoolSets::SpotPoolSets(std::vector<SpotPool> pools, std::int64_t start)
    : m_pools(std::move(pools))
    , m_start(start)
{
}

std::vector<SpotPool> SpotPoolSets::poolsIn(const SpotPoolSet &set) const
{
    std::vector<SpotPool> out;
    for (const std::size_t pool : set)
        out.push_back(m_pools[pool]);
    return out;
}

double SpotPoolSets::meanCost(const SpotWork &work, const SpotPoolSet &set, std::uint64_t seed)
{
    if (const auto known = m_models.find(set); known != m_models.end())
        return meanPoolCost(work, known->second, seed);
    ++m_built;
    SpotPoolModel model(poolsIn(set), m_start);
    const double cost = meanPoolCost(work, model, seed);
    if (m_models.size() < kMostKeptSets)
        m_models.emplace(set, std::move(model));
    return cost;
}

std::vector<SpotPool> SpotPoolSets::cheapest(const SpotWork &work, std::uint64_t seed)
{
    const auto known = std::find_if(m_answers.begin(), m_answers.end(),
                                    [&](const Answer &one) { return one.seed == seed && one.work == work; });
    if (known != m_answers.end())
        return poolsIn(known->set);
    const auto costOf = [&](const SpotPoolSet &set) { return meanCost(work, set, seed); };
    m_answers.push_back({work, seed, cheapestPoolSet(m_pools.size(), kMostSpotPools, costOf)});
    return poolsIn(m_answers.back().set);
}

template <typename All, typename From> const auto &SpotModels::found(All &all, const From &from, std::int64_t start)
{
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const auto &one) { return one.start == start && one.from == from; });
    return same == all.end() ? all.emplace_back(from, start).model : same->model;
}

const SpotModel &SpotModels::of(const std::vector<SpotTrace> &past, std::int64_t start)
{
    return found(m_traces, past, start);
}

const SpotPoolModel &SpotModels::of(const std::vector<SpotPool> &pools, std::int64_t start)
{
    return found(m_pools, pools, start);
}

std::vector<SpotPool> SpotModels::cheapest(const SpotWork &work, std::vector<SpotPool> pools, std::int64_t start,
                                           std::uint64_t seed)
{
    if (pools.size() <= kMostSpotPools)
        return pools;
    const auto same = std::find_if(m_sets.begin(), m_sets.end(), [&](const SpotPoolSets &one) {
        return one.start() == start && one.pools() == pools;
    });
    return (same == m_sets.end() ? m_sets.emplace_back(std::move(pools), start) : *same).cheapest(work, seed);
}

} // namespace gpuledger::savings
