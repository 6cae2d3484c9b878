// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/proof/proof.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"
#include "app/reports/statement/statement.h"
#include "app/services/proof/moneyrows.h"

// Finds a money figure in an answer, and the additions to ledger lines that it is the sum of. Pure functions; any
// thread.
namespace gpuledger::services {

// Unknown if the answer has no such row.
insight::FigureValue valueIn(const insight::LedgerAnswer &answer, const insight::Figure &figure);
insight::FigureValue valueIn(const insight::Reconciliation &answer, const insight::Figure &figure);
insight::FigureValue valueIn(const reports::Statement &statement, const insight::Figure &figure);

// `report` is the currency of the price book; `split` is needed for figures of a split policy.
MoneyMeaning meaningOf(const insight::Figure &figure, base::Currency report,
                       const insight::LedgerSums::Split &split = {});

} // namespace gpuledger::services
