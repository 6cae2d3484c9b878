// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/inventorysource.h"
#include "connectors/auth/keyedapi.h"
#include "connectors/lambda/instance.h"

#include <memory>
#include <vector>

// Instances as machines. Plain functions.
namespace gpuledger::lambda {

// Those that are billed and have GPUs.
ports::Inventory machinesAmong(const std::vector<ListedInstance> &instances);

// For the catalogue. Fails with InvalidConfig (no key, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::InventorySource>>
makeLambdaInventory(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                    std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::lambda
