// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/capacity/spotmodel.h"
#include "app/savings/spot/capacity/spotpools.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <utility>
#include <vector>

// The models of spot capacity that one answer needs, each built once: workloads of one market share them, and so do the
// replays of one workload. Internal to app/savings. Pure; one object per answer, one thread.
namespace gpuledger::savings {

// cheapestPools() of the same pools, for one work after another: most of its time is the models of the sets that it
// tries, which depend on no work.
class SpotPoolSets {
public:
    SpotPoolSets(std::vector<SpotPool> pools, std::int64_t start);
    const std::vector<SpotPool> &pools() const { return m_pools; }
    std::int64_t start() const { return m_start; }
    // Work that was asked for before has its answer at once.
    std::vector<SpotPool> cheapest(const SpotWork &work, std::uint64_t seed);
    std::size_t modelsBuilt() const { return m_built; }

private:
    struct Answer {
        SpotWork work;
        std::uint64_t seed = 0;
        SpotPoolSet set;
    };
    std::vector<SpotPool> poolsIn(const SpotPoolSet &set) const;
    double meanCost(const SpotWork &work, const SpotPoolSet &set, std::uint64_t seed);

    std::vector<SpotPool> m_pools;
    std::int64_t m_start;
    std::map<SpotPoolSet, SpotPoolModel> m_models;
    std::vector<Answer> m_answers;
    std::size_t m_built = 0;
};

class SpotModels {
public:
    // The same as SpotModel(past, start) and SpotPoolModel(pools, start), which no seed changes. They are valid as long
    // as this object. Histories are compared as a whole, so models of equal ones are the same model.
    const SpotModel &of(const std::vector<SpotTrace> &past, std::int64_t start);
    const SpotPoolModel &of(const std::vector<SpotPool> &pools, std::int64_t start);
    // cheapestPools(work, pools, start, seed).
    std::vector<SpotPool> cheapest(const SpotWork &work, std::vector<SpotPool> pools, std::int64_t start,
                                   std::uint64_t seed);
    std::size_t size() const { return m_traces.size() + m_pools.size(); } // models that were built

private:
    template <typename From, typename Model> struct Built {
        Built(std::vector<From> past, std::int64_t begin)
            : from(std::move(past))
            , start(begin)
            , model(from, begin)
        {
        }
        std::vector<From> from;
        std::int64_t start;
        Model model;
    };
    template <typename All, typename From> static const auto &found(All &all, const From &from, std::int64_t start);

    std::list<Built<SpotTrace, SpotModel>> m_traces; // lists: a model stays where it is
    std::list<Built<SpotPool, SpotPoolModel>> m_pools;
    std::list<SpotPoolSets> m_sets;
};

} // namespace gpuledger::savings
