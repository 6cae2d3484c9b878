// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/ledger/bills/billmatch.h"
#include "app/ledger/rules/ledgerrules.h"
#include "app/store/facts/factreader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace gpuledger::ledger {

// Days of bills that an expected rate is the mean of; how many days before the asked one are searched for them; and the
// newest billed days that are left out, because their bill may still change.
inline constexpr int kExpectedFromDays = 3, kExpectedLookbackDays = 45, kOpenBillDays = 2;

// True if a label says that the cloud may take the node back.
bool isSpotNode(const model::Node &node);

// What machines are expected to cost on days that no bill covers yet: the amortized cost per GPU-hour of the newest
// final bill days, of the machine itself, else of all billed machines of its cloud, instance type, region and purchase
// option (spot, or not). Follows from bills alone, so a day's answer changes only if a bill of the days before it does.
// One thread; caches what it read.
class ExpectedRates {
public:
    struct Rate {
        std::int64_t cost = 0, ticks = 0; // nano-units of the report currency, for that much GPU time
        std::string source; // "expected from bills until 2026-11-18", or "… of machines of its type …"
    };
    // `machines` are all nodes, without time; both must outlive this object and must not change.
    ExpectedRates(const LedgerRules &rules, const std::vector<NodeDay> &machines);
    // For the machine at this index on that day; std::nullopt: its bills don't say. Fails with the reader's error.
    [[nodiscard]] base::Result<std::optional<Rate>> of(std::size_t machine, base::Day day, store::FactReader &facts);

private:
    struct Sum {
        std::int64_t cost = 0, ticks = 0;
        bool known = true; // false: a line's GPU time is unknown, or an amount has no exchange rate
    };
    using TypeKey = std::tuple<std::string, std::string, std::string, bool>; // cloud, type, region, spot
    struct BilledDay {
        std::map<std::size_t, Sum> machines;
        std::map<TypeKey, Sum> types;
        std::map<std::string, bool> clouds; // those with machine time on the day
    };
    base::Result<const BilledDay *> billedOn(base::Day day, store::FactReader &facts);
    base::Result<std::vector<const BilledDay *>> finalDays(const std::string &cloud, base::Day day,
                                                           store::FactReader &facts, std::vector<base::Day> &dates);
    const BillItem &itemOf(const store::BilledItem &billed);

    const LedgerRules &m_rules;
    const std::vector<NodeDay> &m_machines;
    BillMatch m_match;
    std::map<base::Day, BilledDay> m_days;
    std::unordered_map<std::int64_t, BillItem> m_items;
};

} // namespace gpuledger::ledger
