// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/schedule/schedule.h"

#include <string>

namespace gpuledger::savings {

// Lines of a crontab that stop and start the workload by kubectl, in the zone's local time; before them the cluster as
// a comment. Empty if its kind of controller can't be scaled (a ReplicaSet: its Deployment scales it back), or if a
// name is none that Kubernetes gives (RFC 1123), so that nothing needs escaping. Pure; any thread.
std::string scheduleHow(const ScheduleWorkload &workload, const SchedulePolicy &policy, const std::string &zone);

} // namespace gpuledger::savings
