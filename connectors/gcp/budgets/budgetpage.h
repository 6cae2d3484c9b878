// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/cloudbudget.h"
#include "app/ports/budgetsource.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

// Pages of the Cloud Billing Budget API (v1 billingAccounts.budgets.list). No calls.
namespace gpuledger::gcp {

// What the pages of a billing account say together. Value type.
class BudgetPages {
public:
    // `account`: id of the billing account; `today`: in UTC, decides which period is the current one.
    BudgetPages(std::string account, base::Day today)
        : m_account(std::move(account))
        , m_today(today)
    {
    }

    // Adds a page and returns the token of the next one; empty: this was the last one. Of a budget that is listed
    // twice, the first one counts. Fails with Parse (no list of budgets, or a token that is not a text).
    [[nodiscard]] base::Result<std::string> add(const nlohmann::json &page);
    // All budgets so far. One with a limit but without a currency has that of the others, because all budgets of a
    // billing account are in its currency; if none of them tells it, it is rejected.
    ports::BudgetList finished() const;

private:
    std::optional<model::CloudBudget> budgetOf(const nlohmann::json &json) const;

    std::string m_account;
    base::Day m_today;
    std::vector<model::CloudBudget> m_budgets;
    std::set<std::string> m_names; // resource names of budgets that were read
    std::uint64_t m_rejected = 0;
};

} // namespace gpuledger::gcp
