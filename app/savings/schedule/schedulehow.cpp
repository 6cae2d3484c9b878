// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/schedule/schedulehow.h"

#include "app/base/text/text.h"
#include "app/base/time/time.h"

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

std::string cronDate(std::int32_t day)
{
    constexpr std::size_t kDate = 10; // "2026-12-25"
    return base::toRfc3339(base::Day{day}.start()).substr(0, kDate);
}

// Midnight of a day, of every year.
std::string cronMidnight(std::int32_t day)
{
    const std::string date = cronDate(day);
    const auto number = [&](std::size_t at) {
        return date.substr(date[at] == '0' ? at + 1 : at, date[at] == '0' ? 1 : 2);
    };
    return "0 0 " + number(8) + ' ' + number(5) + " *";
}

class CronLines {
public:
    CronLines(const SchedulePolicy &policy, const std::string &zone, const std::vector<std::int32_t> &holidays)
        : m_policy(policy)
        , m_zone(zone)
        , m_holidays(holidays.begin(),
                     holidays.begin() + static_cast<std::ptrdiff_t>(std::min(holidays.size(), kMostCronHolidays)))
        , m_more(holidays.size() > kMostCronHolidays)
    {
    }

    std::string lines(const std::string &stop, const std::string &start) const
    {
        if (m_policy.off.none() || m_holidays.empty())
            return line(m_policy.stopAt, stop) + line(m_policy.startAt, start);
        std::string days;
        for (const std::int32_t day : m_holidays)
            days += (days.empty() ? "" : "|") + cronDate(day);
        std::string out =
            line(m_policy.stopAt, stop) + line(m_policy.startAt, today() + days + ") ;; *) " + start + " ;; esac");
        for (const std::int32_t day : m_holidays) {
            if (isOnAtMidnight(day) && !isHoliday(day - 1))
                out += line(cronMidnight(day), onlyOn(day, stop));
            if (isOnAtMidnight(day + 1) && !isHoliday(day + 1))
                out += line(cronMidnight(day + 1), onlyOn(day + 1, start));
        }
        if (m_more)
            out += "# holidays after " + cronDate(m_holidays.back()) + " are not in these lines\n";
        return out;
    }

private:
    static constexpr std::size_t kMostCronHolidays = 40; // the longest line that every cron takes has 998 bytes

    static std::string line(const std::string &when, const std::string &command) { return when + ' ' + command + '\n'; }
    // CRON_TZ sets when a line runs, not the zone of its commands. A percent sign would end the command.
    std::string today() const { return "case \"$(TZ=" + m_zone + " date +\\%F)\" in "; }
    std::string onlyOn(std::int32_t day, const std::string &command) const
    {
        return today() + cronDate(day) + ") " + command + " ;; esac";
    }
    bool isHoliday(std::int32_t day) const { return std::binary_search(m_holidays.begin(), m_holidays.end(), day); }
    bool isOnAtMidnight(std::int32_t day) const
    {
        constexpr std::int32_t kThursday = 3; // 1970-01-01
        const std::int32_t weekday = (((day + kThursday) % 7) + 7) % 7;
        return !m_policy.off[static_cast<std::size_t>(weekday) * 24];
    }

    const SchedulePolicy &m_policy;
    const std::string m_zone;
    const std::vector<std::int32_t> m_holidays;
    const bool m_more; // holidays than fit
};

} // namespace

std::string scheduleHow(const ScheduleWorkload &workload, const SchedulePolicy &policy, const std::string &zone,
                        const std::vector<std::int32_t> &holidays)
{
    const std::string &name = workload.controllerName, &space = workload.nameSpace;
    if (!isScheduledName(name) || !isScheduledName(space) || !isCronZone(zone) || policy.stopAt.empty())
        return {};
    const std::string cluster = base::printableLine(workload.cluster, kLongestClusterName);
    const std::string head = (cluster.empty() ? "" : "# in cluster " + cluster + "\n") + "CRON_TZ=" + zone + "\n";
    const CronLines cron(policy, zone, holidays);
    const std::string kubectl = "kubectl -n '" + space + "' ";
    if (workload.controllerKind == "Notebook") { // Kubeflow stops a notebook by this annotation
        const std::string change = kubectl + "annotate --overwrite notebook/'" + name + "' kubeflow-resource-stopped";
        return head + cron.lines(change + "=by-schedule", change + "-");
    }
    const auto *const found = std::find_if(kScheduledKinds.begin(), kScheduledKinds.end(),
                                           [&](const auto &one) { return one.first == workload.controllerKind; });
    if (found == kScheduledKinds.end())
        return {};
    const std::string change = kubectl + "scale " + std::string(found->second) + "/'" + name + "' --replicas=";
    return head + cron.lines(change + "0", change + std::to_string(std::max(workload.replicas, 1)));
}

} // namespace gpuledger::savings
