// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/pricequote.h"
#include "connectors/gcp/prices/catalogskus.h"
#include "connectors/gcp/prices/machineparts.h"

#include <map>
#include <string>

// Prices of whole machines from those of their parts. Values; pure.
namespace gpuledger::gcp {

// The price of a machine in each region that has its GPUs, rounded once, half away from zero. Where a part has no
// price, or more than one, the machine has none, and is counted (WithoutHost, Unreadable); a type whose parts are not
// known is counted once (NoPrice). A month of a disk has 730 hours, as Google says.
void addMachinePrices(const CatalogSkus &skus, const std::string &type, const ports::KnownMachine &machine,
                      model::PurchaseOption purchase, model::QuoteList &out);

} // namespace gpuledger::gcp
