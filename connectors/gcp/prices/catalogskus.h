// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/pricequote.h"
#include "connectors/gcp/prices/machineparts.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace gpuledger::gcp {

// What Google charges for a unit of something.
struct SkuRate {
    std::optional<std::int64_t> nanos; // 1e-9 US dollars; empty: it can't be read, or there are several
    SkuUnit unit = SkuUnit::Other;

    bool operator==(const SkuRate &) const = default;
};

// The prices of parts of machines, as pages of the Cloud Billing Catalog tell them. Value type.
class CatalogSkus {
public:
    // Only SKUs of these names are kept.
    explicit CatalogSkus(std::set<std::string> names)
        : m_names(std::move(names))
    {
    }

    // The token of the next page; empty: this was the last one. Fails with Parse.
    [[nodiscard]] base::Result<std::string> add(const nlohmann::json &page);

    std::set<std::string> regionsOf(model::PurchaseOption purchase, const MachinePart &part) const;
    // The price of a unit of the part there; std::nullopt: there is none.
    std::optional<SkuRate> rateOf(model::PurchaseOption purchase, const MachinePart &part,
                                  const std::string &region) const;

private:
    using Place = std::tuple<model::PurchaseOption, std::string, std::string>; // name, region
    std::set<std::string> m_names;
    std::map<Place, SkuRate> m_rates;
};

} // namespace gpuledger::gcp
