// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/savings/schedule/schedule.h"

#include <string>
#include <string_view>

// Off-hours as text. Pure; any thread.
namespace gpuledger::savings {

// Items separated by commas, each with days and, if not the whole day, hours: "mon-fri 20-7, sat, sun". Hours go from a
// full hour (0 to 23) to another one (0 to 24); if that is not later, they end on the next day. A range of days may go
// over Sunday
// ("fri-mon"). "none": no hour. Case and blanks don't matter. Fails with InvalidArgument and names what it can't read.
[[nodiscard]] base::Result<OffHours> offHoursFrom(std::string_view text);
// The same hours in the form that everybody writes: offHoursFrom(offHoursText(x)) is x.
std::string offHoursText(const OffHours &off);

// The policy of exactly these hours. It has cron fields if all stops are at the same hour of the day and all starts
// too.
SchedulePolicy ownSchedulePolicy(const OffHours &off);

} // namespace gpuledger::savings
