// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/base/result.h"
#include "app/base/time.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"
#include "app/model/ledgerline.h"

#include <compare>
#include <map>
#include <string>
#include <vector>

// A closed month never changes. What its ledger says differently later is an adjustment, told once, in a month that is
// open. The law: the costs of all months and their adjustments add up to the bills that are known now, in each currency
// and in both views. Pure; any thread.
namespace gpuledger::reports {

struct AdjustmentKey {
    base::Currency currency;
    std::string team, category, state; // as in a statement
    auto operator<=>(const AdjustmentKey &) const = default;
};

struct AdjustmentAmounts {
    std::int64_t billed = 0, effective = 0; // nano-units of the key's currency, of bills
    std::int64_t estimated = 0; // by an allocator or the price book, of time that no bill covers
    bool operator==(const AdjustmentAmounts &) const = default;
};

// What a month comes to. Keys with nothing may be there.
using MonthFigures = std::map<AdjustmentKey, AdjustmentAmounts>;

struct MonthAdjustment {
    insight::Month of;
    base::UtcTime closedAt{};
    AdjustmentKey key;
    AdjustmentAmounts amounts;
};

// "2026-09, closed 2026-10-04": what an adjustment refers to.
std::string referenceOf(const insight::Month &month, base::UtcTime closedAt);

// Adds a line of the ledger. `report` is the currency of the price book. Fails with Overflow.
[[nodiscard]] base::Result<void> addTo(MonthFigures &figures, const model::LedgerKey &key,
                                       const model::LedgerAmounts &amounts, base::Currency report);
// Of rows by statementDimensions(). Fails with Overflow.
[[nodiscard]] base::Result<MonthFigures> figuresOf(const std::vector<insight::LedgerRow> &rows);

// What is left to tell of a closed month: its ledger now, less what was closed, less what later closed months told of
// it already (`told`: adjustments of that month). Ascending by key, without zeros. Fails with Overflow.
[[nodiscard]] base::Result<std::vector<MonthAdjustment>>
adjustmentsOf(const insight::Month &month, base::UtcTime closedAt, const MonthFigures &closed, const MonthFigures &now,
              const std::vector<MonthAdjustment> &told);

} // namespace gpuledger::reports
