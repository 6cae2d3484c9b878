// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/budgets/budget.h"

#include <algorithm>

namespace gpuledger::alerts {

using base::Money;
using base::Result;

namespace {

Result<std::optional<Money>> carriedInto(const Budget &budget, const ForecastQuestion &question, const Period &period)
{
    std::vector<std::optional<Money>> spent;
    const base::Day year = Period::around(PeriodKind::Year, period.begin, budget.yearStarts).begin;
    Period earlier = Period::around(budget.period, std::max(question.past.first, year), budget.yearStarts);
    for (; earlier.begin < period.begin; earlier = earlier.after()) {
        const auto whole = wholeSpend(question.past, earlier, question.currency);
        GPULEDGER_TRY(whole);
        spent.push_back(*whole);
    }
    return carriedFrom(budget.amount, spent);
}

// Where nothing is available, every amount above 0 reaches all of them.
std::optional<double> highestReached(const std::vector<double> &warn, const Money &amount, std::optional<double> share)
{
    std::optional<double> highest;
    for (const double threshold : warn) {
        const bool reached = share ? *share >= threshold : amount.nanos() > 0;
        if (reached && (!highest || threshold > *highest))
            highest = threshold;
    }
    return highest;
}

} // namespace

Result<std::optional<Money>> wholeSpend(const DailySeries &past, const Period &period, base::Currency currency)
{
    Money sum(0, currency);
    for (base::Day day = period.begin; day < period.end; ++day.number) {
        const auto nanos = past.on(day);
        if (!nanos)
            return std::nullopt;
        const auto more = sum.plus(Money(*nanos, currency));
        GPULEDGER_TRY(more);
        sum = *more;
    }
    return sum;
}

Result<std::optional<Money>> carriedFrom(const Money &amount, std::span<const std::optional<Money>> spent)
{
    std::optional<Money> carried;
    for (const std::optional<Money> &period : spent) {
        if (!period) {
            carried.reset();
            continue;
        }
        const auto available = amount.plus(carried.value_or(Money(0, amount.currency())));
        GPULEDGER_TRY(available);
        const auto left = available->minus(*period);
        GPULEDGER_TRY(left);
        carried = *left;
    }
    return carried;
}

std::optional<double> shareOf(const Money &amount, const Money &available)
{
    if (available.nanos() <= 0)
        return std::nullopt;
    return static_cast<double>(amount.nanos()) / static_cast<double>(available.nanos());
}

Result<BudgetState> stateOf(const Budget &budget, const ForecastQuestion &question, base::Day day, ForecastParts parts,
                            FitMemo *memo)
{
    if (budget.amount.nanos() <= 0)
        return base::fail(base::ErrorCode::InvalidArgument, "a budget must be above 0");
    if (budget.amount.currency() != question.currency)
        return base::fail(base::ErrorCode::InvalidArgument, "a budget is in another currency than the spend");
    BudgetState out;
    const Period period = Period::around(budget.period, day, budget.yearStarts);
    const auto forecast = forecastPeriod(question, period, parts, memo);
    GPULEDGER_TRY(forecast);
    out.forecast = *forecast;
    if (budget.carriesOver) {
        const auto carried = carriedInto(budget, question, period);
        GPULEDGER_TRY(carried);
        out.carried = *carried;
    }
    const auto available = budget.amount.plus(out.carried.value_or(Money(0, question.currency)));
    GPULEDGER_TRY(available);
    out.available = *available;
    out.share = shareOf(out.forecast.spent, out.available);
    out.crossed = highestReached(budget.warn, out.forecast.spent, out.share);
    if (out.forecast.expected) {
        out.forecastShare = shareOf(*out.forecast.expected, out.available);
        if (budget.warnsOfForecast)
            out.crossedByForecast = highestReached(budget.warn, *out.forecast.expected, out.forecastShare);
    }
    if (parts != ForecastParts::All)
        return out;
    const auto suggested = suggestedBudget(question, period);
    GPULEDGER_TRY(suggested);
    out.suggested = *suggested;
    return out;
}

} // namespace gpuledger::alerts
