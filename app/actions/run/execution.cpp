// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/execution.h"

#include <algorithm>
#include <array>
#include <random>

namespace gpuledger::actions {

using base::ErrorCode;
using base::Result;
using model::ActionKind;
using model::ActionState;
using model::StopVerb;
using model::TargetState;
using ports::WriteOutcome;

namespace {

constexpr int kSeldom = 10; // polls of a machine that takes long

std::string stillThere(const TargetState &state)
{
    std::string names;
    for (const model::HolderKey &holder : state.holders)
        names += (names.empty() ? "" : ", ") + holder.name;
    return names;
}

} // namespace

std::string newKey()
{
    std::random_device device;
    constexpr std::array kDigits{'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    std::string key;
    for (int i = 0; i < 4; ++i) {
        std::uint32_t bits = device();
        for (int digit = 0; digit < 8; ++digit, bits >>= 4)
            key += kDigits[bits & 15];
    }
    return key;
}

bool Execution::moveTo(ActionState state, const ActionResult &result, std::string receipt, std::string versionAfter)
{
    const store::ActionStep step{m_context.environment.clock().now(), dataOf(result), receipt, versionAfter};
    if (const auto done = m_context.store.move(m_record.id, state, step); !done) {
        m_error = done.error();
        return false;
    }
    m_record.state = state;
    m_record.changedAt = step.at;
    if (!step.result.empty())
        m_record.result = step.result;
    if (!receipt.empty())
        m_record.receipt = std::move(receipt);
    if (!versionAfter.empty())
        m_record.versionAfter = std::move(versionAfter);
    if (m_progress)
        m_progress(m_record);
    return true;
}

bool Execution::isDeletion() const
{
    return m_record.intent.verb == StopVerb::Delete || m_record.intent.verb == StopVerb::Evict;
}

void Execution::carryOut(const Call &call)
{
    if (!moveTo(ActionState::Executing))
        return;
    const WriteOutcome outcome = call();
    switch (outcome.kind) {
    case WriteOutcome::Kind::Done:
        // Without a version, a stopped object would look as if nothing had been done.
        moveTo(ActionState::Executed, {}, outcome.receipt,
               outcome.version.empty() && m_record.intent.kind == ActionKind::Stop ? kNotTold : outcome.version);
        return;
    case WriteOutcome::Kind::Changed:
    case WriteOutcome::Kind::Gone:
        moveTo(ActionState::Refused, {ResultCode::ChangedMeanwhile, outcome.text}, outcome.receipt);
        return;
    case WriteOutcome::Kind::Refused:
        moveTo(ActionState::Refused, {ResultCode::PlatformRefused, outcome.text}, outcome.receipt);
        return;
    case WriteOutcome::Kind::TryLater:
        moveTo(ActionState::Failed, {ResultCode::TryLater, outcome.text}, outcome.receipt);
        return;
    case WriteOutcome::Kind::Unknown:
        moveTo(ActionState::Unknown, {ResultCode::AnswerLost, outcome.text}, outcome.receipt);
        return;
    }
}

Execution::Look Execution::end(ActionState state, const ActionResult &result)
{
    moveTo(state, result);
    return Look::Over;
}

Execution::Look Execution::lookAtStopped(const TargetState &now)
{
    const model::ActionIntent &intent = m_record.intent;
    if (now.isStopped)
        return now.holders.empty() ? end(ActionState::Verified) : Look::NotYet;
    // A cloud instance stays in a transitional state ("stopping") for a while.
    if (now.value == intent.oldValue && intent.verb != StopVerb::StopInstance)
        return end(ActionState::Failed, {ResultCode::SetBack, {}, intent.field, now.value});
    return Look::NotYet;
}

Execution::Look Execution::lookAtRestored(const TargetState &now)
{
    const model::ActionIntent &intent = m_record.intent;
    if (!now.isStopped && now.value == intent.newValue)
        return end(ActionState::Verified);
    if (intent.verb == StopVerb::StopInstance)
        return Look::NotYet;
    if (now.isStopped)
        return end(ActionState::Failed, {ResultCode::SetBack, {}, intent.field, now.value});
    return end(ActionState::Failed, {ResultCode::OtherValue, {}, intent.field, now.value, intent.newValue});
}

Execution::Look Execution::verifyOnce(ports::ActionTarget &platform, const std::stop_token &stop)
{
    const model::ActionIntent &intent = m_record.intent;
    const bool isStop = intent.kind == ActionKind::Stop;
    model::TargetRef ref = intent.target;
    const bool madeAgain = !isStop && isDeletion();
    if (madeAgain)
        ref.uid = m_record.versionAfter;
    const auto now = platform.standing(ref, stop);
    m_seen = now ? std::optional(*now) : std::nullopt;
    if (!now && now.error().code != ErrorCode::NotFound)
        return Look::Unreachable;
    if (!now)
        return isStop && isDeletion() ? end(ActionState::Verified) : end(ActionState::Failed, {ResultCode::Gone});
    if (madeAgain)
        return end(ActionState::Verified);
    if (isStop && isDeletion())
        return Look::NotYet; // the deletion is in progress
    return isStop ? lookAtStopped(*now) : lookAtRestored(*now);
}

bool Execution::isOnItsWay() const
{
    return m_record.intent.verb == StopVerb::StopInstance && m_seen && m_seen->isChanging;
}

void Execution::giveUp()
{
    if (!m_seen)
        return; // unknown; the next start looks again
    if (m_record.intent.kind == ActionKind::Stop)
        moveTo(ActionState::Failed, {ResultCode::StillHeld, stillThere(*m_seen)});
    else
        moveTo(ActionState::Failed, {ResultCode::StillSet, {}, m_record.intent.field, m_seen->value});
}

void Execution::verify(ports::ActionTarget &platform, const std::stop_token &stop)
{
    const auto begin = std::chrono::steady_clock::now();
    std::chrono::milliseconds waited{0};
    while (m_record.state == ActionState::Executed && !m_error) {
        if (verifyOnce(platform, stop) == Look::Over)
            return;
        const auto passed = std::max<std::chrono::nanoseconds>(waited, std::chrono::steady_clock::now() - begin);
        const bool isLong = passed >= m_context.limits.verifyWithin;
        if (isLong && (!isOnItsWay() || passed >= m_context.limits.machineWithin))
            return giveUp();
        const std::chrono::milliseconds pause = m_context.limits.pollEvery * (isLong ? kSeldom : 1);
        if (!m_context.environment.wait(pause, stop))
            return;
        waited += pause;
    }
}

bool Execution::isOfOther(const TargetState &now, bool leavesMarks) const
{
    if (m_record.intent.kind != ActionKind::Stop || isDeletion())
        return false;
    return now.mark ? now.mark->key != m_record.intent.key : leavesMarks;
}

bool Execution::isStillAsBefore(const TargetState &now) const
{
    return m_record.intent.verb == StopVerb::StopInstance && now.value == m_record.intent.oldValue;
}

void Execution::settleBy(const Result<TargetState> &now, bool leavesMarks)
{
    const model::ActionIntent &intent = m_record.intent;
    if (!now) {
        if (now.error().code != ErrorCode::NotFound)
            return;
        if (intent.kind == ActionKind::Stop && isDeletion())
            moveTo(ActionState::Executed, {ResultCode::GoneAsAsked}, {}, kNotTold);
        else if (!isDeletion())
            moveTo(ActionState::Failed, {ResultCode::GoneUnexplained});
        return;
    }
    const bool isDone = intent.kind == ActionKind::Stop ? now->isStopped : now->value == intent.newValue;
    // A machine on its way ("stopping") was told to go there; verify() waits for it.
    const bool isUnderWay = intent.verb == StopVerb::StopInstance && now->value != intent.oldValue;
    if (!isDone && !isUnderWay)
        moveTo(ActionState::Failed, {ResultCode::NotDone, {}, intent.field, now->value});
    else if (isOfOther(*now, leavesMarks))
        moveTo(ActionState::Failed, {ResultCode::StoppedByOther, now->mark ? now->mark->actor : std::string()});
    else
        moveTo(ActionState::Executed, {ResultCode::FoundDone}, {}, now->version);
}

void Execution::settle(ports::ActionTarget &platform, const std::stop_token &stop)
{
    const base::UtcTime called = m_record.changedAt;
    if (m_record.state == ActionState::Executing && !moveTo(ActionState::Unknown, {ResultCode::AnswerUnwritten}))
        return;
    if (m_record.state != ActionState::Unknown)
        return;
    const RunLimits &limits = m_context.limits;
    auto now = platform.read(m_record.intent.target, stop);
    for (std::chrono::milliseconds waited{0}; now && isStillAsBefore(*now) && waited < limits.machineLateness
         && m_context.environment.clock().now() < called + limits.machineLateness;
         waited += limits.pollEvery) {
        if (!m_context.environment.wait(limits.pollEvery, stop))
            return; // unknown; the next start looks again
        now = platform.read(m_record.intent.target, stop);
    }
    settleBy(now, platform.leavesMarks());
    const bool isGone = !now && now.error().code == ErrorCode::NotFound;
    if (isGone && m_record.state == ActionState::Unknown)
        settleMadeAgain(platform, stop);
}

// A recreated object has a new uid, which the lost answer would have contained, so it can only be looked up by name.
void Execution::settleMadeAgain(ports::ActionTarget &platform, const std::stop_token &stop)
{
    const model::TargetRef &target = m_record.intent.target;
    const auto now = platform.find({target.cluster, target.nameSpace, target.name, {}, {}, {}}, stop);
    if (now)
        moveTo(ActionState::Executed, {ResultCode::FoundAgain}, {}, now->ref.uid);
    else if (now.error().code == ErrorCode::NotFound)
        moveTo(ActionState::Failed, {ResultCode::NotMadeAgain});
}

} // namespace gpuledger::actions
