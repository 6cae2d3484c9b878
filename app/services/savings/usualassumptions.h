// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/model/settings.h"
#include "app/savings/assumptions/assumptions.h"
#include "app/savings/capacity/capacity.h"
#include "app/savings/schedule/schedule.h"

#include <map>
#include <string>
#include <string_view>

// What the configuration says about savings, as the engines take it. Pure; any thread.
namespace gpuledger::services {

// Nothing chosen, with the configuration's defaults. One that this version can't use is left out: a file with such a
// value is not loaded.
savings::Assumptions usualAssumptions(const model::SavingsSettings &settings);

// What was asked, with the configuration's defaults for the rest.
savings::Assumptions assumedAmong(const savings::Assumptions &asked, const model::SavingsSettings &settings);

// The entry of a pool of nodes: that of its cluster, else that of any cluster. Null: there is none.
const model::PoolAssumptions *poolAssumptions(const model::SavingsSettings &settings, std::string_view cluster,
                                              std::string_view group);

// What holds for the pool of this entry. What was chosen in `assumed` takes precedence.
savings::CapacityPolicy poolPolicy(const savings::Assumptions &assumed, const model::PoolAssumptions *own);

// By team. One without a time zone of its own, or with one that the system does not know, has `zone`.
std::map<std::string, savings::ScheduleCalendar> teamCalendars(const model::SavingsSettings &settings,
                                                               const base::TimeZone &zone);

} // namespace gpuledger::services
