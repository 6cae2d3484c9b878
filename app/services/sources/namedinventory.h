// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/sourcecatalog.h"

#include <memory>

namespace gpuledger::services {

// The list of machines of a source, which names GPU models as the catalogue does, as telemetry does, too. Its read()
// knows the machine types of the price book by itself. `secrets` and `clock` must outlive it. Fails like
// SourceCatalog::createInventory, and with Parse.
[[nodiscard]] base::Result<std::unique_ptr<ports::InventorySource>> namedInventory(const ports::SourceCatalog &catalog,
                                                                                   ports::SecretStore &secrets,
                                                                                   const base::Clock &clock,
                                                                                   const model::SourceSettings &source);

// What the machines of a source do at this moment, as its cloud measures it: only newestActivity() is supported. Null
// if its cloud measures nothing, or the settings don't ask for it. Fails like namedInventory().
[[nodiscard]] base::Result<std::unique_ptr<ports::TelemetrySource>>
machineActivity(const ports::SourceCatalog &catalog, ports::SecretStore &secrets, const base::Clock &clock,
                const model::SourceSettings &source);

} // namespace gpuledger::services
