// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/proof/proof.h"

#include <stop_token>

// Proofs of what could be saved (FigureKind::Savings).
namespace gpuledger::services {

class Engine;
class SavingsService;

// As `shown` has it, from the facts that it keeps, and recomputed from facts that are read again: never from the
// stored days (day_fact), which `shown` may have used. Of a proposal, the
// rows are amounts of its past: they add up to what was saved in it, from which the figure per month follows as the
// inputs say; of its spend, they add up to the spend. Of a sum, the rows are the proposals that count. Leaves policy,
// ages and time unset. Blocking; any thread. Fails with NotFound (no such proposal or sum, or a range that is not
// wholly known) and as SavingsService::savings().
[[nodiscard]] base::Result<insight::Proof> savingsProof(Engine &engine, SavingsService &shown,
                                                        const insight::Figure &figure, const std::stop_token &stop);

} // namespace gpuledger::services
