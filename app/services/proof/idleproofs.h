// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/proof/proof.h"
#include "app/services/engine/engine.h"

#include <stop_token>

// Proofs of what follows from the idle list: figures of a replay and of the log of actions. They leave policy, ages and
// time unset. Blocking; any thread.
namespace gpuledger::services {

// Reads facts at the figure's own threshold and view of cost. Fails as insight::replayProof.
[[nodiscard]] base::Result<insight::Proof> replayProofOf(store::LedgerStore &cache, const Setup &setup,
                                                         const insight::Figure &figure, const std::stop_token &stop);
// Fails with NotFound (no such action, or one whose log entry does not name its idle workloads) and as
// insight::actionProof.
[[nodiscard]] base::Result<insight::Proof> actionProofOf(store::LedgerStore &cache, const Setup &setup,
                                                         const insight::Figure &figure, const std::stop_token &cancel);

} // namespace gpuledger::services
