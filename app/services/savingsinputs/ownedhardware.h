// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/savings/crossover/ownership.h"

#include <string>

// Owned machines of the configuration (`prices: owned`) as inputs of a comparison with rent. Pure; any thread.
namespace gpuledger::services {

// What the configuration says of one GPU, in USD. Its one power draw holds for every hour, used or not, as in the
// ledger; operation_per_year is all of hosting and staff, so `hostingPerMonth` is a twelfth of it and `staffPerMonth`
// is 0. Without residual and operation_per_year: 0, as docs/configuration.md says. Power, PUE and the price of a kWh
// stay unknown if they are not set. Fails with InvalidConfig: not an amount.
[[nodiscard]] base::Result<savings::Ownership> ownershipOf(const model::OwnedMachine &machine);

std::string labelText(const model::Labels &labels); // "pool=onprem,zone=b"

} // namespace gpuledger::services
