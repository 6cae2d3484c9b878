// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/settle.h"

#include "app/actions/run/execution.h"
#include "app/actions/run/undo.h"

namespace gpuledger::actions {

using model::ActionRecord;
using model::ActionState;

base::Result<std::vector<ActionRecord>> settleActions(ActionContext &engine, const std::stop_token &stop,
                                                      const RunProgress &progress)
{
    auto open = engine.store.unsettled();
    GPULEDGER_TRY(open);
    std::vector<ActionRecord> settled;
    for (ActionRecord &record : *open) {
        if (stop.stop_requested())
            break;
        Execution run(engine, std::move(record), progress);
        if (run.record().state == ActionState::Confirmed)
            run.moveTo(ActionState::Failed, {ResultCode::NeverLeft});
        else if (const auto platform = engine.environment.platformNamed(run.record().intent.target.source)) {
            run.settle(*platform->target, stop);
            if (run.record().state == ActionState::Executed) {
                const base::Seconds age = engine.environment.clock().now() - run.record().changedAt;
                const Execution::Look look = run.verifyOnce(*platform->target, stop);
                const auto limit = run.isOnItsWay() ? engine.limits.machineWithin : engine.limits.verifyWithin;
                if (look == Execution::Look::NotYet && age > limit)
                    run.moveTo(ActionState::Failed, {ResultCode::NoEffect});
            }
        }
        if (run.error())
            return base::fail(*run.error());
        GPULEDGER_TRY(markUndone(engine, run.record(), progress));
        settled.push_back(run.record());
    }
    return settled;
}

} // namespace gpuledger::actions
