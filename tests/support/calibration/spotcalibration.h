// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotestimate.h"

#include <filesystem>
#include <string>
#include <vector>

// The bands of spot estimates against what came of them. For tests and the bench.
namespace gpuledger::tests {

// Real intervals, which are available only next to a developer's repository.
std::filesystem::path spotIntervalsFile();
// Its traces; empty if it isn't there or can't be read.
std::vector<savings::SpotTrace> realSpotTraces();

enum class SpotKnown {
    UntilStart, // what the program knows: everything before the start
    FirstHalf, // the first half of the trace alone, how old it is at the start, and not the state then
};

// One figure: cost or time.
struct SpotCoverage {
    int inside = 0; // true values within p10 and p90
    std::vector<double> widths; // p90 - p10
    std::vector<double> truths;
    double medianWidth() const;
    double spread() const; // p90 - p10 of the true values
};

struct SpotTrial {
    std::string name;
    int replays = 0; // starts from which the work was done before the end of the trace
    int unfinished = 0; // the others, of which the truth is not known
    SpotCoverage cost, hours;
    void add(const SpotTrial &other);
    double costShare() const { return replays > 0 ? static_cast<double>(cost.inside) / replays : 0; }
    double hoursShare() const { return replays > 0 ? static_cast<double>(hours.inside) / replays : 0; }
    std::string text() const;
};

// A day of work as in the issue, or another number of hours.
savings::SpotWork usualSpotWork(double hours);
SpotTrial calibrateSpot(const savings::SpotTrace &trace, const savings::SpotWork &work, SpotKnown known, int starts,
                        int paths);

} // namespace gpuledger::tests
