// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/insight/spend/reconcile.h"
#include "app/reports/statement/adjustments.h"
#include "app/reports/statement/statement.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gpuledger::reports {

// The figures of months, by month.
using MonthsFigures = std::map<insight::Month, MonthFigures>;

// The months before the preceding one, as stored with a month and included in its report: by name only for the teams
// that the month's statement names.
struct PastMonths {
    MonthsFigures ofTeams;
    MonthsFigures ofOthers; // all other teams combined, without a name
    bool operator==(const PastMonths &) const = default;
};

// Reduces `months` for the statement of all teams of a later month. Fails with Overflow.
[[nodiscard]] base::Result<PastMonths> pastFor(const Statement &statement, const MonthsFigures &months);

// The amount of each line of a statement in the months up to it: bills and estimates combined; a team's lines of a
// month add up to its total of that month. Immutable; any thread.
class History {
public:
    static constexpr int kMonths = 12; // the requested month, and those before it

    using Line = std::pair<std::string, std::string>; // category and state, as in StatementLine
    using Lines = std::map<Line, base::Money>;

    // The months before the one that precedes `last`, ascending: those not covered by the figures of `last` and its
    // comparison with the preceding month.
    static std::vector<insight::Month> past(const insight::Month &last);
    // `latest`: `last` and the preceding month. A month without figures had no cost, but without `past` the months of
    // past() are unknown. Fails with Overflow.
    [[nodiscard]] static base::Result<History> of(const MonthsFigures &latest, const PastMonths *past, CostView view,
                                                  const insight::Month &last);

    const std::vector<insight::Month> &months() const { return m_months; } // ascending, kMonths of them
    bool isWhole() const { return m_isWhole; } // false: only the month and the preceding one are known
    // Null: the team (or all teams combined) has nothing in that month.
    const Lines *find(base::Currency currency, const std::string &team, const insight::Month &month) const;
    const Lines *findAll(base::Currency currency, const insight::Month &month) const;

private:
    enum class Named { Yes, No };
    [[nodiscard]] base::Result<void> add(const MonthsFigures &figures, CostView view, Named named);

    std::vector<insight::Month> m_months;
    bool m_isWhole = true;
    std::map<std::tuple<base::Currency, std::string, insight::Month>, Lines> m_teams;
    std::map<std::pair<base::Currency, insight::Month>, Lines> m_all;
};

} // namespace gpuledger::reports
