// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/actions/actionservice.h"

#include "app/actions/environment/actionlock.h"
#include "app/actions/run/lastround.h"
#include "app/actions/run/markround.h"
#include "app/actions/run/settle.h"
#include "app/actions/run/undo.h"
#include "app/base/remedy.h"
#include "app/services/actions/liveenvironment.h"

#include <algorithm>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using Records = ActionService::Records;

ActionService::ActionService(FleetQuestions &fleet, std::unique_ptr<LiveEnvironment> environment,
                             store::ActionStore store, std::filesystem::path dataFolder)
    : m_fleet(fleet)
    , m_environment(std::move(environment))
    , m_store(store)
    , m_dataFolder(std::move(dataFolder))
{
}
ActionService::~ActionService() = default;

actions::ActionContext ActionService::engine()
{
    return {*m_environment, m_store, m_clock, {}};
}

ActionService::Reach ActionService::reach() const
{
    Reach reach;
    bool real = false;
    for (const model::SourceSettings &source : m_fleet.settings().sources) {
        const ports::SourceKind *kind = m_environment->kindOf(source);
        if (!kind || !kind->stops() || !source.mayStop)
            continue;
        reach.canStop = true;
        real = real || !kind->has(ports::Capability::Simulated);
    }
    reach.onlySimulated = reach.canStop && !real;
    return reach;
}

Result<actions::Plan> ActionService::plan(const actions::PlanQuestion &question, std::stop_token stop,
                                          const actions::PlanProgress &progress)
{
    return actions::makePlan(question, *m_environment, m_store, m_clock, std::move(stop), progress);
}

Result<Records> ActionService::stop(const actions::Plan &plan, const actions::Confirmation &confirmation,
                                    std::stop_token stop, const actions::RunProgress &progress)
{
    const auto lock = actions::ActionLock::take(m_dataFolder);
    GPULEDGER_TRY(lock);
    actions::ActionContext parts = engine();
    return actions::runPlan(plan, confirmation, parts, std::move(stop), progress);
}

Result<Records> ActionService::undo(const std::vector<std::int64_t> &ids, const std::string &reason,
                                    const std::stop_token &stop, const actions::RunProgress &progress)
{
    const auto lock = actions::ActionLock::take(m_dataFolder);
    GPULEDGER_TRY(lock);
    actions::ActionContext parts = engine();
    return actions::runUndo(ids, reason, parts, stop, progress);
}

Result<actions::Marked> ActionService::mark(const actions::MarkQuestion &question, std::stop_token stop)
{
    actions::ActionContext parts = engine();
    return actions::makeMarks(question, parts, std::move(stop));
}

Result<void> ActionService::stopMarked(const std::vector<actions::MarkingRule> &rules, std::stop_token stop,
                                       const actions::MarkProgress &tell, const actions::RunProgress &progress)
{
    if (!m_fleet.settings().actions.stopsMarked)
        return {};
    const auto lock = actions::ActionLock::take(m_dataFolder);
    GPULEDGER_TRY(lock);
    actions::ActionContext parts = engine();
    GPULEDGER_TRY(actions::runMarks({watchedAt(), actions::announcedIn(m_dataFolder), rules}, parts, std::move(stop),
                                    tell, progress));
    return actions::setLastRound(m_dataFolder, m_fleet.clock().now());
}

Result<void> ActionService::markForRules(const std::vector<actions::MarkingRule> &rules, std::stop_token stop,
                                         const actions::RuleMarkProgress &tell)
{
    if (!m_fleet.settings().actions.stopsMarked)
        return {};
    const auto lock = actions::ActionLock::take(m_dataFolder);
    GPULEDGER_TRY(lock);
    actions::ActionContext parts = engine();
    return actions::markForRules(rules, parts, m_dataFolder, m_ruleMarks, std::move(stop), tell);
}

std::optional<base::UtcTime> ActionService::watchedAt() const
{
    return actions::lastRound(m_dataFolder);
}

Result<Records> ActionService::settle(const std::stop_token &stop)
{
    const auto open = m_store.unsettled();
    GPULEDGER_TRY(open);
    if (open->empty())
        return Records();
    const auto lock = actions::ActionLock::take(m_dataFolder);
    if (!lock)
        return Records(); // the process that holds the lock continues them
    actions::ActionContext parts = engine();
    return actions::settleActions(parts, stop);
}

Result<Records> ActionService::log()
{
    return m_store.all();
}

Result<actions::Standing> ActionService::standing(const model::TargetRef &target, const std::stop_token &stop)
{
    const auto records = log();
    GPULEDGER_TRY(records);
    return actions::standingOf(target, *records, *m_environment, stop);
}

Result<std::vector<model::Lease>> ActionService::leases()
{
    return m_store.leases(m_fleet.clock().now());
}

Result<model::Lease> ActionService::grant(model::Lease::Kind kind, const std::string &holder,
                                          std::optional<base::UtcTime> until, const std::string &reason)
{
    const base::UtcTime now = m_fleet.clock().now();
    const bool needsEnd = kind != model::Lease::Kind::Protect;
    if (needsEnd && !until)
        return base::fail(ErrorCode::InvalidArgument, "an end time is required");
    if (until && *until <= now)
        return base::fail(ErrorCode::InvalidArgument, "the end time is in the past");
    const auto covered = m_fleet.coveredRange();
    GPULEDGER_TRY(covered);
    const auto idle =
        m_fleet.idle(covered->empty() ? now : std::min(now, covered->end), {}, model::CostView::Effective);
    GPULEDGER_TRY(idle);
    const auto has = [&](const auto &items) {
        return std::any_of(items.begin(), items.end(), [&](const auto &item) { return item.id == holder; });
    };
    if (!has(idle->items) && !has(idle->unknown))
        return base::fail(ErrorCode::NotFound, "this workload is not in the idle list", base::Remedy::SeeIdleIds);
    model::Lease lease;
    lease.kind = kind;
    lease.holder = holder;
    lease.until = until;
    lease.actor = m_environment->actor();
    lease.reason = reason;
    lease.at = now;
    auto given = m_store.grant(lease);
    GPULEDGER_TRY(given);
    if (kind == model::Lease::Kind::KeepUntil || kind == model::Lease::Kind::Protect)
        GPULEDGER_TRY(endMarksOf(*given));
    return given;
}

Result<void> ActionService::endMarksOf(const model::Lease &wish)
{
    const auto all = m_store.leases(wish.at);
    GPULEDGER_TRY(all);
    actions::MarkEvent event;
    event.kind = actions::MarkEvent::Kind::Over;
    event.end = actions::MarkEnd::Objected;
    event.check =
        actions::Check{actions::CheckName::NotProtected, actions::Outcome::Failed, actions::Why::Lease, wish.actor};
    for (const model::Lease &lease : *all) {
        if (lease.kind != model::Lease::Kind::StopAfter || lease.holder != wish.holder)
            continue;
        auto done = m_store.end(lease.id, wish.at, wish.actor, actions::dataOf(event));
        if (!done && done.error().code != ErrorCode::NotFound) // someone else ended it
            return done;
    }
    return {};
}

Result<void> ActionService::endLease(std::int64_t lease)
{
    return m_store.end(lease, m_fleet.clock().now(), m_environment->actor());
}

QueueService &ActionService::waiting()
{
    return m_environment->waiting();
}

} // namespace gpuledger::services
