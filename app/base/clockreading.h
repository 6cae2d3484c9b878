// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gpuledger::base {

// What the clocks of this computer say, whatever time a command was asked to take for now (Clock).
struct ClockReading {
    UtcTime real{};
    std::int64_t steady = 0; // ns since the start of the system, also while it slept; it is never set
    std::string boot; // which start that was; readings of two of them can't be compared
};

// Of now. Any thread.
ClockReading readClocks();

// By how much the real clock was set between two readings, apart from what went by; nothing where they are of two
// starts.
std::optional<Seconds> clockStep(const ClockReading &before, const ClockReading &after);

} // namespace gpuledger::base
