// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/execution.h"

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

bool Execution::moveTo(ActionState state, std::string result, std::string receipt, std::string versionAfter)
{
    const store::ActionStep step{m_engine.world.clock().now(), result, receipt, versionAfter};
    if (const auto done = m_engine.store.move(m_record.id, state, step); !done) {
        m_error = done.error();
        return false;
    }
    m_record.state = state;
    m_record.changedAt = step.at;
    if (!result.empty())
        m_record.result = std::move(result);
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
        moveTo(ActionState::Executed, {}, outcome.receipt, outcome.version);
        return;
    case WriteOutcome::Kind::Changed:
    case WriteOutcome::Kind::Refused:
    case WriteOutcome::Kind::Gone:
        moveTo(ActionState::Refused, "the platform refused it, nothing was done: " + outcome.text, outcome.receipt);
        return;
    case WriteOutcome::Kind::TryLater:
        moveTo(ActionState::Failed, "the platform asked to try later, nothing was done: " + outcome.text,
               outcome.receipt);
        return;
    case WriteOutcome::Kind::Unknown:
        moveTo(ActionState::Unknown, "the answer was lost: " + outcome.text, outcome.receipt);
        return;
    }
}

bool Execution::verifyOnce(ports::ActionTarget &platform, const std::stop_token &stop)
{
    const model::ActionIntent &intent = m_record.intent;
    model::TargetRef ref = intent.target;
    const bool madeAgain = intent.kind == ActionKind::Undo && isDeletion();
    if (madeAgain)
        ref.uid = m_record.versionAfter;
    const auto now = platform.read(ref, stop);
    if (!now) {
        if (now.error().code != ErrorCode::NotFound)
            return false;
        if (intent.kind == ActionKind::Stop && isDeletion())
            return moveTo(ActionState::Verified) || m_error;
        return moveTo(ActionState::Failed, "the object is gone") || m_error;
    }
    if (madeAgain)
        return moveTo(ActionState::Verified) || m_error;
    if (intent.kind == ActionKind::Stop && isDeletion())
        return false; // it is ending
    // A cloud's machine is on its way for a while ("stopping").
    const bool isThere = intent.kind == ActionKind::Stop ? now->isStopped : !now->isStopped;
    const bool wasThere = now->value == intent.newValue || now->value == intent.oldValue;
    if (!isThere && now->value == intent.oldValue && intent.verb != StopVerb::StopInstance)
        return moveTo(ActionState::Failed, "somebody set " + intent.field + " back to " + now->value) || m_error;
    if (!isThere && !wasThere)
        return false;
    if (intent.kind == ActionKind::Undo)
        return isThere && (moveTo(ActionState::Verified) || m_error);
    return isThere && now->holders.empty() && (moveTo(ActionState::Verified) || m_error);
}

void Execution::verify(ports::ActionTarget &platform, const std::stop_token &stop)
{
    const auto until = std::chrono::steady_clock::now() + m_engine.limits.verifyWithin;
    while (m_record.state == ActionState::Executed && !m_error) {
        if (verifyOnce(platform, stop))
            return;
        if (std::chrono::steady_clock::now() >= until) {
            const auto now = platform.read(m_record.intent.target, stop);
            if (now) // else nobody knows: it is looked at again at the next start
                moveTo(ActionState::Failed, "it was done, but these still hold GPUs: " + stillThere(*now));
            return;
        }
        if (!m_engine.world.wait(m_engine.limits.pollEvery, stop))
            return;
    }
}

bool Execution::settleStop(const Result<TargetState> &now)
{
    const model::ActionIntent &intent = m_record.intent;
    if (!now) {
        if (now.error().code != ErrorCode::NotFound)
            return false;
        if (intent.kind == ActionKind::Stop && isDeletion())
            return moveTo(ActionState::Executed, "it is gone, as was asked");
        return moveTo(ActionState::Failed, "the object is gone; whether by this is not known");
    }
    const bool isDone = intent.kind == ActionKind::Stop ? now->isStopped : now->value == intent.newValue;
    if (!isDone)
        return moveTo(ActionState::Failed,
                      "it was not done: " + intent.field + " is " + now->value + "; it is not repeated unasked");
    const bool ofOther = now->mark && now->mark->key != intent.key && intent.kind == ActionKind::Stop;
    if (ofOther)
        return moveTo(ActionState::Failed, "somebody else stopped it: " + now->mark->actor);
    return moveTo(ActionState::Executed, "asked of the platform: it was done", {}, now->version);
}

void Execution::settle(ports::ActionTarget &platform, const std::stop_token &stop)
{
    if (m_record.state == ActionState::Executing
        && !moveTo(ActionState::Unknown, "the program ended before the answer was written down"))
        return;
    if (m_record.state == ActionState::Unknown)
        settleStop(platform.read(m_record.intent.target, stop));
}

} // namespace gpuledger::actions
