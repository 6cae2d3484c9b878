// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/savings/crossover/crossover.h"
#include "app/store/facts/factreader.h"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace gpuledger::ledger {
class GpuCatalog;
}

// Owned machines of the configuration (`prices: owned`) as inputs of a comparison with rent. Pure; any thread.
namespace gpuledger::services {

// What the configuration says of one GPU, in USD. Its one power draw holds for every hour, used or not, as in the
// ledger; operation_per_year is all of hosting and staff, so `hostingPerMonth` is a twelfth of it and `staffPerMonth`
// is 0. Without residual and operation_per_year: 0, as docs/configuration.md says. Power, PUE and the price of a kWh
// stay unknown if they are not set. Fails with InvalidConfig: not an amount.
[[nodiscard]] base::Result<savings::Ownership> ownershipOf(const model::OwnedMachine &machine);

std::string labelText(const model::Labels &labels); // "pool=onprem,zone=b"

// Models of the catalogue; an empty one is a GPU that the catalogue does not have.
using OwnedModels = std::set<std::string>;
// Those of the GPUs that were seen on the nodes of each entry, in the order of `machines`.
[[nodiscard]] std::vector<OwnedModels> ownedModels(const std::vector<model::OwnedMachine> &machines,
                                                   std::span<const model::Node> nodes,
                                                   std::span<const model::Device> devices,
                                                   std::span<const store::Placement> placements,
                                                   const ledger::GpuCatalog &catalog);

// Rents of a GPU-hour by price lists; own bills are no offers.
struct ListedRents {
    std::vector<savings::RentOffer> offers; // the cheapest of each way to buy
    bool isAnyListed = false; // also in other currencies
    bool isOtherCurrency = false; // some have prices in another currency, which are left out
};
// Of a model and its variants.
[[nodiscard]] ListedRents listedRents(savings::QuoteList list, const std::string &gpuModel, base::Currency currency);

// Owning one GPU of an entry, at full use, beside the cheapest rent that is paid only while it is used.
struct OwnedCost {
    std::string labels; // of the entry
    OwnedModels models;
    std::vector<savings::OwnInput> missing; // in the configuration; not empty: the cost is unknown
    savings::Crossover result; // without rents if the model is not known, or nobody offers it in USD
    std::optional<base::Error> error; // why there is no result

    std::string gpuModel() const { return models.size() == 1 ? *models.begin() : std::string(); } // empty: not known
};
// `models` as ownedModels() gives them.
[[nodiscard]] std::vector<OwnedCost> ownedCosts(const std::vector<model::OwnedMachine> &machines,
                                                const std::vector<OwnedModels> &models, const savings::QuoteList &list);

} // namespace gpuledger::services
