// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/announced.h"
#include "app/actions/run/marks.h"
#include "app/actions/run/rulemarks.h"

namespace gpuledger::actions {

struct MarkRound {
    std::optional<base::UtcTime> before; // when the last round finished; std::nullopt if not known
    std::vector<Announced> announced{}; // the notes at objects, to notice that an owner changed one
    std::vector<MarkingRule> rules{}; // where the rules that mark fire now
};

// Runs one round of the watch over all marks. It ends marks that were objected to or whose workloads are active again,
// also those whose note at the object was changed or removed, extends marks that fell due while no watch was running or
// the clock jumped, and stops the due ones with the same plan, checks, limits and runner as a manual stop. If the due
// marks together exceed the limits of one confirmation, none of them is stopped. A mark ends once it was acted on; a
// mark that can't be judged now waits for at most kTriedFor, and that of a rule until the rule fires there for certain,
// so that no stop rests on an old alert; markForRules() releases it if the rule does not. Does nothing unless the
// configuration sets actions.stop_marked. The caller holds the ActionLock. Blocking; call on a worker thread. Fails
// with Cancelled, with Storage… codes, or if telemetry can't be queried at all; then nothing further is started and the
// remaining marks stay.
[[nodiscard]] base::Result<void> runMarks(const MarkRound &round, ActionContext &engine, std::stop_token stop,
                                          const MarkProgress &tell, const RunProgress &progress = {});

} // namespace gpuledger::actions
