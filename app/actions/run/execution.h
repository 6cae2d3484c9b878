// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/actionresult.h"
#include "app/actions/run/runner.h"

#include <functional>

namespace gpuledger::actions {

// Carries one action through its states and writes each state to disk. One thread at a time.
class Execution {
public:
    Execution(ActionContext &engine, model::ActionRecord record, const RunProgress &progress)
        : m_context(engine)
        , m_record(std::move(record))
        , m_progress(progress)
    {
    }
    const model::ActionRecord &record() const { return m_record; }

    // Writes the new state to disk, then reports it. If writing fails, the error is kept in error() and the action
    // stops here; it is settled later.
    bool moveTo(model::ActionState state, const ActionResult &result = {}, std::string receipt = {},
                std::string versionAfter = {});
    const std::optional<base::Error> &error() const { return m_error; }

    using Call = std::function<ports::WriteOutcome()>;
    // Saves Executing, makes the call and saves its outcome.
    void carryOut(const Call &call);
    // Reads an Executed action back until nothing holds GPUs through the object any more, or the time limit has passed.
    void verify(ports::ActionTarget &platform, const std::stop_token &stop);
    // Queries the platform about an action that is Executing or Unknown.
    void settle(ports::ActionTarget &platform, const std::stop_token &stop);
    // Reads an Executed action back once.
    enum class Look {
        Over, // it is no longer Executed, or error() says why that could not be saved
        NotYet,
        Unreachable, // the platform gave no answer
    };
    Look verifyOnce(ports::ActionTarget &platform, const std::stop_token &stop);
    // Whether that saw a machine that is stopping or starting.
    bool isOnItsWay() const;

private:
    bool isDeletion() const;
    void settleMadeAgain(ports::ActionTarget &platform, const std::stop_token &stop);
    // Whether it is a machine that looks as before the call. It changes some time after its cloud was told to.
    bool isStillAsBefore(const model::TargetState &now) const;
    void giveUp();
    void settleBy(const base::Result<model::TargetState> &now, bool leavesMarks);
    Look end(model::ActionState state, const ActionResult &result = {});
    Look lookAtStopped(const model::TargetState &now);
    Look lookAtRestored(const model::TargetState &now);
    // Whether the object was stopped by someone else and not by this intent.
    bool isOfOther(const model::TargetState &now, bool leavesMarks) const;

    ActionContext &m_context;
    model::ActionRecord m_record;
    const RunProgress &m_progress;
    std::optional<model::TargetState> m_seen; // by the last verifyOnce(); empty: no answer
    std::optional<base::Error> m_error;
};

// Stands for a version that the platform does not report.
inline constexpr char kNotTold[] = "not told";

// Idempotency key of an intent: 128 random bits.
std::string newKey();

} // namespace gpuledger::actions
