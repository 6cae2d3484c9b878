// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/actionresult.h"
#include "app/actions/runner.h"

#include <functional>

namespace gpuledger::actions {

// One action on disk and how it moves on. One thread at a time.
class Execution {
public:
    Execution(ActionContext &engine, model::ActionRecord record, const RunProgress &progress)
        : m_context(engine)
        , m_record(std::move(record))
        , m_progress(progress)
    {
    }
    const model::ActionRecord &record() const { return m_record; }

    // On disk first, then told. A failure to write is kept in error() and ends the action here: it is settled later.
    bool moveTo(model::ActionState state, const ActionResult &result = {}, std::string receipt = {},
                std::string versionAfter = {});
    const std::optional<base::Error> &error() const { return m_error; }

    using Call = std::function<ports::WriteOutcome()>;
    // Executing on disk, the call, its outcome on disk.
    void carryOut(const Call &call);
    // What was Executed is read back until nobody is left, or the time is over.
    void verify(ports::ActionTarget &platform, const std::stop_token &stop);
    // What is Executing or Unknown is asked for.
    void settle(ports::ActionTarget &platform, const std::stop_token &stop);
    // One look at what was Executed.
    enum class Look {
        Over, // it is not Executed any more, or error() says why that can't be told
        NotYet,
        Unreachable, // nobody knows
    };
    Look verifyOnce(ports::ActionTarget &platform, const std::stop_token &stop);

private:
    bool isDeletion() const;
    void settleMadeAgain(ports::ActionTarget &platform, const std::stop_token &stop);
    void settleBy(const base::Result<model::TargetState> &now, bool leavesMarks);
    Look end(model::ActionState state, const ActionResult &result = {});
    Look lookAtStopped(const model::TargetState &now);
    Look lookAtRestored(const model::TargetState &now);
    // Somebody else's stop, not that of this intent.
    bool isOfOther(const model::TargetState &now, bool leavesMarks) const;

    ActionContext &m_context;
    model::ActionRecord m_record;
    const RunProgress &m_progress;
    std::optional<base::Error> m_error;
};

// In place of a version that the platform does not tell.
inline constexpr char kNotTold[] = "not told";

// A key for an intent: 128 random bits.
std::string newKey();

} // namespace gpuledger::actions
