// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/proof/proof.h"
#include "app/services/money/moneyrows.h"
#include "app/services/workspace/billingperiods.h"

namespace gpuledger::services {

// A figure of a closed month: as its statement shows it, and recomputed from the lines of the ledger that were kept
// beside the statement. No fact, price or rule of now is looked at.
struct KeptFigure {
    insight::FigureValue shown, recomputed;
    insight::ProofOfClose closed; // without what the facts say now
};

// `rows` (made for the figure) is told of each kept line. Any thread. Fails with StorageCorrupt where what was kept is
// not what was written, with Overflow and other Storage… codes.
[[nodiscard]] base::Result<KeptFigure> keptFigure(store::LedgerStore &cache, const BillingPeriods &book,
                                                  const insight::Figure &figure, MoneyRows &rows);

// Of a month that is closed; without its entry in the log.
insight::ProofOfClose closeOf(const reports::MonthStatus &status);

} // namespace gpuledger::services
