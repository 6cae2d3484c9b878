// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/capacity/spotmodels.h"
#include "app/savings/spot/capacity/spotpools.h"
#include "app/savings/spot/capacity/spotwork.h"
#include "app/savings/spot/spotoffer.h"

#include <cstdint>
#include <optional>
#include <vector>

// The runs of a workload, repeated in many futures; internal to app/savings. Pure; any thread.
namespace gpuledger::savings {

// How a workload would run on spot machines.
struct SpotPlan {
    std::int64_t checkpointEvery = 0, checkpointCost = 0, restart = 0; // as SpotWork
    std::optional<std::int64_t> deadline; // after the start of a run
    std::int64_t slackPercent = 0; // without a deadline: a run may take this much longer
    std::optional<base::UtcTime> deadlineAt = {}; // or a time; a run that starts after it is as without one
};

struct SpotReplay {
    int paths = 0;
    std::vector<std::int64_t> cost; // by path, ascending: nano-units, of the machine time that counts
    std::vector<std::int64_t> costOfRun; // of each run the mean of all paths
    double interruptions = 0; // mean of a run
    double lost = 0; // share of the paid spot time that was no work and no checkpoint: repeated or restarting
    double later = 0; // mean of the time to the end, over the time of the work, less 1
    // Shares of the machine time of all runs, so that many short ones don't hide a long one: of those that end after
    // their deadline, and of those that do not end within the horizon.
    double missed = 0, unfinished = 0;
    std::size_t sets = 0; // of pools that are resampled independently of each other
};

// Seconds after the start of a run: the deadline that it has, or the slack of the plan.
std::int64_t deadlineOf(const SpotPlan &plan, const SpotPastRun &run);
// The mean of the prices, each as likely as it has time. There is at least one.
base::Rate meanSpotRate(const SpotPrice &price);
// The pools of a market whose history has more than one zone; else none. All have the price of the market, because that
// of a zone is not known: by day, if the days of the bills cover at least half of each history, or as the history has
// it. Of more than kMostSpotPools, those of cheapestPools() for the longest run.
std::vector<SpotPool> spotPoolsOf(const SpotCandidate &work, const SpotMarket &market, const SpotPlan &plan,
                                  const SpotRules &rules, SpotModels &models);
// The same with the pools of its other machine types, each with the price of its type; none if there are no others.
std::vector<SpotPool> spotTypePoolsOf(const SpotCandidate &work, const SpotMarket &market, const SpotPlan &plan,
                                      const SpotRules &rules, SpotModels &models);
// The work of one run; fits usualHorizon().
SpotWork spotWorkOf(const SpotPlan &plan, const SpotPastRun &run);
// Interruptions per hour of running of one machine: of the history, or the rate.
double spotRateOf(const SpotInterruptions &interruptions);

// Steps of one path by the closed form: runs, or the states that they go through if there are more. Infinite if it does
// not fit.
double spotStepsOf(const SpotCandidate &work, const SpotMarket &market, const SpotPlan &plan);
inline constexpr int kFewestSpotPaths = 50;

// Each path repeats each run once; each run has a price of its own on each machine type, drawn from those of the type,
// or those of the days from which its pools are taken. The same seed gives the
// same answer. There are as many paths as `mostRuns` steps allow. The market has a price above zero and a basis; the
// workload has runs. Fails with Cancelled and Overflow.
[[nodiscard]] base::Result<SpotReplay> replaySpot(const SpotCandidate &work, const SpotMarket &market,
                                                  const SpotPlan &plan, const SpotRules &rules,
                                                  const std::stop_token &stop = {});
// The same in these pools, which are spotPoolsOf(), one of them, or spotTypePoolsOf(); empty: as the market without
// zones. `models` has the
// models of earlier replays of the same answer, and keeps those of this one; the result is the same without them.
[[nodiscard]] base::Result<SpotReplay> replaySpot(const SpotCandidate &work, const SpotMarket &market,
                                                  const SpotPlan &plan, const SpotRules &rules,
                                                  const std::vector<SpotPool> &pools, SpotModels &models,
                                                  const std::stop_token &stop = {});

} // namespace gpuledger::savings
