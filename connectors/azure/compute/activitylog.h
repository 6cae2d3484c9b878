// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/azure/compute/machinepage.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// When machines were started and deallocated, as the activity log of a subscription says
// (learn.microsoft.com/rest/api/monitor/activity-logs, api-version 2015-04-01). No calls; values.
namespace gpuledger::azure {

// The starts and stops of some machines. What it can't be sure of, it doesn't say: spot machines are taken and given
// back by the platform, and an operation on a scale set does not name its machines.
class ActivityLog {
public:
    // `from`: since when the log is complete.
    explicit ActivityLog(base::UtcTime from)
        : m_from(from)
    {
    }

    // Events of this machine, and of the scale set that it is in, are kept. Before add().
    void follow(const MachineFacts &machine);
    // Takes a page of events, in any order. Fails with Parse, and with TooMuch above 100,000 events of these machines.
    [[nodiscard]] base::Result<void> add(const nlohmann::json &page);
    // The current run of a machine, or the last one of a deallocated machine; std::nullopt: the log does not say, or
    // contradicts the state of the machine. The begin is never before that of the run.
    std::optional<RunTimes> runOf(const MachineFacts &machine, const MachineStatus &status) const;

private:
    enum class Act { Start, Stop, Write, Other };
    struct Event {
        base::UtcTime at{};
        Act act = Act::Other;
        bool hasSucceeded = false;
    };
    using Events = std::vector<Event>; // in the order of time
    struct Followed {
        Events events;
        bool isUnclear = false; // an event of it can't be read
    };

    static Act actOf(const std::string &operation);
    static bool isExplained(const Events &events, base::UtcTime done);
    std::optional<Events> eventsOf(const MachineFacts &machine) const;
    std::optional<base::UtcTime> creationOf(const MachineFacts &machine, const Events &events) const;
    std::optional<base::UtcTime> beginOf(const MachineFacts &machine, const Events &events) const;
    std::optional<RunTimes> endedRun(const MachineFacts &machine, const Events &events) const;
    bool isSetTouched(const MachineFacts &machine, base::UtcTime since) const;

    base::UtcTime m_from;
    std::map<std::string, Followed> m_followed; // by id in lower case
    std::size_t m_events = 0;
};

// What follows the address and the subscription for the events of Microsoft.Compute within a range.
std::string activityQuery(const base::TimeRange &range);

} // namespace gpuledger::azure
