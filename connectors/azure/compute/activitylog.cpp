// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/compute/activitylog.h"

#include "app/base/remedy.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/format/json.h"
#include "connectors/http/url.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using base::UtcTime;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kMostEvents = 100'000;
// Between the end of an operation as the machine has it, and the event of it in the log.
constexpr base::Seconds kEventDelay{600};
constexpr std::string_view kMachineType = "/virtualmachines/", kSetType = "/virtualmachinescalesets/";

// The operations end with these, in lower case.
constexpr std::string_view kStartAction = "/start/action", kWriteAction = "/write";
constexpr std::array<std::string_view, 4> kStopActions{"/deallocate/action", "/delete", "/delete/action",
                                                       "/evictspotvm/action"};

// The part of an id up to the name behind `type`; empty: there is no such part.
std::string resourceUpTo(const std::string &id, std::string_view type)
{
    const std::size_t at = id.find(type);
    return at == std::string::npos ? std::string() : id.substr(0, id.find('/', at + type.size()));
}

// Of an event about a machine or something that belongs to it, such as an extension: the machine. Else the scale set.
std::string followedId(const std::string &resource)
{
    const std::string id = lowerCase(resource), machine = resourceUpTo(id, kMachineType);
    return machine.empty() ? resourceUpTo(id, kSetType) : machine;
}

std::string valueAt(const Json &event, const char *key)
{
    return lowerCase(format::textOf(format::memberOf(event, key), "value"));
}

} // namespace

std::string activityQuery(const base::TimeRange &range)
{
    return "/providers/Microsoft.Insights/eventtypes/management/values?api-version=2015-04-01&"
        + http::formEncode({{"$filter",
                             "eventTimestamp ge '" + base::toRfc3339(range.start) + "' and eventTimestamp le '"
                                 + base::toRfc3339(range.end) + "' and resourceProvider eq 'Microsoft.Compute'"},
                            {"$select", "eventTimestamp,operationName,resourceId,status"}});
}

void ActivityLog::follow(const MachineFacts &machine)
{
    m_followed[lowerCase(machine.id)];
    if (!machine.scaleSet.empty())
        m_followed[machine.scaleSet];
}

// Only what belongs to the machine itself: an extension is written, too.
ActivityLog::Act ActivityLog::actOf(const std::string &operation)
{
    const std::string_view all = operation;
    const bool isOfMachine = all.starts_with("microsoft.compute/virtualmachine") && all.find("/extensions/") == all.npos
        && all.find("/runcommands/") == all.npos;
    if (!isOfMachine)
        return Act::Other;
    if (all.ends_with(kStartAction))
        return Act::Start;
    if (std::any_of(kStopActions.begin(), kStopActions.end(), [&](std::string_view one) { return all.ends_with(one); }))
        return Act::Stop;
    return all.ends_with(kWriteAction) ? Act::Write : Act::Other;
}

Result<void> ActivityLog::add(const Json &page)
{
    const Json &values = format::memberOf(page, "value");
    if (!values.is_array())
        return base::fail(ErrorCode::Parse, "the activity log can't be read: it has no values",
                          base::Remedy::NextSyncTriesAgain);
    for (const Json &event : values) {
        const auto at = m_followed.find(followedId(format::textOf(event, "resourceId")));
        if (at == m_followed.end())
            continue;
        const auto time = base::parseTime(format::textOf(event, "eventTimestamp"));
        const std::string operation = valueAt(event, "operationName"), status = valueAt(event, "status");
        if (!time || operation.empty() || status.empty()) {
            at->second.isUnclear = true;
            continue;
        }
        at->second.events.push_back({*time, actOf(operation), status == "succeeded"});
        if (++m_events > kMostEvents)
            return base::fail(ErrorCode::TooMuch,
                              "the activity log has more than " + std::to_string(kMostEvents)
                                  + " events of machines with GPUs");
    }
    return {};
}

// Those before its creation are of another machine of the same name.
std::optional<ActivityLog::Events> ActivityLog::eventsOf(const MachineFacts &machine) const
{
    const auto at = m_followed.find(lowerCase(machine.id));
    if (at == m_followed.end() || at->second.isUnclear)
        return std::nullopt;
    Events events;
    std::copy_if(at->second.events.begin(), at->second.events.end(), std::back_inserter(events),
                 [&](const Event &one) { return !machine.created || one.at >= *machine.created; });
    std::stable_sort(events.begin(), events.end(), [](const Event &a, const Event &b) { return a.at < b.at; });
    return events;
}

// The log has the last operation on the machine: it is neither late nor silent about it.
bool ActivityLog::isExplained(const Events &events, UtcTime done)
{
    return std::any_of(events.begin(), events.end(),
                       [&](const Event &one) { return one.at >= done - kEventDelay && one.at <= done + kEventDelay; });
}

// The end of the operation that created it, from which on it ran; else the begin of that.
std::optional<UtcTime> ActivityLog::creationOf(const MachineFacts &machine, const Events &events) const
{
    if (!machine.scaleSet.empty() || !machine.created || *machine.created < m_from)
        return std::nullopt;
    const auto written = std::find_if(events.begin(), events.end(),
                                      [](const Event &one) { return one.act == Act::Write && one.hasSucceeded; });
    return written == events.end() ? *machine.created : written->at;
}

// The first start after the last stop; without a stop, the creation. Everything that happened is in `events`.
std::optional<UtcTime> ActivityLog::beginOf(const MachineFacts &machine, const Events &events) const
{
    std::optional<UtcTime> stopped, started;
    for (const Event &one : events) {
        if (one.act == Act::Stop) {
            stopped = one.at;
            started.reset();
        } else if (one.act == Act::Start && one.hasSucceeded && !started && (!stopped || one.at > *stopped)) {
            started = one.at;
        }
    }
    const auto created = stopped ? std::nullopt : creationOf(machine, events);
    return created ? created : started;
}

// From the last start to the first stop after it: deallocating what is deallocated leaves events, too.
std::optional<RunTimes> ActivityLog::endedRun(const MachineFacts &machine, const Events &events) const
{
    const auto lastStart = std::find_if(events.rbegin(), events.rend(),
                                        [](const Event &one) { return one.act == Act::Start && one.hasSucceeded; });
    const auto stop =
        std::find_if(lastStart.base(), events.end(), [](const Event &one) { return one.act == Act::Stop; });
    const bool hasStopped =
        std::any_of(stop, events.end(), [](const Event &one) { return one.act == Act::Stop && one.hasSucceeded; });
    const auto since = hasStopped ? beginOf(machine, Events(events.begin(), stop)) : std::nullopt;
    if (!since || *since >= stop->at)
        return std::nullopt;
    return RunTimes{*since, stop->at};
}

bool ActivityLog::isSetTouched(const MachineFacts &machine, UtcTime since) const
{
    const auto set = m_followed.find(machine.scaleSet);
    if (set == m_followed.end())
        return false;
    return set->second.isUnclear
        || std::any_of(set->second.events.begin(), set->second.events.end(), [&](const Event &one) {
               return one.at >= since && (one.act == Act::Start || one.act == Act::Stop);
           });
}

std::optional<RunTimes> ActivityLog::runOf(const MachineFacts &machine, const MachineStatus &status) const
{
    const auto events = eventsOf(machine);
    if (machine.isSpot || !status.done || !events || (*status.done >= m_from && !isExplained(*events, *status.done)))
        return std::nullopt;
    if (status.power == "deallocated")
        return machine.scaleSet.empty() ? endedRun(machine, *events) : std::nullopt;
    const bool isSteady = std::none_of(events->begin(), events->end(),
                                       [](const Event &one) { return one.act == Act::Start || one.act == Act::Stop; });
    // A machine that runs and was neither started nor stopped as long as the log goes back, ran then.
    const bool isOld = machine.scaleSet.empty() && machine.created && *machine.created < m_from;
    const auto since = isSteady && isOld ? std::optional(m_from) : beginOf(machine, *events);
    if (!since || isSetTouched(machine, *since))
        return std::nullopt;
    return RunTimes{*since, {}};
}

} // namespace gpuledger::azure
