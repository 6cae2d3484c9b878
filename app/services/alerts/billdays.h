// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/costview.h"
#include "app/services/alerts/scopeseries.h"

namespace gpuledger::store {
class LedgerStore;
}

namespace gpuledger::services {

// Names the days of each series that are on a bill which may still grow, with what days of their age used to have of
// their final amount: of all GPU machines together, in the currency with the most days. Days are as old as at the last
// import. Nothing by the price book alone (CostView::List). Blocking; call from a worker thread. Fails with Storage…
// codes.
[[nodiscard]] base::Result<void> nameOpenDays(ScopeSeries &series, store::LedgerStore &cache, model::CostView cost);

} // namespace gpuledger::services
