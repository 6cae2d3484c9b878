// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/runner.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::actions {

// Whether the log allows an action to be undone, and if not, why. Asks no platform.
struct Undoable {
    bool can = false;
    std::string whyNot; // for the log, English
};
Undoable undoable(const model::ActionRecord &record);
// A later stop of the same object among `all`, because of which this one can't be undone any more; std::nullopt: this
// is the last. On platforms that keep no marks, only the log shows which stop is in effect.
std::optional<std::int64_t> stoppedAgain(const model::ActionRecord &stop, const std::vector<model::ActionRecord> &all);

// Restores stopped objects to exactly the value they had, and returns the new actions. An undo is refused if the object
// is a different one by now, if the field has been changed since (both values are reported), or if the right is
// missing. Each undo is an action of its own; a failed one does not hold back the others. The caller holds the
// ActionLock. Blocking; call on a worker thread. Fails with NotFound, with Refused (an action can't be undone at all)
// or with Storage… codes; then nothing was called.
[[nodiscard]] base::Result<std::vector<model::ActionRecord>> runUndo(const std::vector<std::int64_t> &actions,
                                                                     const std::string &reason, ActionContext &engine,
                                                                     const std::stop_token &stop,
                                                                     const RunProgress &progress = {});

// Called after an undo was verified: marks the action that it reversed as Undone.
[[nodiscard]] base::Result<void> markUndone(ActionContext &engine, const model::ActionRecord &undo,
                                            const RunProgress &progress);

} // namespace gpuledger::actions
