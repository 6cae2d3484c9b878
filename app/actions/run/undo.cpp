// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/undo.h"

#include "app/actions/run/execution.h"

#include <algorithm>

namespace gpuledger::actions {

using base::ErrorCode;
using base::Result;
using model::ActionIntent;
using model::ActionKind;
using model::ActionRecord;
using model::ActionState;
using model::TargetState;

namespace {

bool isDeletion(const ActionIntent &intent)
{
    return intent.verb == model::StopVerb::Delete || intent.verb == model::StopVerb::Evict;
}

ActionIntent undoIntent(const ActionRecord &stop, const std::string &reason, const ActionEnvironment &environment)
{
    ActionIntent intent = stop.intent;
    intent.key = newKey();
    intent.plan.clear();
    intent.kind = ActionKind::Undo;
    intent.undoes = stop.id;
    intent.oldValue = stop.intent.newValue;
    intent.newValue = stop.intent.oldValue;
    intent.actor = environment.actor();
    intent.reason = reason;
    intent.at = environment.clock().now();
    intent.evidence = "{}";
    return intent;
}

// Why the object must not be restored in its current state; code None if nothing speaks against it.
ActionResult against(const ActionRecord &stop, const TargetState &now, bool leavesMarks)
{
    const ActionIntent &intent = stop.intent;
    if (!now.isStopped)
        return {ResultCode::ChangedSince, {}, intent.field, now.value, intent.oldValue};
    if (now.mark && now.mark->key != intent.key)
        return {ResultCode::StoppedSince, now.mark->actor};
    if (!now.mark && leavesMarks)
        return {ResultCode::MarkGone};
    return {};
}

bool mayHaveHappened(const ActionRecord &record)
{
    return record.state != ActionState::Refused && record.state != ActionState::Confirmed
        && (record.state != ActionState::Failed || !record.versionAfter.empty());
}

class Undo {
public:
    Undo(const ActionRecord &stop, Execution &run, ports::ActionTarget &platform)
        : m_stop(stop)
        , m_run(run)
        , m_platform(platform)
    {
    }

    void go(const std::stop_token &stop)
    {
        TargetState state;
        if (isDeletion(m_stop.intent)) {
            if (!isGone(stop))
                return;
            state.ref = m_stop.intent.target;
        } else if (!look(state, stop))
            return;
        const auto permission = m_platform.permission(state, true, stop);
        if (!permission || !permission->isAllowed) {
            m_run.moveTo(ActionState::Refused,
                         {ResultCode::NotAllowed, permission ? permission->missing : permission.error().text});
            return;
        }
        const ActionIntent &was = m_stop.intent;
        const model::StopMark mark{was.key, was.actor, was.reason, was.at, was.oldValue};
        m_run.carryOut([&] { return m_platform.undo(state, mark, was.manifest, {}); });
        if (m_run.record().state == ActionState::Unknown)
            m_run.settle(m_platform, {});
        if (m_run.record().state == ActionState::Executed)
            m_run.verify(m_platform, stop);
    }

private:
    // A deleted object is recreated only if it does not exist any more.
    bool isGone(const std::stop_token &stop)
    {
        const auto now = m_platform.read(m_stop.intent.target, stop);
        if (!now && now.error().code == ErrorCode::NotFound)
            return true;
        m_run.moveTo(ActionState::Refused,
                     now ? ActionResult{ResultCode::StillThere} : ActionResult{ResultCode::Said, now.error().text});
        return false;
    }

    bool look(TargetState &state, const std::stop_token &stop)
    {
        auto now = m_platform.read(m_stop.intent.target, stop);
        if (!now) {
            const bool gone = now.error().code == ErrorCode::NotFound;
            m_run.moveTo(ActionState::Refused,
                         gone ? ActionResult{ResultCode::NameTaken} : ActionResult{ResultCode::Said, now.error().text});
            return false;
        }
        if (const auto why = against(m_stop, *now, m_platform.leavesMarks()); why.code != ResultCode::None) {
            m_run.moveTo(ActionState::Refused, why);
            return false;
        }
        state = std::move(*now);
        return true;
    }

    const ActionRecord &m_stop;
    Execution &m_run;
    ports::ActionTarget &m_platform;
};

} // namespace

Undoable undoable(const ActionRecord &record)
{
    const ActionIntent &intent = record.intent;
    if (intent.kind != ActionKind::Stop)
        return {false, "an undo can't be undone; stop the workload again instead"};
    const bool happened = record.state == ActionState::Verified || record.state == ActionState::Executed
        || (record.state == ActionState::Failed && !record.versionAfter.empty());
    if (!happened)
        return {false, "it is " + std::string(toString(record.state)) + ": there is nothing to bring back"};
    if (isDeletion(intent) && intent.manifest.empty())
        return {false, "it was deleted, and nothing was kept from which it could be created again"};
    return {true, {}};
}

std::optional<std::int64_t> stoppedAgain(const ActionRecord &stop, const std::vector<ActionRecord> &all)
{
    const auto isLater = [&](const ActionRecord &other) {
        const model::TargetRef &target = other.intent.target, &ours = stop.intent.target;
        return other.id > stop.id && other.intent.kind == ActionKind::Stop && target.source == ours.source
            && target.uid == ours.uid && mayHaveHappened(other);
    };
    const auto later = std::find_if(all.rbegin(), all.rend(), isLater);
    return later == all.rend() ? std::nullopt : std::optional(later->id);
}

Result<void> markUndone(ActionContext &engine, const ActionRecord &undo, const RunProgress &progress)
{
    if (undo.intent.kind != ActionKind::Undo || undo.state != ActionState::Verified)
        return {};
    auto stop = engine.store.action(undo.intent.undoes);
    GPULEDGER_TRY(stop);
    if (!mayFollow(stop->state, ActionState::Undone))
        return {};
    Execution run(engine, std::move(*stop), progress);
    run.moveTo(ActionState::Undone, {ResultCode::BroughtBack, {}, {}, {}, {}, undo.id});
    if (run.error())
        return base::fail(*run.error());
    return {};
}

Result<std::vector<ActionRecord>> runUndo(const std::vector<std::int64_t> &actions, const std::string &reason,
                                          ActionContext &engine, const std::stop_token &stop,
                                          const RunProgress &progress)
{
    if (reason.size() > Confirmation::kLongestReason)
        return base::fail(ErrorCode::InvalidArgument, "the reason is longer than 2000 bytes");
    std::vector<ActionRecord> stops;
    std::vector<ActionIntent> intents;
    for (const std::int64_t id : actions) {
        auto record = engine.store.action(id);
        GPULEDGER_TRY(record);
        if (const Undoable can = undoable(*record); !can.can)
            return base::fail(ErrorCode::Refused, "action " + std::to_string(id) + " can't be undone: " + can.whyNot);
        intents.push_back(undoIntent(*record, reason, engine.environment));
        stops.push_back(std::move(*record));
    }
    const auto now = engine.environment.clock().now();
    // Undo is never limited by quotas.
    const auto ids = engine.store.begin(intents, {std::numeric_limits<int>::max(), now, now});
    GPULEDGER_TRY(ids);
    const auto all = engine.store.all();
    GPULEDGER_TRY(all);
    std::vector<ActionRecord> records;
    for (std::size_t i = 0; i < stops.size(); ++i) {
        ActionRecord record;
        record.id = (*ids)[i];
        record.intent = intents[i];
        record.changedAt = intents[i].at;
        Execution run(engine, std::move(record), progress);
        const auto platform = engine.environment.platformNamed(intents[i].target.source);
        if (stop.stop_requested())
            run.moveTo(ActionState::Refused, {ResultCode::HaltedByUser});
        else if (const auto later = stoppedAgain(stops[i], *all))
            run.moveTo(ActionState::Refused, {ResultCode::StoppedAgain, {}, {}, {}, {}, *later});
        else if (!platform)
            run.moveTo(ActionState::Refused, {ResultCode::Said, platform.error().text});
        else if (!platform->mayStop)
            run.moveTo(ActionState::Refused, {ResultCode::SourceMayNot, intents[i].target.source});
        else
            Undo(stops[i], run, *platform->target).go(stop);
        if (run.error())
            return base::fail(*run.error());
        GPULEDGER_TRY(markUndone(engine, run.record(), progress));
        records.push_back(run.record());
    }
    return records;
}

} // namespace gpuledger::actions
