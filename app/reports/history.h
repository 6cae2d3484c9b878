// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/base/result.h"
#include "app/insight/ledgerquery.h"
#include "app/insight/reconcile.h"
#include "app/reports/statement.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gpuledger::reports {

// What each line of a statement was in the months up to it: bills and estimate together. Of the ledger as it is now,
// and of closed months as they were closed; a team's lines of a month add up to its total of that month. Immutable; any
// thread.
class History {
public:
    static constexpr int kMonths = 12; // the month asked for, and those before it

    using Line = std::pair<std::string, std::string>; // category and state, as in StatementLine
    using Lines = std::map<Line, base::Money>;

    static std::vector<insight::LedgerDimension> dimensions(); // what of() wants the rows by
    static base::TimeRange range(const insight::Month &last);
    // Fails with Overflow.
    [[nodiscard]] static base::Result<History> of(const insight::LedgerAnswer &rows, CostView view,
                                                  const insight::Month &last);

    const std::vector<insight::Month> &months() const { return m_months; } // ascending, kMonths of them
    // Null: the team (all teams together) has nothing in that month.
    const Lines *find(base::Currency currency, const std::string &team, const insight::Month &month) const;
    const Lines *findAll(base::Currency currency, const insight::Month &month) const;

private:
    [[nodiscard]] base::Result<void> add(const insight::LedgerRow &row, CostView view);

    std::vector<insight::Month> m_months;
    std::map<std::tuple<base::Currency, std::string, insight::Month>, Lines> m_teams;
    std::map<std::pair<base::Currency, insight::Month>, Lines> m_all;
};

} // namespace gpuledger::reports
