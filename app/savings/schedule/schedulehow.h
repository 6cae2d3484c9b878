// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/schedule/schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuledger::savings {

// Lines of a crontab that stop and start the workload by kubectl, in the zone's local time; before them the cluster as
// a comment. Empty if its kind of controller can't be scaled (a ReplicaSet: its Deployment scales it back), or if a
// name is none that Kubernetes gives (RFC 1123), so that nothing needs escaping.
//
// `holidays`: coming ones, as days since 1970-01-01 of the zone's calendar, ascending; the first 40 are in the lines.
// Nothing starts on one of them. If the policy is on at its midnight, it is stopped then, and started at the next
// midnight. Because cron repeats dates every year, these lines ask for the date. Pure; any thread.
std::string scheduleHow(const ScheduleWorkload &workload, const SchedulePolicy &policy, const std::string &zone,
                        const std::vector<std::int32_t> &holidays = {});

} // namespace gpuledger::savings
