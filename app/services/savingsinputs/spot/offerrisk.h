// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/savings/prices/pricequote.h"

#include <vector>

namespace gpuledger::services {

// Sets the interruptions of spot offers, of one machine type in one region: the rate that the histories of the
// configuration show before `at`, else the published band. Of other offers, and where nothing is known, none are set. A
// history that can't be read is not used. Blocking; any thread. Fails with Parse (the list of published bands).
[[nodiscard]] base::Result<void>
setOfferInterruptions(savings::QuoteList &list, const std::vector<model::SpotHistoryFile> &histories, base::UtcTime at);

} // namespace gpuledger::services
