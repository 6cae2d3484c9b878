// SPDX-License-Identifier: GPL-3.0-or-later
// The stored days of savings, for `verify`.
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/savingsinputs/keptcheck.h"
#include "app/store/dayfacts/dayfactstore.h"

namespace gpuledger::services {

using base::Result;

Result<KeptCheck> SavingsService::checkStoredDays(std::optional<std::size_t> most)
{
    const Setup &setup = m_engine.setup();
    const auto generation = m_engine.cache().generation();
    GPULEDGER_TRY(generation);
    const auto view = viewOf(m_engine.cache(), *setup.ledger);
    GPULEDGER_TRY(view);
    return checkKeptDays(m_engine.cache(), *generation, *setup.ledger, setup.settings, *view->attribution, most);
}

Result<void> SavingsService::dropStoredDays(const std::vector<base::Day> &days)
{
    return m_engine.cache().dayFacts().drop(days);
}

} // namespace gpuledger::services
