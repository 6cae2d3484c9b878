// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/history.h"

#include "app/model/ledgerline.h"

#include <algorithm>

namespace gpuledger::reports {

using base::Currency;
using base::Money;
using base::Result;
using insight::LedgerDimension;
using insight::Month;

namespace {

enum Key { InMonth, Team, Category, State, Origin };

Result<void> addTo(History::Lines &lines, const History::Line &line, const Money &amount)
{
    Money &sum = lines[line];
    const auto all = sum.plus(amount);
    GPULEDGER_TRY(all);
    sum = *all;
    return {};
}

} // namespace

std::vector<LedgerDimension> History::dimensions()
{
    return {LedgerDimension::Month, LedgerDimension::Team, LedgerDimension::Category, LedgerDimension::State,
            LedgerDimension::Origin};
}

base::TimeRange History::range(const Month &last)
{
    Month first = last;
    for (int i = 1; i < kMonths; ++i)
        first = before(first);
    return {first.range().start, last.range().end};
}

Result<void> History::add(const insight::LedgerRow &row, CostView view)
{
    const auto month = insight::monthFromString(row.keys[InMonth]);
    if (!month)
        return base::fail(base::ErrorCode::Internal, "a row of the ledger without a month");
    const bool estimate = row.keys[Origin] != model::toString(model::LedgerOrigin::Billed);
    const Money amount = estimate ? estimateOf(row) : view == CostView::Billed ? row.billed : row.effective;
    const Line line{row.keys[Category], row.keys[State]};
    GPULEDGER_TRY(addTo(m_teams[{amount.currency(), row.keys[Team], *month}], line, amount));
    return addTo(m_all[{amount.currency(), *month}], line, amount);
}

Result<History> History::of(const insight::LedgerAnswer &rows, CostView view, const Month &last)
{
    History out;
    Month month = last;
    for (int i = 0; i < kMonths; ++i) {
        out.m_months.push_back(month);
        month = before(month);
    }
    std::reverse(out.m_months.begin(), out.m_months.end());
    for (const insight::LedgerRow &row : rows.rows)
        GPULEDGER_TRY(out.add(row, view));
    return out;
}

const History::Lines *History::find(Currency currency, const std::string &team, const Month &month) const
{
    const auto it = m_teams.find({currency, team, month});
    return it == m_teams.end() ? nullptr : &it->second;
}

const History::Lines *History::findAll(Currency currency, const Month &month) const
{
    const auto it = m_all.find({currency, month});
    return it == m_all.end() ? nullptr : &it->second;
}

} // namespace gpuledger::reports
