// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/bill.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

// What bills say of a UTC day, as the ledger is made from it.
namespace gpuledger::store {

// The share of one day of the lines of a part that are alike in everything but times, amounts and quantities.
struct BilledItem {
    std::int64_t id = 0; // stays what it is until the part is replaced
    const model::BillLine *line = nullptr; // without times, amounts, quantities and file; valid while the visitor runs
    std::string source;
    std::int64_t billed = 0, effective = 0; // nano-units of the line's currency
    std::optional<std::int64_t> quantity; // consumed, in millionths of its unit; nothing: a line does not say
    bool whole = false; // the day was not told: see model::Placement
    bool covers = false; // see model::coversDays
    std::uint64_t lines = 0;
    std::string place{}; // where the first of them stands, "path:row"; empty where it was not asked for
};
using BilledVisitor = std::function<base::Result<void>(const BilledItem &)>;

struct BillAmounts {
    std::int64_t billed = 0, effective = 0; // nano-units
    bool operator==(const BillAmounts &) const = default;
};
using BillTotals = std::map<base::Currency, BillAmounts>;

// Lines of usage that were billed, of which the file says effective cost 0.
struct EffectiveZero {
    base::Currency currency;
    std::string provider;
    std::uint64_t lines = 0;
    std::int64_t billed = 0; // nano-units
};

// a += b. Fails with Overflow.
[[nodiscard]] base::Result<void> addAmount(std::int64_t &a, std::int64_t b);

} // namespace gpuledger::store
