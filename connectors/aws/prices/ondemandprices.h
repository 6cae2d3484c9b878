// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/pricequote.h"
#include "app/ports/pricesource.h"
#include "connectors/aws/awswire.h"

#include <optional>
#include <set>
#include <string>

// The price of a type on demand as the price list service of AWS tells it. No calls; values.
namespace gpuledger::aws {

// The region of the price list service that is asked about a region; empty: its credentials can't ask any.
std::string priceListRegion(const std::string &region);

// In which prices of a region are.
base::Currency priceCurrency(const std::string &region);

// Asks for the products that are the type on demand: Linux, shared, without licence or software.
Call productsCall(const std::string &type, const std::string &region, const std::string &token);

// Collects the pages of the answers about one type. One thread.
class OnDemandPrice {
public:
    OnDemandPrice(std::string type, std::string region, ports::KnownMachine machine);

    // Returns the token of the next page; empty: this was the last one. Fails with Parse.
    [[nodiscard]] base::Result<std::string> add(const std::string &page);
    // Adds its price, or counts why it has none: it is zero, can't be read, or there are several. A type that the
    // region does not have is neither.
    void addTo(model::QuoteList &list) const;

private:
    std::string m_type, m_region;
    ports::KnownMachine m_machine;
    base::Currency m_currency;
    std::set<std::int64_t> m_prices; // that differ, in nanos
    bool m_isAnyUnreadable = false;
};

} // namespace gpuledger::aws
