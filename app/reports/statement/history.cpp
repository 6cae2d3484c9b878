// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/history.h"

#include "app/store/values/billed.h"

#include <algorithm>
#include <set>

namespace gpuledger::reports {

using base::Currency;
using base::Money;
using base::Result;
using insight::Month;

namespace {

Result<void> addLineTo(History::Lines &lines, const History::Line &line, const Money &amount)
{
    Money &sum = lines[line];
    const auto all = sum.plus(amount);
    GPULEDGER_TRY(all);
    sum = *all;
    return {};
}

} // namespace

Result<PastMonths> pastFor(const Statement &statement, const MonthsFigures &months)
{
    std::set<std::string> named;
    for (const CurrencyStatement &currency : statement.currencies) {
        for (const TeamStatement &team : currency.teams)
            named.insert(team.team);
    }
    PastMonths out;
    for (const auto &[month, figures] : months) {
        for (const auto &[key, amounts] : figures) {
            if (named.contains(key.team)) {
                out.ofTeams[month].emplace(key, amounts);
                continue;
            }
            AdjustmentAmounts &to = out.ofOthers[month][{key.currency, {}, key.category, key.state}];
            GPULEDGER_TRY(store::addAmount(to.billed, amounts.billed));
            GPULEDGER_TRY(store::addAmount(to.effective, amounts.effective));
            GPULEDGER_TRY(store::addAmount(to.estimated, amounts.estimated));
        }
    }
    return out;
}

std::vector<Month> History::past(const Month &last)
{
    std::vector<Month> out;
    Month month = before(last);
    for (int i = 2; i < kMonths; ++i) {
        month = before(month);
        out.push_back(month);
    }
    std::reverse(out.begin(), out.end());
    return out;
}

Result<void> History::add(const MonthsFigures &figures, CostView view, Named named)
{
    for (const auto &[month, ofMonth] : figures) {
        for (const auto &[key, amounts] : ofMonth) {
            const Line line{key.category, key.state};
            const std::int64_t cost = view == CostView::Billed ? amounts.billed : amounts.effective;
            for (const Money &amount : {Money(cost, key.currency), Money(amounts.estimated, key.currency)}) {
                GPULEDGER_TRY(addLineTo(m_all[{key.currency, month}], line, amount));
                if (named == Named::Yes)
                    GPULEDGER_TRY(addLineTo(m_teams[{key.currency, key.team, month}], line, amount));
            }
        }
    }
    return {};
}

Result<History> History::of(const MonthsFigures &latest, const PastMonths *past, CostView view, const Month &last)
{
    History out;
    out.m_isWhole = past != nullptr;
    out.m_months = History::past(last);
    out.m_months.push_back(before(last));
    out.m_months.push_back(last);
    GPULEDGER_TRY(out.add(latest, view, Named::Yes));
    if (past) {
        GPULEDGER_TRY(out.add(past->ofTeams, view, Named::Yes));
        GPULEDGER_TRY(out.add(past->ofOthers, view, Named::No));
    }
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
