// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/runner.h"

#include <string>
#include <vector>

namespace gpuledger::actions {

// Whether an action can be brought back, and if not, why; without asking anybody.
struct Undoable {
    bool can = false;
    std::string whyNot; // for the log, English
};
Undoable undoable(const model::ActionRecord &record);

// Brings stopped objects back to exactly the value that they had. Refused where it is another object by now, where
// somebody changed the field since (both values are told), or where the right is missing. Each undo is an action of its
// own; one that fails does not keep the others back. Whoever calls holds the ActionLock. Blocking; a worker thread. The
// new actions. Fails with NotFound, Refused (an action can't be undone at all) or Storage… codes; then nothing was
// called.
[[nodiscard]] base::Result<std::vector<model::ActionRecord>> runUndo(const std::vector<std::int64_t> &actions,
                                                                     const std::string &reason, ActionContext &engine,
                                                                     const std::stop_token &stop,
                                                                     const RunProgress &progress = {});

// After an undo was verified: the action that it brought back is Undone.
[[nodiscard]] base::Result<void> markUndone(ActionContext &engine, const model::ActionRecord &undo,
                                            const RunProgress &progress);

} // namespace gpuledger::actions
