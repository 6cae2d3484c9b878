// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/realized/realizedweeks.h"

#include <algorithm>
#include <cstdint>

namespace gpuledger::savings {

namespace {

struct PriceSums {
    double nanos = 0, paid = 0;
};

WeekSums weekSums(const RealizedPast &past, std::size_t start)
{
    WeekSums sums{};
    for (std::size_t day = start; day < start + kRealizedWeek; ++day) {
        const RealizedDay &target = past.target[day], &control = past.control[day];
        sums[Cost] += static_cast<double>(target.nanos);
        sums[Paid] += static_cast<double>(target.paid);
        sums[Active] += static_cast<double>(target.active);
        sums[Runs] += static_cast<double>(target.runs);
        sums[ControlPaid] += static_cast<double>(control.paid);
        sums[ControlActive] += static_cast<double>(control.active);
    }
    return sums;
}

bool isObservedWeek(const RealizedPast &past, std::size_t start)
{
    for (std::size_t day = start; day < start + kRealizedWeek; ++day) {
        if (!past.target[day].observed || !past.control[day].observed)
            return false;
    }
    return true;
}

// Adds the week if it is known in full.
void addWeek(RealizedWindow &window, const RealizedPast &past, std::size_t start)
{
    if (!isObservedWeek(past, start))
        return;
    const auto first = past.target.begin() + static_cast<std::ptrdiff_t>(start);
    if (std::all_of(first, first + kRealizedWeek, [](const RealizedDay &day) { return day.priced; }))
        window.weeks.push_back(start);
    else
        ++window.unpriced;
}

void finish(RealizedWindow &window, const RealizedPast &past)
{
    std::sort(window.weeks.begin(), window.weeks.end());
    for (const std::size_t start : window.weeks) {
        window.sums.push_back(weekSums(past, start));
        for (std::size_t sum = 0; sum < SumCount; ++sum)
            window.mean[sum] += window.sums.back()[sum] / static_cast<double>(window.weeks.size());
    }
}

PriceSums pricesOf(const std::vector<RealizedPriceDay> &days, std::size_t start)
{
    PriceSums sums;
    for (std::size_t day = start; day < std::min(start + kRealizedWeek, days.size()); ++day) {
        sums.nanos += static_cast<double>(days[day].nanos);
        sums.paid += static_cast<double>(days[day].paid);
    }
    return sums;
}

PriceSums pricesOf(const std::vector<RealizedPriceDay> &days, const RealizedWindow &window)
{
    PriceSums sums;
    for (const std::size_t start : window.weeks) {
        const PriceSums week = pricesOf(days, start);
        sums.nanos += week.nanos;
        sums.paid += week.paid;
    }
    return sums;
}

// The control group's prices by kind of machine; as one kind if they are not given.
std::vector<std::vector<RealizedPriceDay>> kindsOfMachines(const RealizedPast &past)
{
    if (!past.prices.empty())
        return past.prices;
    std::vector<RealizedPriceDay> all;
    for (const RealizedDay &day : past.control)
        all.push_back({day.nanos, day.paid});
    return {all};
}

} // namespace

RealizedWindow weeksBefore(const RealizedPast &past)
{
    RealizedWindow window;
    const std::int64_t end = past.begun.number - past.first.number;
    const auto days = static_cast<std::int64_t>(past.target.size());
    for (int week = 1; week <= kRealizedMostBefore; ++week) {
        const std::int64_t start = end - std::int64_t{week} * kRealizedWeek;
        if (start < 0 || start + kRealizedWeek > days)
            continue;
        addWeek(window, past, static_cast<std::size_t>(start));
    }
    while (!window.weeks.empty() && weekSums(past, window.weeks.back())[Paid] <= 0)
        window.weeks.pop_back();
    finish(window, past);
    return window;
}

RealizedWindow weeksAfter(const RealizedPast &past)
{
    RealizedWindow window;
    const std::int64_t first = std::int64_t{past.done.number} + 1 - past.first.number;
    auto days = static_cast<std::int64_t>(past.target.size());
    if (past.ended)
        days = std::min(days, std::int64_t{past.ended->number} - past.first.number);
    for (std::int64_t start = std::max<std::int64_t>(first, 0), week = 0;
         start + kRealizedWeek <= days && week < kRealizedMostAfter; start += kRealizedWeek, ++week) {
        addWeek(window, past, static_cast<std::size_t>(start));
    }
    finish(window, past);
    return window;
}

base::TimeRange rangeOf(const RealizedPast &past, const RealizedWindow &window)
{
    if (window.weeks.empty())
        return {};
    const auto dayAt = [&](std::size_t index) {
        return base::Day{static_cast<std::int32_t>(past.first.number + static_cast<std::int64_t>(index))};
    };
    return {dayAt(window.weeks.front()).start(), dayAt(window.weeks.back() + kRealizedWeek).start()};
}

void setPrices(const RealizedPast &past, RealizedWindow &before, RealizedWindow &after)
{
    const auto kinds = kindsOfMachines(past);
    double compared = 0, all = 0;
    for (const auto &days : kinds) {
        const PriceSums then = pricesOf(days, before);
        all += then.nanos;
        compared += pricesOf(days, after).paid > 0 && then.paid > 0 ? then.nanos : 0;
    }
    if (compared <= 0 || 2 * compared < all)
        return;
    for (RealizedWindow *window : {&before, &after}) {
        for (const auto &days : kinds) {
            const PriceSums weight = pricesOf(days, before), whole = pricesOf(days, *window);
            if (weight.paid <= 0 || pricesOf(days, after).paid <= 0)
                continue;
            for (std::size_t i = 0; i < window->weeks.size(); ++i) {
                const PriceSums week = pricesOf(days, window->weeks[i]);
                const PriceSums &rate = week.paid > 0 ? week : whole;
                const double part = weight.paid * rate.nanos / rate.paid / compared;
                window->sums[i][Price] += part;
                window->mean[Price] += part / static_cast<double>(window->weeks.size());
            }
        }
    }
}

} // namespace gpuledger::savings
