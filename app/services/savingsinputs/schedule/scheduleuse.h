// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/base/time/gputime.h"
#include "app/model/fleet/attribution.h"
#include "app/model/money/costterms.h"
#include "app/services/savingsinputs/days/hourfacts.h"

#include <cstdint>

// The hours of what can be scheduled while they are read; internal to schedulefacts. Plain values.
namespace gpuledger::services {

// What one holder did on one device in one hour, or on one machine after addition.
struct HourUse {
    std::int32_t workload = 0;
    base::DeviceId device;
    base::GpuTime held, active, unobserved, unpriced, ends, sunk, unknown;
    std::int64_t cost = 0, endingCost = 0, endingIdle = 0;
};

// All false on overflow.
[[nodiscard]] bool addUseNanos(std::int64_t &sum, std::int64_t amount);
[[nodiscard]] bool addScheduledPart(HourUse &use, const model::UsagePart &part, model::Recovery terms);
[[nodiscard]] bool addScheduledHold(HourUse &use, const HourHold &hold, model::Recovery terms); // the parts of an hour

} // namespace gpuledger::services
