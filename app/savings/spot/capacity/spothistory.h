// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// When spot machines could be had and when not: real intervals, read from a CSV file. Pure; any thread.
namespace gpuledger::savings {

struct SpotInterval {
    std::int64_t start = 0, length = 0; // seconds since the trace began
    bool available = false;
    constexpr std::int64_t end() const { return start + length; }
    constexpr bool operator==(const SpotInterval &) const = default;
};

// The spot price from a second on.
struct SpotPriceStep {
    std::int64_t start = 0; // seconds since the trace began
    std::int64_t nanosPerHour = 0; // of a GPU, in the currency of the other prices
    constexpr bool operator==(const SpotPriceStep &) const = default;
};

// One machine type in one zone. Neighbouring intervals touch and have different states.
struct SpotTrace {
    std::string trace, zone, instanceType, gpu;
    int gpus = 0; // of the machine
    std::int64_t tick = 0; // seconds between two looks at the cloud: ends are known no more finely
    std::vector<SpotInterval> intervals;
    std::vector<SpotPriceStep> prices = {}; // ascending; empty: the file has none

    std::int64_t begin() const { return intervals.empty() ? 0 : intervals.front().start; }
    std::int64_t end() const { return intervals.empty() ? 0 : intervals.back().end(); }
    bool operator==(const SpotTrace &) const = default;
};

// Reads columns trace, zone, instance_type, gpu, gpus, tick_s, start_s, duration_s, available, in any order, and
// price (of a spot GPU-hour, above zero) if there is one, with others ignored. The rows of a trace are in the order of
// time and have no gaps. Fails with Parse, naming the line.
[[nodiscard]] base::Result<std::vector<SpotTrace>> readSpotIntervals(std::string_view csv);

struct SpotChoice {
    std::string gpu; // the model, or an instance type; any case
    int gpus = 1; // of the machine
    std::string zone; // empty: any
};

// The traces of the choice. Fails with NotFound, naming what there is.
[[nodiscard]] base::Result<std::vector<SpotTrace>> chosenTraces(const std::vector<SpotTrace> &traces,
                                                                const SpotChoice &choice);

// What was known at second `start`: intervals that begin before it, the last one cut there.
SpotTrace before(const SpotTrace &trace, std::int64_t start);
// The rest, from second `start`.
SpotTrace since(const SpotTrace &trace, std::int64_t start);

// Figures of one or more traces.
struct SpotShape {
    std::int64_t observed = 0, up = 0; // seconds
    int upIntervals = 0; // also those cut at an end of the trace
    int interruptions = 0; // changes from up to down
    double share() const { return observed > 0 ? static_cast<double>(up) / static_cast<double>(observed) : 0; }
    // Interruptions per hour of running.
    double perHour() const { return up > 0 ? 3600.0 * interruptions / static_cast<double>(up) : 0; }
    // To say something about the future: five times with capacity, or two weeks.
    bool isEnough() const { return upIntervals >= 5 || observed >= std::int64_t{14 * 86400}; }
};
SpotShape shapeOf(const std::vector<SpotTrace> &traces);

} // namespace gpuledger::savings
