// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/pricesource.h"
#include "connectors/aws/awswire.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Spot prices of a region as EC2 tells them: a step function of each type and zone. No calls; values.
namespace gpuledger::aws {

using KnownMachines = std::map<std::string, ports::KnownMachine>; // by type in lower case

// What is asked in one go: at most so many types, because an address and a filter have limits.
inline constexpr std::size_t kMostSpotTypes = 50;
std::vector<std::vector<std::string>> chunksOf(const KnownMachines &machines);

// Asks for the Linux prices of these types from `since` on; the last change before it is in the answer, too.
Call spotHistoryCall(const std::vector<std::string> &types, base::UtcTime since, const std::string &token);

// Collects the pages of answers, in any order. One thread.
class SpotHistory {
public:
    // `machines` must outlive it.
    SpotHistory(const KnownMachines &machines, base::Currency currency)
        : m_machines(machines)
        , m_currency(currency)
    {
    }

    // Returns the token of the next page; empty: this was the last one. Fails with Parse. Rows of other types or
    // systems are dropped, those that can't be read are counted.
    [[nodiscard]] base::Result<std::string> add(const std::string &page);
    // The current price of each type and zone, which is the last one, and the steps to it. A price that can't be read
    // leaves out its type and zone if it is the last one. Times after `now` become `now`.
    ports::PricesTold take(const std::string &region, base::UtcTime now) const;

private:
    struct Step {
        base::UtcTime from{};
        bool isOfVpc = false; // of the two products for Linux, that for a VPC counts if there are both
        std::optional<base::Money> price; // empty: it can't be read
    };
    using Place = std::pair<std::string, std::string>; // type, zone

    const KnownMachines &m_machines;
    base::Currency m_currency;
    std::map<Place, std::vector<Step>> m_steps;
    std::size_t m_unreadable = 0;
};

} // namespace gpuledger::aws
