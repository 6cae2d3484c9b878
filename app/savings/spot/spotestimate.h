// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/capacity/spothistory.h"
#include "app/savings/spot/capacity/spotpools.h"
#include "app/savings/spot/capacity/spotwork.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

// What work on spot machines would cost and when it would end, from many possible futures. Pure; any thread.
namespace gpuledger::savings {

inline constexpr int kSpotPaths = 10'000;
inline constexpr double kSpotHopeless = 3; // expected time over work from which work without checkpoints is refused
inline constexpr double kSpotMostUnfinished = 0.1; // share of futures that may not end within the horizon

struct SpotQuestion {
    SpotWork work;
    std::vector<SpotTrace> history; // of the machine; empty: `perHour` counts
    // Where the work may run in several pools: their histories, instead of `history`; at most kMostSpotPools.
    std::vector<SpotPool> pools;
    std::optional<std::int64_t> start; // only what lies before this second is used; without: all
    double perHour = 0; // published interruptions per hour of running; capacity is taken to be back at once
    std::uint64_t seed = 1;
    int paths = kSpotPaths;
};

// The values below which 10, 50 and 90 % of the futures lie (nearest rank); unknown where more than that never end.
template <typename T> using SpotBand = std::array<std::optional<T>, 3>;

struct SpotBands {
    SpotBand<base::Money> cost;
    SpotBand<double> hours;
    SpotBand<int> interruptions;
    std::optional<double> missed; // share that ends after the deadline; unknown without one
    double unfinished = 0; // share that does not end within the horizon
    std::optional<base::Money> meanCost; // unknown if some never end
};

enum class SpotReason {
    Suitable,
    DeadlineTooShort, // even without an interruption it is missed
    NeverEnds, // no checkpoint: the expected time is a multiple of the work
    NoCapacity, // more than one in ten futures does not end within the horizon
    DeadlineAtRisk, // the p90 of the finishing time lies after it
    NotCheaper, // the p50 of the cost is that of on-demand or more
};

// One pool in the futures.
struct SpotPoolUse {
    double share = 0; // of all time on spot machines
    double interruptions = 0; // mean of a future
};

struct SpotPoolsUse {
    std::vector<SpotPoolUse> pools; // as in the question
    std::optional<double> correlation; // as capacityCorrelation()
    std::size_t sets = 0; // of histories of the same time; above 1: resampled independently of each other
};

struct SpotEstimate {
    SpotBands waiting; // for capacity, however long
    std::optional<SpotBands> fallback; // on-demand at the last moment that keeps the deadline; with one only
    double fellBack = 0; // share of futures that end on-demand
    base::Money onDemandCost;
    double onDemandHours = 0;
    double perHour = 0; // interruptions per hour of running: of the history, or as given; of pools: in the futures
    std::optional<SpotPoolsUse> pools; // of a question with pools
    SpotShape shape; // of what was used
    double expectedHours = 0; // of running, by Daly; infinite if it does not fit
    std::int64_t bestEvery = 0; // seconds
    std::optional<base::Money> bestCost; // expected with it, by Daly; unknown if it does not fit
    std::optional<double> discount; // 1 - mean cost / on-demand cost
    SpotReason reason = SpotReason::Suitable;
    bool suitable() const { return reason == SpotReason::Suitable; }
};

// The longest time that a run is followed if nothing else is asked.
std::int64_t usualHorizon(const SpotWork &work);

// Fails with InvalidArgument (no work, prices that are zero or negative, ...), NotFound (no or too little history
// before the start) and Overflow.
[[nodiscard]] base::Result<SpotEstimate> estimateSpot(SpotQuestion question);

} // namespace gpuledger::savings
