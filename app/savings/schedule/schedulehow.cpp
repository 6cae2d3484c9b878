// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/schedule/schedulehow.h"

#include "app/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::savings {

namespace {

constexpr std::size_t kLongestClusterName = 200; // bytes

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kScheduledKinds{{
    {"Deployment", "deployment"},
    {"StatefulSet", "statefulset"},
}};

bool isScheduledName(std::string_view name)
{
    constexpr std::size_t kLongest = 253;
    return !name.empty() && name.size() <= kLongest && name.front() != '-'
        && std::all_of(name.begin(), name.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.'; });
}

// "Europe/Berlin", "Etc/GMT+5"
bool isCronZone(std::string_view name)
{
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || std::string_view("/_+-").find(c) != std::string_view::npos;
    });
}

std::string cronLine(const std::string &when, const std::string &nameSpace, const std::string &command)
{
    return when + " kubectl -n '" + nameSpace + "' " + command + "\n";
}

} // namespace

std::string scheduleHow(const ScheduleWorkload &workload, const SchedulePolicy &policy, const std::string &zone)
{
    const std::string &name = workload.controllerName, &space = workload.nameSpace;
    if (!isScheduledName(name) || !isScheduledName(space) || !isCronZone(zone) || policy.stopAt.empty())
        return {};
    const std::string cluster = base::printableLine(workload.cluster, kLongestClusterName);
    const std::string head = (cluster.empty() ? "" : "# in cluster " + cluster + "\n") + "CRON_TZ=" + zone + "\n";
    if (workload.controllerKind == "Notebook") { // Kubeflow stops a notebook by this annotation
        const std::string change = "annotate --overwrite notebook/'" + name + "' kubeflow-resource-stopped";
        return head + cronLine(policy.stopAt, space, change + "=by-schedule")
            + cronLine(policy.startAt, space, change + "-");
    }
    const auto *const found = std::find_if(kScheduledKinds.begin(), kScheduledKinds.end(),
                                           [&](const auto &one) { return one.first == workload.controllerKind; });
    if (found == kScheduledKinds.end())
        return {};
    const std::string change = "scale " + std::string(found->second) + "/'" + name + "' --replicas=";
    return head + cronLine(policy.stopAt, space, change + "0")
        + cronLine(policy.startAt, space, change + std::to_string(std::max(workload.replicas, 1)));
}

} // namespace gpuledger::savings
