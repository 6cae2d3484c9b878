// SPDX-License-Identifier: GPL-3.0-or-later
// What decides which actions do something about a proposal: what is idle now, and what was stopped.
#include "app/actions/run/undo.h"
#include "app/insight/query/measuresums.h"
#include "app/services/actions/actionservice.h"
#include "app/services/engine/engine.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/savings/proposalacts.h"
#include "app/services/savings/savingschoices.h"
#include "app/services/savings/savingsservice.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::services {

using base::Result;

namespace {

// Their holders were seen shortly before; one that is not found goes by the name of the stopped object.
constexpr base::Seconds kSeenBeforeStop = base::kDay;

// Whether another object, stopped later, has the name of this one: then this one is gone.
bool isReplaced(const model::ActionRecord &stop, const std::vector<model::ActionRecord> &all)
{
    const model::TargetRef &ours = stop.intent.target;
    return std::any_of(all.begin(), all.end(), [&](const model::ActionRecord &other) {
        const model::TargetRef &target = other.intent.target;
        return other.id > stop.id && other.intent.kind == model::ActionKind::Stop
            && other.state == model::ActionState::Verified && target.source == ours.source && target.kind == ours.kind
            && target.nameSpace == ours.nameSpace && target.name == ours.name && target.uid != ours.uid;
    });
}

// When the holders of these stops were seen, ascending; not all the time between stops that are months apart.
std::vector<base::TimeRange> seenBefore(const std::vector<model::ActionRecord> &stops)
{
    std::vector<base::UtcTime> times;
    for (const model::ActionRecord &stop : stops)
        times.push_back(stop.intent.at);
    std::sort(times.begin(), times.end());
    std::vector<base::TimeRange> out;
    for (const base::UtcTime at : times) {
        const base::TimeRange one{at - kSeenBeforeStop, at + base::Seconds{1}};
        if (!out.empty() && one.start <= out.back().end)
            out.back().end = one.end;
        else
            out.push_back(one);
    }
    return out;
}

} // namespace

Result<std::map<std::string, WorkloadOfCluster>> holdersOfStops(store::FactReader &facts,
                                                                const std::vector<model::ActionRecord> &stops)
{
    std::map<std::string, WorkloadOfCluster> out;
    std::set<std::string> several; // without a uid, workloads that follow each other may have one id
    for (const base::TimeRange range : seenBefore(stops)) {
        const auto holders = facts.holders(range);
        GPULEDGER_TRY(holders);
        for (const model::Holder &one : *holders) {
            model::AttributedHolder who;
            who.cluster = one.cluster;
            who.nameSpace = one.nameSpace;
            who.name = one.name;
            who.uid = one.uid;
            const WorkloadOfCluster work(
                one.cluster, insight::workloadName(one.nameSpace, one.ownerKind, one.ownerName, one.name, one.kind));
            const std::string id = insight::idleIdOf(who);
            if (const auto [known, isNew] = out.emplace(id, work); !isNew && known->second != work)
                several.insert(id);
        }
    }
    for (const std::string &id : several)
        out.erase(id);
    return out;
}

Result<ActFacts> SavingsService::actFacts(ActionService &actions)
{
    ActFacts out;
    out.isReport = m_engine.reportMonth().has_value();
    out.canStop = !out.isReport && actions.reach().canStop;
    if (!out.canStop)
        return out;
    out.canMark = actions.canMark();
    FleetService fleet(m_engine);
    const base::UtcTime now = m_engine.clock().now();
    out.now = now;
    auto reach = fleet.reach({now, now});
    GPULEDGER_TRY(reach);
    auto idle = fleet.idle(now, {});
    GPULEDGER_TRY(idle);
    out.idle = std::move(*idle);
    out.idle.reach = std::move(*reach);
    auto log = actions.log();
    if (!log && log.error().code == base::ErrorCode::StorageCorrupt)
        log = ActionService::Records(); // whoever asks for the log is told; what is idle is known nevertheless
    GPULEDGER_TRY(log);
    for (const model::ActionRecord &one : *log) {
        if (one.intent.kind == model::ActionKind::Stop && one.state == model::ActionState::Verified
            && !actions::stoppedAgain(one, *log) && !isReplaced(one, *log))
            out.stops.push_back(one);
    }
    const auto facts = m_engine.cache().facts();
    GPULEDGER_TRY(facts);
    const auto devices = (*facts)->devices();
    GPULEDGER_TRY(devices);
    for (const model::Device &one : *devices)
        out.devices.emplace(std::to_string(one.id.value), deviceResource(one));
    auto holders = holdersOfStops(**facts, out.stops);
    GPULEDGER_TRY(holders);
    out.holders = std::move(*holders);
    return out;
}

} // namespace gpuledger::services
