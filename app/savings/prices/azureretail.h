// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/savings/prices/pricelists.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>

// Reads the retail prices that Azure publishes for everybody
// (learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices): on demand, spot, reservations and
// savings plans.
namespace gpuledger::savings {

// What follows the address for the machines with accelerators (sizes of the N families) of one region. `region` as
// Azure writes it ("eastus"): letters and digits.
std::string azureRetailQuery(const std::string &region, base::Currency currency);

// Takes the pages of an answer, in any order, and makes one list of them. One thread at a time; what it is given must
// outlive it.
class AzureRetailReader {
public:
    // `source` becomes that of the prices; prices that begin after `today` are not taken.
    AzureRetailReader(std::string source, base::Currency currency, base::Day today, const ledger::GpuCatalog &catalog,
                      const MachineSizes &sizes);

    // Returns the address of the next page; empty: this was the last one. Fails with Parse; a row that can't be read is
    // counted.
    [[nodiscard]] base::Result<std::string> add(std::string_view page);
    // Of two prices for the same, that of the meter's own region counts, then the one that began last. Two of the same
    // rank that differ are both left out, as unreadable.
    QuoteList take();

private:
    // How a price is paid. The numbers only sort.
    enum class Way { OnDemand, Spot, ReservedOneYear, ReservedThreeYears, PlannedOneYear, PlannedThreeYears };
    struct Row {
        base::Money price;
        bool isOfOwnRegion = false;
        base::Day begins;
        bool isDoubtful = false; // another row of the same rank has another price
    };
    using Key = std::tuple<std::string, std::string, Way>; // region, machine, way

    struct Item; // a row of the answer
    bool addItem(const Item &item); // false: it can't be read
    void put(const Key &key, const Row &row);
    void addQuote(const Key &key, const Row &row);

    std::string m_source;
    base::Currency m_currency;
    base::Day m_today;
    const ledger::GpuCatalog &m_catalog;
    const MachineSizes &m_sizes;
    std::map<Key, Row> m_rows;
    QuoteList m_list;
};

} // namespace gpuledger::savings
