// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"
#include "app/model/money/ledgerline.h"

#include <compare>
#include <map>
#include <string>
#include <vector>

// A closed month never changes. If its ledger changes later, the difference is an adjustment, reported once, in an open
// month. Invariant: the costs of all months and their adjustments add up to the bills known now, in each currency and
// in both views. Pure; any thread.
namespace gpuledger::reports {

// What figures of a month are added up by.
struct AdjustmentKey {
    base::Currency currency;
    std::string team, category, state; // as in a statement
    auto operator<=>(const AdjustmentKey &) const = default;
};

// The amounts of one key.
struct AdjustmentAmounts {
    std::int64_t billed = 0, effective = 0; // nano-units of the key's currency, from bills
    std::int64_t estimated = 0; // from an allocator or the price book, for time that no bill covers
    bool operator==(const AdjustmentAmounts &) const = default;
};

// The totals of a month by key. May contain keys with zero amounts.
using MonthFigures = std::map<AdjustmentKey, AdjustmentAmounts>;

// A change to a closed month, reported in an open one.
struct MonthAdjustment {
    insight::Month of;
    base::UtcTime closedAt{};
    AdjustmentKey key;
    AdjustmentAmounts amounts;
};

// The reference of an adjustment: "2026-09, closed 2026-10-04".
std::string referenceOf(const insight::Month &month, base::UtcTime closedAt);

// Adds a ledger line. `report` is the currency of the price book. Fails with Overflow.
[[nodiscard]] base::Result<void> addTo(MonthFigures &figures, const model::LedgerKey &key,
                                       const model::LedgerAmounts &amounts, base::Currency report);
// From rows by statementDimensions(). Fails with Overflow.
[[nodiscard]] base::Result<MonthFigures> figuresOf(const std::vector<insight::LedgerRow> &rows);

// The adjustments of a closed month not reported yet: its current ledger, minus what was closed, minus what later
// closed months already reported for it (`told`: adjustments of that month). Ascending by key, without zeros. Fails
// with Overflow.
[[nodiscard]] base::Result<std::vector<MonthAdjustment>>
adjustmentsOf(const insight::Month &month, base::UtcTime closedAt, const MonthFigures &closed, const MonthFigures &now,
              const std::vector<MonthAdjustment> &told);

} // namespace gpuledger::reports
