// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/bill.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

// The bills of a UTC day, as input of the ledger.
namespace gpuledger::store {

// One day's share of the lines of a part that are equal except for times, amounts and quantities.
struct BilledItem {
    std::int64_t id = 0; // stable until the part is replaced
    const model::BillLine *line = nullptr; // without times, amounts, quantities and file; valid while the visitor runs
    std::string source;
    std::int64_t billed = 0, effective = 0; // nano-units of the line's currency
    std::optional<std::int64_t> quantity; // consumed, in millionths of its unit; std::nullopt: not given by a line
    bool whole = false; // the day was not given: see model::Placement
    bool covers = false; // see model::coversDays
    std::uint64_t lines = 0;
    std::string place{}; // place of the first of them, "path:row"; empty if not requested
};
using BilledVisitor = std::function<base::Result<void>(const BilledItem &)>;

// Billed and effective cost in one currency.
struct BillAmounts {
    std::int64_t billed = 0, effective = 0; // nano-units
    bool operator==(const BillAmounts &) const = default;
};
using BillTotals = std::map<base::Currency, BillAmounts>;

// Billed usage lines for which the file gives effective cost 0.
struct EffectiveZero {
    base::Currency currency;
    std::string provider;
    std::uint64_t lines = 0;
    std::int64_t billed = 0; // nano-units
};

// a += b. Fails with Overflow.
[[nodiscard]] base::Result<void> addAmount(std::int64_t &a, std::int64_t b);

} // namespace gpuledger::store
