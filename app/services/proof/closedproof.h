// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/proof/proof.h"
#include "app/services/billing/billingperiods.h"
#include "app/services/proof/moneyrows.h"

namespace gpuledger::services {

// A figure of a closed month: as its statement shows it, and recomputed from the ledger lines stored with the
// statement. Uses no current facts, prices or rules.
struct KeptFigure {
    insight::FigureValue shown, recomputed;
    insight::ProofOfClose closed; // without the value from the current facts
};

// Passes each stored line to `rows` (created for the figure). Any thread. Fails with StorageCorrupt if the stored data
// are not what was written, with Overflow and other Storage… codes.
[[nodiscard]] base::Result<KeptFigure> keptFigure(store::LedgerStore &cache, const BillingPeriods &book,
                                                  const insight::Figure &figure, MoneyRows &rows);

// For a closed month; without its log entry.
insight::ProofOfClose closeOf(const reports::MonthStatus &status);

} // namespace gpuledger::services
