// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/savings/spot/capacity/spothistory.h"
#include "app/savings/spot/capacity/spotmodel.h"
#include "app/savings/spot/capacity/spotwork.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

// Work that may run in any of several pools (zone x machine type) and moves when its pool loses capacity. Times in
// whole seconds. Pure; any thread may read.
namespace gpuledger::savings {

inline constexpr std::size_t kMostSpotPools = 8;

struct SpotPool {
    SpotTrace history;
    base::Rate price; // per GPU-hour, while the history has none
    bool operator==(const SpotPool &) const = default;
};

// One pool for each zone and machine type, in the order of the traces. Of several traces of one, that which ends last.
std::vector<SpotPool> poolsOf(const std::vector<SpotTrace> &traces, base::Rate price);

// Mean over all pairs of the correlation of capacity (1 or 0), weighted by time, where both were observed. Pairs
// without such time, and pools that were always in one state then, have none. std::nullopt: no pair has one.
std::optional<double> capacityCorrelation(const std::vector<SpotPool> &pools);

struct SpotPoolState {
    std::int64_t seconds = 0;
    std::uint32_t available = 0; // a bit for each pool
    std::array<std::int64_t, kMostSpotPools> nanosPerHour{}; // of a GPU
};

// Histories of the same time are one set: the block bootstrap of spotmodel.h runs over the time in which any pool of
// the set has capacity, and every pool is taken from the same seconds of the past, with its price then. So pools that
// failed together fail together in each future. A pool joins a set if it shares at least half of the shorter of both
// times; what is outside the common time is not used. Sets are resampled independently of each other. In a set that
// never lacks capacity the paths begin where the same pools had capacity as at its end: that capacity is there says
// nothing about which pools have it.
class SpotPoolModel {
public:
    // At most kMostSpotPools; others are left out. Of several pools with capacity, `best()` is the cheapest, then the
    // one with fewer interruptions per hour of running, then the first.
    SpotPoolModel(std::vector<SpotPool> pools, std::int64_t start, SpotTuning tuning = {});
    bool empty() const { return m_sets.empty(); } // no history: there are no paths
    std::size_t size() const { return m_pools.size(); }
    std::size_t sets() const { return m_sets.size(); }
    int best(const SpotPoolState &state) const; // -1: none has capacity

private:
    struct Joint { // of one set: a time in which nothing changes
        std::int64_t start = 0, length = 0;
        std::uint32_t available = 0;
        std::array<std::int64_t, kMostSpotPools> nanosPerHour{};
    };
    struct Set {
        std::vector<std::size_t> pools;
        std::vector<Joint> joint;
        SpotModel any; // whether any pool has capacity
    };
    // One set on its way.
    class SetPath {
    public:
        SetPath(const Set &set, SeededRandom random, std::int64_t horizon);
        std::int64_t left() const { return m_left; }
        const Joint &now() const { return m_set.joint[m_index]; }
        const std::vector<std::size_t> &pools() const { return m_set.pools; }
        void pass(std::int64_t seconds);

    private:
        void advance();
        void takePiece();
        const Set &m_set;
        SpotModel::Path m_path;
        std::size_t m_index = 0, m_next = 0;
        std::int64_t m_at = 0, m_end = 0; // seconds of the past
        std::int64_t m_left = 0; // of the state, stretched
        std::int64_t m_raw = 0, m_given = 0; // since capacity of the set came or went
        std::optional<bool> m_available;
    };

public:
    // One possible future; the model, which isn't empty, must outlive it. The first set is drawn as SpotModel::Path
    // would be.
    class Path {
    public:
        Path(const SpotPoolModel &model, std::uint64_t seed, std::uint64_t path, std::int64_t horizon);
        SpotPoolState next();

    private:
        std::vector<SetPath> m_sets;
    };

private:
    static std::vector<SpotInterval> timesAsLast(const std::vector<Joint> &joint);
    Set setOf(std::vector<std::size_t> pools, std::int64_t from, std::int64_t to, std::int64_t start,
              const SpotTuning &tuning) const;

    std::vector<SpotPool> m_pools;
    std::vector<double> m_perHour; // interruptions of each pool, of running
    std::vector<Set> m_sets;
};

struct SpotPoolOutcome {
    SpotOutcome run;
    std::vector<std::int64_t> seconds; // paid, of the machine, by pool
    std::vector<int> interruptions; // by pool
    // By pool; fails with Overflow.
    [[nodiscard]] base::Result<base::Money> cost(const SpotWork &work) const;
    __extension__ using Wide = __int128;
    Wide nanoSeconds = 0; // sum of price of a GPU-hour (nano-units) x seconds
};

// Runs the work in the pools: an interruption ends a stay; the next one begins at once in the best pool that has
// capacity, as a restart, or when one has it again.
SpotPoolOutcome runOnPools(const SpotWork &work, SpotPolicy policy, const SpotPoolModel &model, std::uint64_t seed,
                           std::uint64_t path);

// The pools of a set of at most `most`, by turns that one with which the mean cost in 200 futures is least (what does
// not end is counted as then done on demand); of equal ones the first. All, in their order, if there are not more.
std::vector<SpotPool> cheapestPools(const SpotWork &work, std::vector<SpotPool> pools, std::int64_t start,
                                    std::uint64_t seed, std::size_t most = kMostSpotPools);

// The parts of it, for callers that keep the models of the sets that it tries. Indexes of pools, in the order in which
// they are chosen.
using SpotPoolSet = std::vector<std::size_t>;
SpotPoolSet cheapestPoolSet(std::size_t pools, std::size_t most,
                            const std::function<double(const SpotPoolSet &)> &meanCost);
double meanPoolCost(const SpotWork &work, const SpotPoolModel &model, std::uint64_t seed);

} // namespace gpuledger::savings
