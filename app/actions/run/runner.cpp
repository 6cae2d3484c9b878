// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/runner.h"

#include "app/actions/environment/sidebyside.h"
#include "app/actions/plan/evidence.h"
#include "app/actions/plan/preflight.h"
#include "app/actions/run/execution.h"
#include "app/actions/run/stopnotes.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/model/fleet/kindname.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace gpuledger::actions {

using base::ErrorCode;
using base::Result;
using model::ActionIntent;
using model::ActionRecord;
using model::ActionState;

namespace {

using Records = std::vector<ActionRecord>;
constexpr base::Seconds kOldestPlan = 2 * base::kBucket; // = two scrape intervals
constexpr int kMostRefusals = 2; // by the platform, although the program's own checks had passed

ActionIntent stopIntent(const PlannedStop &stop, const Confirmation &confirmation, const ActionEnvironment &environment)
{
    ActionIntent intent;
    intent.key = newKey();
    intent.plan = confirmation.plan;
    intent.target = stop.target.ref;
    intent.isSimulated = stop.isSimulated;
    intent.verb = stop.target.verb;
    intent.version = stop.target.version;
    intent.field = stop.target.field;
    intent.oldValue = stop.target.value;
    intent.newValue = stop.target.stoppedValue;
    intent.manifest = stop.target.manifest;
    for (const insight::IdleItem &item : stop.items)
        intent.holders += item.id + '\n';
    intent.owner = stop.owner;
    intent.gpus = stop.gpus;
    intent.perMonth = stop.perMonth;
    intent.actor = confirmation.actor.empty() ? environment.actor() : confirmation.actor;
    intent.reason = confirmation.reason;
    intent.at = environment.clock().now();
    intent.evidence = evidenceOf(stop);
    return intent;
}

Result<void> agreed(const Plan &plan, const Confirmation &confirmation, base::UtcTime now)
{
    if (now - plan.at > kOldestPlan || plan.at - now > ClockWatch::kJump)
        return base::fail(ErrorCode::Refused, "the checks of this plan are out of date", base::Remedy::ReviewPlan);
    if (plan.blast.objects == 0)
        return base::fail(ErrorCode::Refused, "none of these workloads can be stopped", base::Remedy::SeeChecks);
    if (confirmation.plan != hashOf(plan.stops))
        return base::fail(ErrorCode::Refused, "the plan is not the one that was shown", base::Remedy::ReviewPlan);
    if (confirmation.reason.size() > Confirmation::kLongestReason)
        return base::fail(ErrorCode::InvalidArgument, "the reason is longer than 2000 bytes");
    if (plan.blast.needsTypedCount() && confirmation.typedCount != plan.blast.objects)
        return base::fail(ErrorCode::Refused, "stopping this many workloads requires typing their number",
                          "type " + std::to_string(plan.blast.objects));
    if (const auto missing = plan.blast.untyped(confirmation.typedNames); !missing.empty())
        return base::fail(ErrorCode::Refused,
                          "stopping something that can't be brought back requires typing its full name",
                          "type " + base::printable(missing.front(), 600));
    return {};
}

// The check that fails if a holder's mark is gone or not due; std::nullopt if all are marked and due.
std::optional<Check> unmarked(const PlannedStop &stop, ActionContext &engine)
{
    const base::UtcTime now = engine.environment.clock().now();
    const auto leases = engine.store.leases(now);
    if (!leases)
        return Check{CheckName::NotProtected, Outcome::Failed, Why::Unreachable, leases.error().text};
    for (const insight::IdleItem &item : stop.items) {
        const bool is = std::any_of(leases->begin(), leases->end(), [&](const model::Lease &lease) {
            return lease.kind == model::Lease::Kind::StopAfter && lease.holder == item.id && lease.until <= now;
        });
        if (!is)
            return Check{CheckName::NotProtected, Outcome::Failed, Why::Unmarked,
                         model::shownName(item.kind, item.name)};
    }
    return std::nullopt;
}

std::optional<std::string> stopAtNoteOf(const model::TargetState &target)
{
    const auto note = target.annotations.find(model::kStopAtNote);
    return note == target.annotations.end() ? std::nullopt : std::optional(note->second);
}

// Runs the stops of one confirmation.
class Run {
public:
    Run(const Plan &plan, ActionContext &engine, bool onlyMarked, std::stop_token stop, const RunProgress &progress)
        : m_context(engine)
        , m_onlyMarked(onlyMarked)
        , m_stop(std::move(stop))
        , m_progress([this, &progress](const ActionRecord &record) {
            const std::lock_guard lock(m_telling);
            if (progress)
                progress(record);
        })
    {
        for (const PlannedStop &planned : plan.stops) {
            if (planned.isStoppable())
                m_stops.push_back(&planned);
        }
    }

    Result<Records> go(const Confirmation &confirmation)
    {
        std::vector<ActionIntent> intents;
        for (const PlannedStop *stop : m_stops)
            intents.push_back(stopIntent(*stop, confirmation, m_context.environment));
        const auto now = m_context.environment.clock().now();
        const model::ActionLimits &limits = m_context.environment.settings().actions;
        const auto ids =
            m_context.store.begin(intents, {limits.maxPerHour, now - std::chrono::hours(1), now - limits.cooldown});
        GPULEDGER_TRY(ids);
        for (std::size_t i = 0; i < intents.size(); ++i) {
            ActionRecord record;
            record.id = (*ids)[i];
            record.intent = std::move(intents[i]);
            record.changedAt = record.intent.at;
            m_progress(record);
            m_runs.push_back(std::make_unique<Execution>(m_context, std::move(record), m_progress));
        }
        inWaves();
        Records records;
        for (const auto &run : m_runs) {
            if (run->error())
                return base::fail(*run->error());
            records.push_back(run->record());
        }
        return records;
    }

private:
    // Runs one stop at a time until one is verified, then several in parallel.
    void inWaves()
    {
        std::size_t begun = 0;
        while (begun < m_runs.size()) {
            const std::size_t count = !m_proven ? 1 : std::min(m_context.limits.wave, m_runs.size() - begun);
            const std::size_t first = begun;
            // One answer about activity may serve a whole wave, but not the next one.
            m_waveBegan = std::chrono::steady_clock::now();
            sideBySide(count, {}, [&](std::size_t i) {
                Execution &run = *m_runs[first + i];
                judge(run, wasCalled(first + i, run));
            });
            begun += count;
        }
    }

    bool isHalted(Execution &run)
    {
        const bool byUser = m_stop.stop_requested();
        if (!byUser && !m_halted)
            return false;
        run.moveTo(ActionState::Refused, {byUser ? ResultCode::HaltedByUser : ResultCode::HaltedByOther});
        return true;
    }

    // Returns whether the platform was called; if not, the stop was refused beforehand.
    bool wasCalled(std::size_t place, Execution &run)
    {
        if (isHalted(run))
            return false;
        PreflightResult look =
            revalidate(*m_stops[place], m_context.environment, m_context.store, m_context.clock, m_waveBegan, {});
        if (!look.against && m_onlyMarked)
            look.against = unmarked(*m_stops[place], m_context);
        if (!look.against && m_onlyMarked && stopAtNoteOf(look.fresh) != stopAtNoteOf(m_stops[place]->target))
            look.against = noteObjection(look.fresh); // changed since the mark was found due
        if (look.against) {
            run.moveTo(ActionState::Refused, refusedBy(*look.against));
            return false;
        }
        const auto platform = m_context.environment.platformNamed(run.record().intent.target.source);
        if (!platform) {
            run.moveTo(ActionState::Refused, {ResultCode::Said, platform.error().text});
            return false;
        }
        if (isHalted(run)) // halted during the check
            return false;
        const ActionIntent &intent = run.record().intent;
        const model::StopMark mark{intent.key, intent.actor, intent.reason, intent.at, intent.oldValue};
        run.carryOut([&] { return platform->target->stop(look.fresh, mark, {}); });
        if (run.record().state == ActionState::Unknown)
            run.settle(*platform->target, {});
        if (run.record().state == ActionState::Executed)
            run.verify(*platform->target, m_stop);
        return true;
    }

    void judge(const Execution &run, bool called)
    {
        const ActionState state = run.record().state;
        if (run.error())
            m_halted = true;
        if (!called)
            return;
        if (state == ActionState::Verified)
            m_proven = true;
        else if (state != ActionState::Refused || ++m_refusals >= kMostRefusals)
            m_halted = true;
    }

    ActionContext &m_context;
    const bool m_onlyMarked;
    std::stop_token m_stop;
    std::mutex m_telling;
    RunProgress m_progress;
    std::vector<const PlannedStop *> m_stops;
    std::vector<std::unique_ptr<Execution>> m_runs;
    std::chrono::steady_clock::time_point m_waveBegan; // changes only between waves
    std::atomic<bool> m_halted = false;
    std::atomic<bool> m_proven = false; // one stop was verified
    std::atomic<int> m_refusals = 0;
};

} // namespace

Result<Records> runPlan(const Plan &plan, const Confirmation &confirmation, ActionContext &engine, std::stop_token stop,
                        const RunProgress &progress)
{
    GPULEDGER_TRY(agreed(plan, confirmation, engine.environment.clock().now()));
    Run run(plan, engine, confirmation.onlyMarked, std::move(stop), progress);
    return run.go(confirmation);
}

} // namespace gpuledger::actions
