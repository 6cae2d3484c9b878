// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/pricesource.h"
#include "connectors/azure/compute/computeapi.h"

#include <map>
#include <set>
#include <string>

namespace gpuledger::azure {

// Where the subscription has machines or scale sets with GPUs, whatever they do now: "eastus". `known` are the machine
// types of the catalogue, by type in lower case. Fails as ComputeApi::eachPage does, and with TooMuch above 100
// locations.
[[nodiscard]] base::Result<std::set<std::string>>
gpuLocations(ComputeApi &api, const std::map<std::string, ports::KnownMachine> &known, const std::stop_token &stop);

} // namespace gpuledger::azure
