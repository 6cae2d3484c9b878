// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/workspace/demopast.h"

#include "app/ports/sourcecatalog.h"
#include "app/reports/statement/monthstatus.h"
#include "app/services/actions/actionservice.h"
#include "app/services/billing/billingservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/workspace.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace gpuledger::services {

using base::Result;
using model::WorkloadKind;

namespace {

constexpr const char *kFleet = "demo"; // name and kind of the source
constexpr const char *kAccount = "demo-cloud"; // kind of sources that tell a bill and list machines
constexpr const char *kEngineer = "gpu-platform", *kAccountant = "finops"; // who acted: teams, not people
constexpr base::Seconds kClosesAt{10 * 3600}; // UTC, at which a month is closed
// UTC, at which is stopped and undone. At midnight the days before are observed whole, as they are billed: hours of a
// day that is billed whole and observed in part would be too expensive.
constexpr base::Seconds kStopsAt{0};
constexpr base::Seconds kClosedAfter = 6 * base::kDay; // after the end of the month: bills are final by then
// The autoscaler of an endpoint with hardly a request (connectors/demo): it is stopped in vain, because that scales it
// up again.
constexpr const char *kScaler = "keda:perception-old";
// The option of the fleet that says when a pool of machines (connectors/demo) was given back, and that pool.
constexpr const char *kGivenBack = "burst-until", *kGivenBackPool = "/batch-burst/";
constexpr const char *kReason = "the sweeps run in the large pools now";
constexpr std::size_t kMostChosen = 12; // of the idle list, most expensive first

// Days before today, and what happens then.
constexpr int kFirstStops = 23, kUndo = 22, kLastStop = 9;

// std::nullopt: all of them.
Result<void> syncSource(Workspace &workspace, const std::optional<std::string> &source, const std::stop_token &stop,
                        const DemoPast::ProgressFn &progress)
{
    const auto reports = workspace.sources().sync(source, stop, progress);
    GPULEDGER_TRY(reports);
    for (const SyncReport &report : *reports) {
        if (report.error)
            return tl::unexpected(*report.error);
    }
    return {};
}

Result<void> stopSome(ActionService &actions, const actions::Plan &plan, const std::vector<std::string> &uids,
                      const std::string &reason, const std::stop_token &stop)
{
    if (uids.empty())
        return {};
    const actions::Plan chosen = actions::withOnly(plan, uids);
    actions::Confirmation confirmation{actions::hashOf(chosen.stops), reason, chosen.blast.objects};
    GPULEDGER_TRY(actions.stop(chosen, confirmation, stop));
    return {};
}

bool isManaged(const actions::PlannedStop &planned)
{
    const auto &managers = planned.target.managers;
    return std::find(managers.begin(), managers.end(), kScaler) != managers.end();
}

// Of each kind the most expensive workload that can be brought back, at most `most`; endpoints are left alone.
std::vector<std::string> worthStopping(const actions::Plan &plan, std::size_t most)
{
    std::vector<std::string> uids;
    std::set<WorkloadKind> kinds{WorkloadKind::Inference};
    for (const actions::PlannedStop &planned : plan.stops) {
        if (uids.size() < most && planned.isStoppable() && planned.target.isReversible && planned.perMonth
            && kinds.insert(planned.items.front().workloadKind).second)
            uids.push_back(planned.target.ref.uid);
    }
    return uids;
}

Result<void> stopIdle(Workspace &workspace, base::UtcTime at, std::size_t most, bool andManaged,
                      const std::stop_token &stop)
{
    const auto idle = workspace.fleet().idle(at, {});
    GPULEDGER_TRY(idle);
    actions::PlanQuestion question;
    question.rehearse = false;
    question.despite = {kScaler};
    for (const insight::IdleItem &item : idle->items) {
        const bool isScaled = item.name.starts_with(std::string(kScaler).substr(5));
        if (item.protection.empty() && (question.holders.size() < kMostChosen || isScaled))
            question.holders.push_back(item.id);
    }
    if (question.holders.empty())
        return {};
    const auto plan = workspace.actions().plan(question, stop);
    GPULEDGER_TRY(plan);
    GPULEDGER_TRY(
        stopSome(workspace.actions(), *plan, worthStopping(*plan, most), "no work for days, owner agrees", stop));
    std::vector<std::string> managed;
    for (const actions::PlannedStop &planned : plan->stops) {
        if (andManaged && planned.isStoppable() && isManaged(planned))
            managed.push_back(planned.target.ref.uid);
    }
    return stopSome(workspace.actions(), *plan, managed, "hardly a request for weeks", stop);
}

// What people use by hand is what they miss first.
Result<void> bringBack(Workspace &workspace, const std::stop_token &stop)
{
    const auto log = workspace.actions().log();
    GPULEDGER_TRY(log);
    const auto missed = std::find_if(log->begin(), log->end(), [](const model::ActionRecord &record) {
        return record.state == model::ActionState::Verified && record.intent.verb != model::StopVerb::Suspend;
    });
    if (missed == log->end())
        return {};
    GPULEDGER_TRY(workspace.actions().undo({missed->id}, "needed again", stop));
    return {};
}

// Midnight, in the settings of the fleet.
std::optional<base::UtcTime> givenBackAt(const model::Settings &settings)
{
    for (const model::SourceSettings &source : settings.sources) {
        const auto option = source.options.find(kGivenBack);
        if (source.kind != kFleet || option == source.options.end())
            continue;
        const auto at = base::parseTime(option->second);
        return at ? std::optional(*at) : std::nullopt;
    }
    return std::nullopt;
}

// Nothing in a fleet that is too small for such a pool.
Result<void> acceptGivingBack(Workspace &workspace, base::UtcTime at, const std::stop_token &stop)
{
    SavingsQuery query;
    query.kind = savings::Kind::Capacity;
    const auto list = workspace.savings().savings(query, stop);
    GPULEDGER_TRY(list);
    const auto found = std::find_if(list->items.begin(), list->items.end(), [](const savings::Proposal &one) {
        return one.id.find(kGivenBackPool) != std::string::npos && !one.id.ends_with("/packed") && !one.excludedBy;
    });
    if (found == list->items.end())
        return {};
    savings::ChoiceDraft draft;
    draft.proposal = found->id;
    draft.state = savings::ChoiceState::Accepted;
    draft.owner = kEngineer;
    draft.day = base::dayOf(at);
    draft.reason = kReason;
    GPULEDGER_TRY(workspace.savings().choose(draft, *list));
    return {};
}

// Only the sources of bills, without the machines that some of them list.
model::Settings billsOnly(model::Settings settings, const ports::SourceKinds &kinds)
{
    std::erase_if(settings.sources, [&](const model::SourceSettings &source) {
        const ports::SourceKind *const kind = ports::findKind(kinds, source.kind);
        return !kind || !kind->tellsBills();
    });
    for (model::SourceSettings &source : settings.sources) {
        if (source.kind == kAccount)
            source.options["machines"] = "none";
    }
    return settings;
}

base::UtcTime daysBefore(base::UtcTime now, int days)
{
    return base::floorTo(now, base::kDay) - days * base::kDay + kStopsAt;
}

} // namespace

DemoPast::DemoPast(model::Settings settings, WorkspaceOptions options, const ports::SourceCatalog &catalog,
                   ports::SecretStore &secrets, const base::Clock &clock)
    : m_settings(std::move(settings))
    , m_options(std::move(options))
    , m_catalog(catalog)
    , m_secrets(secrets)
    , m_clock(clock)
{
}

Result<void> DemoPast::doAt(base::UtcTime at, const char *actor, const Deed &deed) const
{
    const base::FrozenClock then(at);
    model::Settings settings = m_settings;
    for (model::SourceSettings &source : settings.sources) {
        if (source.kind != kFleet)
            continue;
        source.firstSync -= std::min<base::Seconds>(source.firstSync, m_clock.now() - at); // from the same day on
        source.options["ending"] = "0"; // nobody waits for what is past
    }
    WorkspaceOptions options = m_options;
    options.actor = actor;
    const auto workspace = Workspace::open(std::move(settings), options, m_catalog, m_secrets, then);
    GPULEDGER_TRY(workspace);
    return deed(**workspace, at);
}

// With the bills first, each day of the fleet is rolled up once; bills that come later roll up all their days again.
// False, and nothing is done, if the fleet has facts already.
Result<bool> DemoPast::beginWithBills(const std::stop_token &stop, const ProgressFn &progress) const
{
    const auto workspace =
        Workspace::open(billsOnly(m_settings, m_catalog.kinds()), m_options, m_catalog, m_secrets, m_clock);
    GPULEDGER_TRY(workspace);
    const auto covered = (*workspace)->fleet().coveredRange();
    GPULEDGER_TRY(covered);
    if (!covered->empty())
        return false;
    GPULEDGER_TRY(syncSource(**workspace, std::nullopt, stop, progress));
    return true;
}

Result<void> DemoPast::stopWorkloads(const std::stop_token &stop, const ProgressFn &progress)
{
    const auto fresh = beginWithBills(stop, progress);
    GPULEDGER_TRY(fresh);
    if (!*fresh)
        return {};
    const base::UtcTime now = m_clock.now();
    if (const auto givenBack = givenBackAt(m_settings); givenBack && *givenBack < daysBefore(now, kFirstStops)) {
        GPULEDGER_TRY(doAt(*givenBack, kEngineer, [&](Workspace &then, base::UtcTime at) -> Result<void> {
            GPULEDGER_TRY(syncSource(then, kFleet, stop, progress));
            return acceptGivingBack(then, at, stop);
        }));
    }
    GPULEDGER_TRY(doAt(daysBefore(now, kFirstStops), kEngineer, [&](Workspace &then, base::UtcTime at) -> Result<void> {
        GPULEDGER_TRY(syncSource(then, kFleet, stop, progress));
        return stopIdle(then, at, 2, true, stop);
    }));
    GPULEDGER_TRY(
        doAt(daysBefore(now, kUndo), kEngineer, [&](Workspace &then, base::UtcTime) { return bringBack(then, stop); }));
    return doAt(daysBefore(now, kLastStop), kEngineer, [&](Workspace &then, base::UtcTime at) -> Result<void> {
        GPULEDGER_TRY(syncSource(then, kFleet, stop, progress));
        return stopIdle(then, at, 1, false, stop);
    });
}

Result<void> DemoPast::closeMonths(const std::stop_token &stop)
{
    std::vector<insight::Month> whole;
    const auto workspace = Workspace::open(m_settings, m_options, m_catalog, m_secrets, m_clock);
    GPULEDGER_TRY(workspace);
    const auto months = (*workspace)->billing().months();
    GPULEDGER_TRY(months);
    for (const reports::MonthStatus &month : *months) {
        if (month.state == reports::MonthState::Reviewed || month.outdated)
            return {};
        if (month.state == reports::MonthState::Draft && month.isOver
            && month.month.range().end + kClosedAfter <= m_clock.now())
            whole.push_back(month.month);
    }
    for (const insight::Month &month : whole) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        const base::UtcTime at = month.range().end + kClosedAfter - base::kDay + kClosesAt;
        GPULEDGER_TRY(doAt(at, kAccountant, [&](Workspace &then, base::UtcTime) -> Result<void> {
            if (month == whole.back()) {
                GPULEDGER_TRY(then.billing().reviewMonth(month));
                return {};
            }
            GPULEDGER_TRY(then.billing().closeMonth(month, "checked against the bills of both clouds"));
            return {};
        }));
    }
    return {};
}

} // namespace gpuledger::services
