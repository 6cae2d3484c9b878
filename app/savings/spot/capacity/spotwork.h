// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"

#include <algorithm>
#include <cstdint>
#include <optional>

// Work that runs on a spot machine which comes and goes. Pure; times in whole seconds.
namespace gpuledger::savings {

struct SpotWork {
    std::int64_t work = 0; // seconds without any interruption or checkpoint
    std::int64_t checkpointEvery = 0; // seconds of work; 0: none, an interruption loses everything
    std::int64_t checkpointCost = 0; // seconds in which nothing else is done
    std::int64_t restart = 0; // seconds before work goes on after an interruption
    std::optional<std::int64_t> deadline; // seconds after the start
    std::int64_t horizon = 0; // seconds after which a run is given up
    int gpus = 1;
    base::Rate onDemand, spot; // per GPU-hour
    bool operator==(const SpotWork &) const = default;

    // Time that `left` seconds of work need without an interruption; no checkpoint is written at the end.
    constexpr std::int64_t needed(std::int64_t left) const
    {
        return left + (checkpointEvery > 0 ? (left - 1) / checkpointEvery * checkpointCost : 0);
    }
    // Time until the work done so far is safe.
    constexpr std::int64_t untilSafe(std::int64_t left) const
    {
        const bool last = checkpointEvery == 0 || left <= checkpointEvery;
        return last ? needed(left) : checkpointEvery + checkpointCost;
    }
};

// How one run ended.
struct SpotOutcome {
    bool finished = false; // before the horizon
    bool fellBack = false; // went on on-demand
    std::int64_t end = 0; // seconds after the start
    std::int64_t spotSeconds = 0, onDemandSeconds = 0; // paid, of the machine
    int interruptions = 0;
    // What it cost. Fails with Overflow.
    [[nodiscard]] base::Result<base::Money> cost(const SpotWork &work) const;
};

enum class SpotPolicy {
    Wait, // for capacity, however long
    FallBack, // to on-demand at the last time from which the deadline can be kept for certain
};

// Runs the work on what `next()` gives: an object with `seconds` (> 0) and `available`, or one with 0 seconds when
// nothing more is known. The first state begins at the start.
template <typename Next> SpotOutcome runOnSpot(const SpotWork &work, SpotPolicy policy, Next &&next);

// Steps of a run.
class SpotRun {
public:
    SpotRun(const SpotWork &work, SpotPolicy policy)
        : m_work(work)
        , m_left(work.work)
        , m_falls(policy == SpotPolicy::FallBack && work.deadline)
    {
    }
    // Goes through a state of this length; false when the run is over.
    bool pass(std::int64_t seconds, bool available);
    const SpotOutcome &outcome() const { return m_outcome; }

private:
    bool up(std::int64_t seconds);
    bool down(std::int64_t seconds);
    bool giveUp();
    void fallBack();
    std::int64_t restart() const { return m_started ? m_work.restart : 0; }
    std::int64_t latestTry() const;

    const SpotWork &m_work;
    SpotOutcome m_outcome;
    std::int64_t m_now = 0;
    std::int64_t m_left; // work that is not safe yet
    bool m_falls, m_started = false;
};

template <typename Next> SpotOutcome runOnSpot(const SpotWork &work, SpotPolicy policy, Next &&next)
{
    SpotRun run(work, policy);
    for (auto state = next(); state.seconds > 0 && run.pass(state.seconds, state.available); state = next()) { }
    return run.outcome();
}

} // namespace gpuledger::savings
