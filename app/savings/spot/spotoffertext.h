// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotoffer.h"
#include "app/savings/spot/spotreplay.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

// What a spot proposal says; internal to app/savings. Pure; any thread.
namespace gpuledger::savings {

// Of a market whose history has several zones.
struct SpotZones {
    std::size_t count = 0;
    std::vector<SpotPool> pools; // those that are used: all, or the best alone
    bool moves = true; // between them; false: `best` alone is used, because moving saves less
    std::string best; // of these, for this work
    std::optional<double> correlation; // of their capacity
    bool pricesFollow = false; // they are those of the same days as the capacity
    std::size_t sets = 0; // resampled independently of each other
    // What the best alone would save in a month, p50 (unknown if none can be replayed), and what moving would.
    std::optional<base::Money> alone, moving;
};

// Of a market with other machine types.
struct SpotTypes {
    std::string own;
    std::vector<std::string> names; // between which it moves, or would
    bool moves = false; // false: moving saves less than its own type alone
    base::Money alone, moving; // what its own type alone and moving would save in a month, p50
};

inline constexpr double kSpotNoEnd = 1e6; // hours, more than a century: such work does not end

// What was found out about one workload; the pointers are to the past.
struct SpotFound {
    const SpotCandidate *work = nullptr;
    const SpotMarket *market = nullptr; // null: unknown
    std::shared_ptr<const SpotMarket> zone; // `market`, if it is not one of the past but a zone of one
    SpotPlan plan;
    bool checkpointsKnown = false; // a label, a changed assumption or what its pods write says so
    bool checkpointsSeen = false; // what they write, which is then in the plan
    SpotPastRun longest;
    double bareHours = 0; // the longest run without checkpoints, expected; infinite if it does not fit
    bool endsBare() const { return bareHours < kSpotNoEnd; }
    double planHours = 0; // and with those of the plan
    std::int64_t bestEvery = 0; // seconds; of the longest run
    std::optional<SpotReplay> replay;
    std::optional<SpotZones> zones;
    std::optional<SpotTypes> types;
    std::optional<Remark> excludedBy;
};

// The proposal without its amounts.
Proposal spotProposal(const SpotPast &past, const Assumptions &assumptions, const SpotFound &found);

} // namespace gpuledger::savings
