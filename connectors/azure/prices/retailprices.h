// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/pricesource.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

// The prices that Azure publishes for everybody, as its service for retail prices reports them
// (learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices). No calls; values.
namespace gpuledger::azure {

inline constexpr char kRetailPath[] = "/api/retail/prices";

using KnownMachines = std::map<std::string, ports::KnownMachine>; // by type in lower case

// Path and query of the first page about the machines of the N families in a region, in US dollars. `region` as Azure
// writes it ("eastus"): letters and digits.
std::string retailQuery(const std::string &region);

// Collects the pages of answers, in any order. One thread.
class RetailPrices {
public:
    // `machines` must outlive it. Prices that begin after `now` are not taken.
    RetailPrices(const KnownMachines &machines, base::UtcTime now)
        : m_machines(machines)
        , m_now(now)
    {
    }

    // Takes a page about a region. Returns the address of the next one; empty: this was the last one. Fails with Parse,
    // and with TooMuch above 100,000 prices. Rows of other types are dropped; those of its types that can't be read are
    // counted.
    [[nodiscard]] base::Result<std::string> add(const std::string &page, const std::string &region);
    // The prices of each type and region. If meters have different prices for the same, it has none, and is counted.
    model::QuoteList take() const;

private:
    // How a price is paid. The numbers only sort.
    enum class Way { OnDemand, Spot, ReservedOneYear, ReservedThreeYears, PlannedOneYear, PlannedThreeYears };
    struct Row { // of one meter
        std::string machine; // as it is written there
        base::Money price;
        base::UtcTime begins{};
        bool isDoubtful = false; // another row of the meter that began at the same time has another price
    };
    using Key = std::tuple<std::string, std::string, Way>; // region, type in lower case
    using Meter = std::pair<bool, std::string>; // whether it is that of the region, id
    using Meters = std::map<Meter, Row>;

    struct Item; // a row of the answer
    static bool isOther(const Item &item);
    static std::optional<Way> wayOf(const Item &item);
    bool addItem(const Item &item); // false: it can't be read
    bool addPlans(const Item &item, const Meter &meter, Row row); // false: one of them can't be read
    void put(const Key &key, const Meter &meter, const Row &row);
    static const Row *onlyRow(const Meters &meters); // null: there are several
    const Row *rowAt(const Key &key) const; // null: there is none
    model::PriceQuote quoteOf(const Key &key, const Row &row, const Row *onDemand) const;

    const KnownMachines &m_machines;
    base::UtcTime m_now;
    std::map<Key, Meters> m_prices;
    std::size_t m_rows = 0;
    std::map<model::LeftOut, std::size_t> m_leftOut;
};

} // namespace gpuledger::azure
