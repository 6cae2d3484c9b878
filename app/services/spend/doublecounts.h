// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/spend/countedtwice.h"
#include "app/ports/sourcecatalog.h"
#include "app/services/engine/engine.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::services {

// Accounts whose cost several sources of bills have on the same days: in a month, or at any time. Asks the ledger only
// if more than one source may have stored bills. Any thread. Fails with Storage… codes and Overflow.
[[nodiscard]] base::Result<std::vector<insight::CountedTwice>>
countedTwiceIn(store::LedgerStore &cache, const Setup &setup, const ports::SourceCatalog &catalog,
               const std::optional<insight::Month> &month);

// The names of these accounts of a month, or their ids; each once. Fails as above.
[[nodiscard]] base::Result<std::vector<std::string>> accountsCountedTwice(store::LedgerStore &cache, const Setup &setup,
                                                                          const ports::SourceCatalog &catalog,
                                                                          const insight::Month &month);

} // namespace gpuledger::services
