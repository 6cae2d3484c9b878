// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gpuledger::base {

// A reading of this computer's clocks, regardless of the time that a command uses as now (Clock).
struct ClockReading {
    UtcTime real{};
    std::int64_t steady = 0; // ns since boot, including suspend; it is never set
    std::string boot; // identifies the boot; readings from two boots cannot be compared
};

// Reads the clocks now. Any thread.
ClockReading readClocks();

// By how much the real clock was set between two readings, apart from the elapsed time; std::nullopt if they are from
// two boots.
std::optional<Seconds> clockStep(const ClockReading &before, const ClockReading &after);

} // namespace gpuledger::base
