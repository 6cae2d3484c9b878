// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/statement.h"

#include "app/model/money/ledgerline.h"

#include <algorithm>

namespace gpuledger::reports {

using model::LedgerCategory;

namespace {

std::size_t orderOf(std::string_view state)
{
    return static_cast<std::size_t>(std::find(kGpuStates.begin(), kGpuStates.end(), state) - kGpuStates.begin());
}

std::size_t orderOfCategory(std::string_view category)
{
    std::size_t at = 0;
    while (at <= static_cast<std::size_t>(LedgerCategory::Unexplained)
           && model::toString(static_cast<LedgerCategory>(at)) != category)
        ++at;
    return at;
}

} // namespace

bool CurrencyStatement::isOnlyAdjusted() const
{
    return !hasBill && !adjustments.empty()
        && std::all_of(teams.begin(), teams.end(), [](const TeamStatement &team) { return team.lines.empty(); });
}

bool Statement::hasBill() const
{
    return std::any_of(currencies.begin(), currencies.end(), [](const CurrencyStatement &one) { return one.hasBill; });
}

bool Statement::reconciles() const
{
    return std::all_of(currencies.begin(), currencies.end(), [](const CurrencyStatement &one) {
        return one.difference().isZero() && one.unexplained.isZero();
    });
}

bool Statement::isCut() const
{
    const base::TimeRange range = month.range();
    constexpr base::Seconds kLate{3 * 3600}; // normal lag in a month that is not over: more than any schedule and a
                                             // sync take
    const base::UtcTime end = isOver ? range.end : std::min(range.end, made - kLate);
    return !observed.empty() && (observed.start > range.start || observed.end < end);
}

std::array<std::size_t, 2> lineOrder(std::string_view category, std::string_view state)
{
    return {orderOfCategory(category), orderOf(state)};
}

bool comesBefore(const StatementLine &a, const StatementLine &b)
{
    return lineOrder(a.category, a.state) < lineOrder(b.category, b.state);
}

insight::Month before(const insight::Month &month)
{
    return month.number > 1 ? insight::Month{month.year, month.number - 1} : insight::Month{month.year - 1, 12};
}

} // namespace gpuledger::reports
