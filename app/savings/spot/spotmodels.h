// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotmodel.h"
#include "app/savings/spot/spotpools.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <utility>
#include <vector>

// The models of spot capacity that one answer needs, each built once: workloads of one market share them, and so do the
// replays of one workload. Internal to app/savings. Pure; one object per answer, one thread.
namespace gpuledger::savings {

class SpotModels {
public:
    // The same as SpotModel(past, start) and SpotPoolModel(pools, start), which no seed changes. They are valid as long
    // as this object. Histories are compared as a whole, so models of equal ones are the same model.
    const SpotModel &of(const std::vector<SpotTrace> &past, std::int64_t start);
    const SpotPoolModel &of(const std::vector<SpotPool> &pools, std::int64_t start);
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
};

} // namespace gpuledger::savings
