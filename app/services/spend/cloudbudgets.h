// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/cloudbudget.h"
#include "app/model/money/costview.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

class Engine;

// Why no bill is beside a budget.
enum class BudgetGap : std::uint8_t {
    None,
    OnlyPart, // it does not cover all of the source's bill, or counts costs in another way
    NoPeriod, // the cloud does not say for which days it is
    NotBilled, // the bill lacks days of the period so far
    NoRate, // the bill is in a currency without an exchange rate
    NotPaid, // at list prices nothing is paid
};

struct BudgetRow {
    std::string source;
    model::CloudBudget budget;
    std::optional<base::Money> limit{}, spent{}, forecast{}; // as the cloud says; std::nullopt: it does not
    BudgetGap gap = BudgetGap::None;
    // What the source's bill has in the budget's period so far, in that currency, and the last day that the bill has of
    // it. std::nullopt: see `gap`.
    std::optional<base::Money> billed{};
    std::optional<base::Day> billedThrough{};
};

// A source whose budgets can't be read now.
struct UnreadBudgets {
    std::string source;
    base::Error error;
};

struct BudgetsAnswer {
    std::vector<BudgetRow> rows; // by source, cloud, account and name
    std::vector<UnreadBudgets> unread; // by source
    std::uint64_t withoutMoney = 0, rejected = 0; // see ports::BudgetList; left out
};

// The budgets of all sources that tell them, each beside what the source's bill has of its period. A source that fails
// is told in `unread` and leaves the others as they are. Blocks; call from a worker thread. Fails with NotFound (no
// source tells budgets, or a report is open), Cancelled, Overflow and Storage… codes.
[[nodiscard]] base::Result<BudgetsAnswer> cloudBudgets(Engine &engine, model::CostView view,
                                                       const std::stop_token &stop);

} // namespace gpuledger::services
