// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/ledger/prices/gpucatalog.h"
#include "app/ledger/prices/pricerules.h"
#include "app/ledger/prices/splitpolicy.h"
#include "app/model/fleet/fleet.h"
#include "app/model/settings.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::ledger {

// Prices one hour of one whole device and names the source. Split policy gpu-first: the whole price of an instance is
// spread over its GPUs in equal shares. In order of preference:
//   1. the user's overrides, the most specific match (node labels, instance type, region, GPU model, cluster);
//   2. machines that the user owns: (price - residual) / years + power x PUE x price of a kWh + operation;
//   3. what a cloud's list of machines says that this machine costs (model::kGpuHourPriceLabel);
//   4. the list price of the instance type in its region;
//   5. its list price in another region of the same cloud, which the source states;
//   6. an estimate, which the source states: the median list price of a GPU of that model (in the node's cloud where it
//      is known and listed). It serves fleets of which only the GPU model is known.
// Otherwise there is no price: unknown is never zero. Owns copies of everything; immutable value, any thread.
class PriceBook {
public:
    struct Price {
        base::Rate perGpuHour; // in the report currency
        // Human-readable: "override: …", "owned: …", "price of the machine in the list of CLOUD", "price book DATE: …",
        // "list price estimate (…)".
        std::string source;
        std::optional<base::UtcTime> asOf; // date of the list price; empty: a user's price, or not stated in the list
    };

    // Fails with InvalidConfig (the user's prices) or Parse (the list).
    [[nodiscard]] static base::Result<PriceBook> create(const model::PriceSettings &settings,
                                                        base::Currency reportCurrency, std::string_view instancesCsv,
                                                        const GpuCatalog &catalog);

    // std::nullopt: no price. `node` may be null: no record of the node. A list price or override in another currency
    // needs one of the user's exchange rates, dated on or before `at`.
    std::optional<Price> priceOf(const model::Device &device, const model::Node *node, base::UtcTime at) const;
    base::Currency currency() const { return m_rates.reportCurrency(); }
    // In the report currency, by the user's exchange rates; std::nullopt: there is none.
    std::optional<base::Money> converted(const base::Money &amount, base::UtcTime at) const;
    // Describes a cloud's instance type, for machines that only a bill names. The list may have it without a price.
    struct Machine {
        std::string instanceType, cloud, gpuModel;
        std::int64_t devices = 1;
        bool wholeGpus = true; // false: the one device is a fraction of a GPU
        MachineShape shape; // fully known, or all zeros
    };
    const Machine *machine(std::string_view instanceType) const; // case-insensitive; valid as long as the book
    // Whose price it is, seen from the asked region: that of the region, that of another one, or no region was asked.
    enum class Region : std::uint8_t { Own, Other, Unknown };
    struct Offer {
        const Machine *machine = nullptr; // valid as long as the book
        base::Rate perHour; // the whole machine, in the report currency
        std::string source; // as Price::source
        Region region = Region::Own; // Own: also of the user's overrides
    };
    // What a cloud's machines with whole GPUs cost in a region and cluster: by the user's overrides that name no
    // labels, else by the list. Without estimates and prices of GPUs alone. Ascending by instance type.
    std::vector<Offer> offers(const std::string &cloud, const std::string &region, const std::string &cluster,
                              base::UtcTime at) const;
    // Instants at which a price may change (list prices and exchange rates are dated), ascending.
    const std::vector<base::UtcTime> &boundaries() const { return m_boundaries; }

private:
    struct Listed {
        std::string cloud, instanceType, gpuModel, region;
        base::Money perHour; // the instance
        std::int64_t devices = 1; // a fraction of a GPU counts as one device
        bool wholeGpus = true;
        std::optional<base::UtcTime> asOf;
        std::optional<base::UtcTime> checked; // when the list was read, where it does not state the date of its prices
        MachineShape shape;
    };

    [[nodiscard]] base::Result<void> addListed(std::string_view csv);
    // Outer nullopt: no such rule applies to the device. Inner nullopt: one does but yields no price (no exchange rate,
    // unknown number of GPUs); then no lower-ranked source may be used instead.
    using Verdict = std::optional<std::optional<Price>>;
    Verdict overridden(const model::Device &device, const model::Node *node, base::UtcTime at) const;
    Verdict owned(const model::Node &node, base::UtcTime at) const;
    std::optional<Price> ofMachine(const model::Node &node, base::UtcTime at) const;
    std::optional<Price> listed(const model::Node &node, base::UtcTime at) const;
    std::optional<Price> estimated(const model::Device &device, const model::Node *node, base::UtcTime at) const;
    const Listed *bestListed(const model::Node &node, base::UtcTime at) const;
    static Region regionOf(const Listed &row, const model::Node &node);
    std::optional<std::int64_t> devicesOf(const model::Device &device, const model::Node &node) const;
    std::string modelName(std::string_view exporterModel) const;

    GpuCatalog m_catalog;
    ExchangeRates m_rates;
    std::vector<OverrideRule> m_overrides; // most specific first
    std::vector<OwnedRule> m_owned;
    std::multimap<std::string, Listed, std::less<>> m_listed; // by instance type
    std::map<std::string, Machine, std::less<>> m_machines; // by instance type in lower case
    std::multimap<std::string, Listed, std::less<>> m_byModel; // whole GPUs only
    std::vector<base::UtcTime> m_boundaries;
};

} // namespace gpuledger::ledger
