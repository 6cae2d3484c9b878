// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/gputime.h"
#include "app/base/time/time.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

// Machine time that is no longer paid for on demand once a proposal is done: it ends, or moves to machines of another
// type or to spot machines. Pure; any thread. One machine for an hour is GpuTime::wholeDevice of an hour.
namespace gpuledger::savings {

using HourlyDemand = std::vector<std::optional<base::GpuTime>>; // of consecutive hours; std::nullopt: not known

// Of machines of one type. Never too little; too much where it isn't known which of several types it was.
struct FreedTime {
    std::vector<std::string> devices; // of the machines; ids of the facts
    base::UtcTime start{}; // of the first hour
    std::vector<base::GpuTime> hours; // consecutive
    // Parts with the same text are the same machine time, which several proposals end together: it is taken once.
    // Empty: of this part alone.
    std::string once = {};
};

// Takes the time of every part that names one of `devices` from the demand, which begins at `start`, hour by hour. What
// an hour does not have is taken from the other hours of its day (24 hours from `start`), because bills are kept by
// day; what the day does not have, from the other days. Both in proportion to what they have, rounded so that never too
// much remains. Unknown hours stay unknown. Returns whether a part names a device.
bool takeFreed(std::span<const FreedTime *const> parts, std::span<const std::string> devices, base::UtcTime start,
               HourlyDemand &demand);

} // namespace gpuledger::savings
