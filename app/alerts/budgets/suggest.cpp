// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/budgets/suggest.h"

#include "app/alerts/budgets/budget.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace gpuledger::alerts {

using base::Money;
using base::Result;

namespace {

// Of at least one amount; the mean of the two middle ones if their number is even.
std::int64_t middleOf(std::vector<std::int64_t> amounts)
{
    std::sort(amounts.begin(), amounts.end());
    const std::size_t upper = amounts.size() / 2;
    return amounts.size() % 2 == 1 ? amounts[upper] : std::midpoint(amounts[upper - 1], amounts[upper]);
}

Result<Money> spreadAround(const Money &median, const std::vector<std::int64_t> &amounts)
{
    std::vector<std::int64_t> distances;
    for (const std::int64_t amount : amounts) {
        const Money one(amount, median.currency());
        const auto distance = amount > median.nanos() ? one.minus(median) : median.minus(one);
        GPULEDGER_TRY(distance);
        distances.push_back(distance->nanos());
    }
    std::sort(distances.begin(), distances.end());
    const std::size_t rank = (8 * distances.size() + 9) / 10; // ceil(0.8 n), from 1
    return Money(distances[rank - 1], median.currency());
}

Result<Money> roundedUp(const Money &amount)
{
    constexpr std::int64_t kTwoDigits = 100, kTen = 10;
    std::int64_t step = 1;
    while (amount.nanos() / step >= kTwoDigits)
        step *= kTen;
    const std::int64_t steps = amount.nanos() / step + (amount.nanos() % step == 0 ? 0 : 1);
    if (steps > std::numeric_limits<std::int64_t>::max() / step)
        return base::fail(base::ErrorCode::Overflow, "a suggested budget does not fit into an amount of money");
    return Money(steps * step, amount.currency());
}

} // namespace

Result<std::optional<SuggestedAmount>> suggestedFromHistory(const DailySeries &past, PeriodKind kind,
                                                            base::Currency currency, int yearStarts)
{
    SuggestedAmount out;
    std::vector<std::int64_t> amounts;
    Period period = Period::around(kind, past.end(), yearStarts);
    for (std::size_t i = 0; i < kSuggestedFrom; ++i) {
        period = period.before();
        const auto spent = wholeSpend(past, period, currency);
        GPULEDGER_TRY(spent);
        if (!*spent)
            continue;
        amounts.push_back((*spent)->nanos());
        out.from.push_back(period);
    }
    if (amounts.size() < kLeastSuggestedFrom)
        return std::nullopt;
    std::reverse(out.from.begin(), out.from.end());
    const Money median(middleOf(amounts), currency);
    const auto spread = spreadAround(median, amounts);
    GPULEDGER_TRY(spread);
    const auto sum = median.plus(*spread);
    GPULEDGER_TRY(sum);
    if (sum->nanos() <= 0)
        return std::nullopt;
    const auto rounded = roundedUp(*sum);
    GPULEDGER_TRY(rounded);
    out.amount = *rounded;
    return out;
}

} // namespace gpuledger::alerts
