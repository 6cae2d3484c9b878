// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/bills/billmonths.h"

#include "connectors/format/askedbill.h"

#include <algorithm>
#include <chrono>

namespace gpuledger::demo {

namespace {

constexpr base::Seconds kBilledAfter = base::kDay;

base::UtcTime monthBefore(base::UtcTime month, int count)
{
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(month)};
    return std::chrono::sys_days((day.year() / day.month() - std::chrono::months(count)) / 1);
}

// 0 if `to` is not later.
int monthsBetween(base::UtcTime from, base::UtcTime to)
{
    int count = 0;
    for (; from < to; from = format::nextMonthStart(from))
        ++count;
    return count;
}

} // namespace

std::vector<BillMonth> billedMonths(const Options &options, base::UtcTime now)
{
    const base::UtcTime begin = base::floorTo(now - options.days * base::kDay, base::kDay);
    const base::UtcTime billed = base::floorTo(now - kBilledAfter, base::kDay);
    base::UtcTime observed = format::monthStart(begin);
    if (observed < begin)
        observed = format::nextMonthStart(observed);
    base::UtcTime month = observed;
    if (options.months > 0)
        month = std::min(month, monthBefore(format::monthStart(now), options.months));
    std::vector<BillMonth> out;
    for (; month < billed; month = format::nextMonthStart(month)) {
        const base::UtcTime end = format::nextMonthStart(month);
        out.push_back(
            {.month = {month, end}, .until = std::min(end, billed), .monthsBefore = monthsBetween(month, observed)});
    }
    return out;
}

} // namespace gpuledger::demo
