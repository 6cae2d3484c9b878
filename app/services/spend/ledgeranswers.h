// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"
#include "app/services/engine/engine.h"

#include <functional>
#include <vector>

// Answers of the ledger, for the services. Any thread.
namespace gpuledger::services {

// Provides the ledger lines: as stored, or as they follow from the current facts and bills.
using LedgerLines = std::function<base::Result<void>(base::Day first, base::Day last, const store::LedgerVisitor &)>;
// Computes the answer from these lines and these bills.
base::Result<insight::LedgerAnswer> ledgerFrom(const Setup &setup, const insight::LedgerQuery &query,
                                               const LedgerLines &lines, store::LedgerStore &cache,
                                               store::LedgerStore::BillCheck bills);
base::Result<insight::Reconciliation> reconciliationFrom(store::LedgerStore &cache, base::Currency report,
                                                         const insight::Month &month, const LedgerLines &lines);

// Call each of them through ofOneState().
base::Result<insight::LedgerAnswer> ledgerOf(store::LedgerStore &cache, const Setup &setup,
                                             const insight::LedgerQuery &query);
// One pass over the lines; the queries must be for the same days and need the same detail.
base::Result<std::vector<insight::LedgerAnswer>> ledgersOf(store::LedgerStore &cache, const Setup &setup,
                                                           const std::vector<insight::LedgerQuery> &queries);
base::Result<insight::Reconciliation> reconciliationOf(store::LedgerStore &cache, base::Currency report,
                                                       const insight::Month &month);

// What bills say of GPU machines whose type the price list lacks.
base::Result<std::vector<insight::UnknownGpuType>> unknownTypesOf(store::LedgerStore &cache, const Setup &setup,
                                                                  const insight::Month &month);

} // namespace gpuledger::services
