// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/base/result.h"
#include "app/insight/spend/reconcile.h"
#include "app/reports/adjustments.h"
#include "app/reports/statement.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gpuledger::reports {

// What months came to, by month.
using MonthsFigures = std::map<insight::Month, MonthFigures>;

// The months before the month before, as they are kept with a month and go out with its report: by name only the teams
// that the month's statement names.
struct PastMonths {
    MonthsFigures ofTeams;
    MonthsFigures ofOthers; // all other teams together, without a name
    bool operator==(const PastMonths &) const = default;
};

// `months` for the statement of all teams of a later month. Fails with Overflow.
[[nodiscard]] base::Result<PastMonths> pastFor(const Statement &statement, const MonthsFigures &months);

// What each line of a statement was in the months up to it: bills and estimate together; a team's lines of a month add
// up to its total of that month. Immutable; any thread.
class History {
public:
    static constexpr int kMonths = 12; // the month asked for, and those before it

    using Line = std::pair<std::string, std::string>; // category and state, as in StatementLine
    using Lines = std::map<Line, base::Money>;

    // The months before the one before `last`, ascending: those that figures of `last` and of a comparison with the
    // month before it say nothing about.
    static std::vector<insight::Month> past(const insight::Month &last);
    // `latest`: `last` and the month before it. Months without figures had none, but without `past` those of past() are
    // not known. Fails with Overflow.
    [[nodiscard]] static base::Result<History> of(const MonthsFigures &latest, const PastMonths *past, CostView view,
                                                  const insight::Month &last);

    const std::vector<insight::Month> &months() const { return m_months; } // ascending, kMonths of them
    bool isWhole() const { return m_isWhole; } // false: only the month and the one before it are known
    // Null: the team (all teams together) has nothing in that month.
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
