// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savings/proposalacts.h"

#include "app/actions/run/marks.h"
#include "app/base/time/timezone.h"
#include "app/insight/query/measuresums.h"
#include "app/model/fleet/kindname.h"
#include "app/savings/schedule/offhours.h"
#include "app/services/savingsinputs/spot/spotfacts.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace gpuledger::services {

using insight::IdleItem;
using savings::Kind;
using savings::Proposal;

namespace {

// Of an idle item; the last two are empty if nothing controls it.
struct NamedWorkload {
    std::string target, controllerKind, controllerName;
};

NamedWorkload workloadOf(const IdleItem &item)
{
    NamedWorkload out;
    const bool isOwnName =
        item.kind != model::SubjectKind::Pod && item.workload == model::shownName(item.kind, item.name);
    if (const std::size_t slash = item.workload.find('/'); slash != std::string::npos && !isOwnName) {
        out.controllerKind = item.workload.substr(0, slash);
        out.controllerName = item.workload.substr(slash + 1);
    }
    out.target = insight::workloadName(item.nameSpace, out.controllerKind, out.controllerName, item.name, item.kind);
    return out;
}

// The cluster in the id of a proposal about one workload ("schedule:ml-prod/research/Notebook/seven"); std::nullopt: it
// is about something else.
std::optional<std::string> clusterOf(const Proposal &proposal)
{
    const std::string start = std::string(savings::toString(proposal.kind)) + ':';
    const std::string end = '/' + proposal.target;
    const std::string &id = proposal.id;
    if (proposal.kind == Kind::Capacity || proposal.kind == Kind::Commitments || id.size() < start.size() + end.size()
        || !id.starts_with(start) || !id.ends_with(end))
        return std::nullopt;
    return id.substr(start.size(), id.size() - start.size() - end.size());
}

void note(std::vector<std::size_t> &places, std::size_t place)
{
    if (places.empty() || places.back() != place)
        places.push_back(place);
}

// The device of a unit: "GPU-1:3" is a slice of "GPU-1".
std::string deviceOf(const std::string &cluster, const std::string &unit)
{
    return "gpu:" + cluster + '/' + unit.substr(0, unit.find(':'));
}

std::string assumedBy(const Proposal &proposal, std::string_view name)
{
    for (const savings::Assumption &one : proposal.assumptions) {
        if (one.name == name)
            return one.value;
    }
    return {};
}

savings::OffHours offHoursOf(const Proposal &proposal)
{
    const std::string policy = assumedBy(proposal, "policy");
    for (const savings::SchedulePolicy &one : savings::schedulePolicies()) {
        if (one.name == policy)
            return one.off;
    }
    return savings::offHoursFrom(assumedBy(proposal, "off-hours")).value_or(savings::OffHours());
}

} // namespace

std::vector<std::string> holdersIn(const model::ActionRecord &record)
{
    std::vector<std::string> out;
    const std::string_view all = record.intent.holders;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = std::min(all.find('\n', at), all.size());
        if (end > at)
            out.emplace_back(all.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

std::optional<base::Seconds> untilOffHours(const Proposal &proposal, base::UtcTime now)
{
    constexpr std::int64_t kHour = 3600, kMondayBefore1970 = 72; // hours: 1970-01-01 was a Thursday
    const savings::OffHours off = proposal.kind == Kind::Schedule ? offHoursOf(proposal) : savings::OffHours();
    const auto zone = base::TimeZone::find(assumedBy(proposal, "time-zone"));
    if (off.none() || !zone)
        return std::nullopt;
    const std::int64_t first = zone->localSeconds(now + actions::kShortestNotice);
    for (std::int64_t hour = (first + kHour - 1) / kHour; hour * kHour <= first + 8 * 24 * kHour; ++hour) {
        const base::UtcTime at = zone->fromLocalSeconds(hour * kHour);
        if (off[static_cast<std::size_t>((hour + kMondayBefore1970) % savings::kScheduleWeekHours)]
            && at >= now + actions::kShortestNotice)
            return at - now;
    }
    return std::nullopt;
}

ProposalActs::ProposalActs(ActFacts facts)
    : m_facts(std::move(facts))
{
    for (std::size_t i = 0; i < m_facts.idle.items.size(); ++i) {
        const IdleItem &item = m_facts.idle.items[i];
        const NamedWorkload named = workloadOf(item);
        note(m_items[{item.cluster, named.target}], i);
        const std::string_view series = seriesTarget(named.target, named.controllerKind, named.controllerName);
        note(m_items[{item.cluster, std::string(series)}], i);
        for (const std::string &unit : item.devices)
            note(m_onDevice[deviceOf(item.cluster, unit)], i);
    }
    indexStops();
}

// What the data list now although it was stopped then runs again.
bool ProposalActs::isLongAgo(const model::ActionRecord &stop) const
{
    return m_facts.idle.at > stop.changedAt + model::kUntilStopIsSeen;
}

void ProposalActs::indexStops()
{
    for (std::size_t i = 0; i < m_facts.stops.size(); ++i) {
        bool isKnown = false;
        for (const std::string &holder : holdersIn(m_facts.stops[i])) {
            if (!isLongAgo(m_facts.stops[i]))
                m_stopped.insert(holder);
            const auto found = m_facts.holders.find(holder);
            if (found == m_facts.holders.end())
                continue;
            note(m_stops[found->second], i);
            isKnown = true;
        }
        const model::TargetRef &target = m_facts.stops[i].intent.target;
        if (!isKnown) // then the object that was stopped is the nearest name
            note(m_stops[{
                     target.cluster,
                     insight::workloadName(target.nameSpace, target.kind, target.name, {}, model::SubjectKind::Pod)}],
                 i);
    }
}

ProposalActs::Places ProposalActs::itemsOf(const Proposal &proposal) const
{
    if (proposal.kind != Kind::Capacity) {
        const auto found = m_items.find({clusterOf(proposal).value_or(""), proposal.target});
        return found == m_items.end() ? Places() : found->second;
    }
    std::set<std::size_t> places;
    for (const std::string &resource : proposal.resources) {
        const auto name = m_facts.devices.find(resource);
        const auto found = name == m_facts.devices.end() ? m_onDevice.end() : m_onDevice.find(name->second);
        if (found != m_onDevice.end())
            places.insert(found->second.begin(), found->second.end());
    }
    return {places.begin(), places.end()};
}

ProposalAct ProposalActs::of(const Proposal &proposal) const
{
    ProposalAct out;
    const auto cluster = clusterOf(proposal);
    if (proposal.kind != Kind::Capacity && !cluster) {
        out.whyNot = NoAct::NoWorkload;
        return out;
    }
    if (m_facts.isReport || !m_facts.canStop) {
        out.whyNot = m_facts.isReport ? NoAct::Report : NoAct::NoPlatform;
        return out;
    }
    if (cluster) {
        if (const auto found = m_stops.find({*cluster, proposal.target}); found != m_stops.end()) {
            for (const std::size_t place : found->second)
                out.done.push_back(m_facts.stops[place]);
        }
    }
    if (m_facts.idle.reach.stale) {
        out.whyNot = NoAct::Stale;
        return out;
    }
    NoAct reason = NoAct::NotIdle;
    bool isRunning = false;
    for (const std::size_t place : itemsOf(proposal)) {
        const IdleItem &item = m_facts.idle.items[place];
        const bool isStopped = m_stopped.contains(item.id);
        isRunning = isRunning || !isStopped;
        if (isStopped)
            reason = NoAct::Stopped;
        else if (!item.protection.empty())
            reason = NoAct::Protected;
        else
            out.items.push_back(item);
    }
    if (isRunning) // an undo would not find it stopped
        std::erase_if(out.done, [&](const model::ActionRecord &one) { return isLongAgo(one); });
    out.canMark = m_facts.canMark && !out.items.empty();
    if (out.canMark)
        out.markAfter = untilOffHours(proposal, m_facts.now);
    out.whyNot = out.items.empty() ? reason : NoAct::None;
    return out;
}

} // namespace gpuledger::services
