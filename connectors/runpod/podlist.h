// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/inventorysource.h"
#include "connectors/auth/keyedapi.h"

#include <memory>
#include <string>

// Pods as machines. Plain functions.
namespace gpuledger::runpod {

// The pods with GPUs of GET /v2/pods that run, without members of clusters, which RunPod bills as clusters. All of them
// or none: fails with Parse if one has no id or is there twice, and with TooMuch.
[[nodiscard]] base::Result<ports::Inventory> machinesIn(const std::string &body);

// For the catalogue. Fails with InvalidConfig (no key, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::InventorySource>>
makeRunpodInventory(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                    std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::runpod
