// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/inventorysource.h"
#include "connectors/auth/keyedapi.h"

#include <memory>
#include <set>
#include <string>

// Instances as machines. Plain functions.
namespace gpuledger::vastai {

// Adds the instances of a page of GET /api/v1/instances/ that pay for their GPUs and returns the token of the next one;
// empty: there is none. `ids` are those of the pages before. Fails with Parse if one has no id or is there twice, and
// with TooMuch above kMostInstanceNames.
[[nodiscard]] base::Result<std::string> readMachines(const std::string &body, std::set<std::string> &ids,
                                                     ports::Inventory &inventory);

// For the catalogue. Fails with InvalidConfig (no key, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::InventorySource>>
makeVastaiInventory(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                    std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::vastai
