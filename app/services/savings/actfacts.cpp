// SPDX-License-Identifier: GPL-3.0-or-later
// What decides which actions do something about a proposal: what is idle now, and what was stopped.
#include "app/insight/query/measuresums.h"
#include "app/services/actions/actionservice.h"
#include "app/services/engine/engine.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/savings/proposalacts.h"
#include "app/services/savings/savingschoices.h"
#include "app/services/savings/savingsservice.h"

#include <algorithm>

namespace gpuledger::services {

using base::Result;

namespace {

// Their holders were seen shortly before; one that is not found goes by the name of the stopped object.
constexpr base::Seconds kSeenBeforeStop = base::kDay;

Result<void> nameHolders(store::FactReader &facts, ActFacts &out)
{
    if (out.stops.empty())
        return {};
    base::UtcTime first = out.stops.front().intent.at, last = first;
    for (const model::ActionRecord &stop : out.stops) {
        first = std::min(first, stop.intent.at);
        last = std::max(last, stop.intent.at);
    }
    const auto holders = facts.holders({first - kSeenBeforeStop, last + base::Seconds{1}});
    GPULEDGER_TRY(holders);
    for (const model::Holder &one : *holders) {
        model::AttributedHolder who;
        who.cluster = one.cluster;
        who.nameSpace = one.nameSpace;
        who.name = one.name;
        who.uid = one.uid;
        out.holders.emplace(
            insight::idleIdOf(who),
            WorkloadOfCluster(one.cluster,
                              insight::workloadName(one.nameSpace, one.ownerKind, one.ownerName, one.name, one.kind)));
    }
    return {};
}

} // namespace

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
    std::erase_if(*log, [](const model::ActionRecord &one) {
        return one.intent.kind != model::ActionKind::Stop || one.state != model::ActionState::Verified;
    });
    out.stops = std::move(*log);
    const auto facts = m_engine.cache().facts();
    GPULEDGER_TRY(facts);
    const auto devices = (*facts)->devices();
    GPULEDGER_TRY(devices);
    for (const model::Device &one : *devices)
        out.devices.emplace(std::to_string(one.id.value), deviceResource(one));
    GPULEDGER_TRY(nameHolders(**facts, out));
    return out;
}

} // namespace gpuledger::services
