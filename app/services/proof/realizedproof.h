// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/proof/proof.h"

#include <stop_token>

// Proofs of what was really saved (figures of savings whose measure begins with insight::kRealizedSavings).
namespace gpuledger::services {

class SavingsService;

// Sets shown and recomputed, from two passes over the facts up to the end of the figure's range, the inputs and the
// rows. The inputs are the terms of the formula (app/savings/realized/realized.h), the rows the weeks that were
// compared; p50 must follow from the inputs. Blocking; any thread. Fails with NotFound (no such choice or stop, or it
// is not measured in these weeks) and as SavingsService::realized().
[[nodiscard]] base::Result<void> proveRealized(insight::Proof &out, SavingsService &service,
                                               const std::stop_token &stop);

// The same for a sum of one currency (insight::kRealizedSum): the rows are the proposals and stops in it, and must add
// up to the figure; the inputs say how many there are, and how many were left out as overlapping.
[[nodiscard]] base::Result<void> proveRealizedSum(insight::Proof &out, SavingsService &service,
                                                  const std::stop_token &stop);

} // namespace gpuledger::services
