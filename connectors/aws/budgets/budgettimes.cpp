// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/budgets/budgettimes.h"

#include "app/base/money/decimal.h"
#include "app/base/text/text.h"
#include "connectors/aws/budgets/budgetscope.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <chrono>

namespace gpuledger::aws {

using Period = model::CloudBudgetPeriod;

namespace {

constexpr base::UtcTime kEndOfTime = base::fromUnix(253'402'300'800); // of the year 9999

// A bound of a budget's life.
struct LifeBound {
    bool isReadable = true;
    std::optional<base::UtcTime> at; // std::nullopt: there is none
};

LifeBound boundIn(const nlohmann::json &life, const char *key)
{
    const nlohmann::json &value = format::memberOf(life, key);
    if (value.is_null())
        return {};
    const auto at = budgetTimeOf(format::textOf(life, key));
    return {at.has_value(), at};
}

// The calendar period of this many months that `now` is in.
base::TimeRange calendarMonths(base::UtcTime now, unsigned count)
{
    using namespace std::chrono;
    const year_month_day date{floor<days>(now)};
    const unsigned sinceYear = static_cast<unsigned>(date.month()) - 1;
    const year_month begin = date.year() / month{sinceYear - sinceYear % count + 1};
    const year_month end = begin + months{static_cast<int>(count)};
    return {sys_days(begin / day{1}), sys_days(end / day{1})};
}

Period periodOf(const std::string &unit)
{
    return isBudgetWord(unit, "DAILY")    ? Period::Day
        : isBudgetWord(unit, "MONTHLY")   ? Period::Month
        : isBudgetWord(unit, "QUARTERLY") ? Period::Quarter
        : isBudgetWord(unit, "ANNUALLY")  ? Period::Year
                                          : Period::Other;
}

base::TimeRange currentPeriod(Period period, base::UtcTime now)
{
    constexpr unsigned kQuarter = 3, kYear = 12;
    switch (period) {
    case Period::Day:
        return {base::floorTo(now, base::kDay), base::floorTo(now, base::kDay) + base::kDay};
    case Period::Month:
        return calendarMonths(now, 1);
    case Period::Quarter:
        return calendarMonths(now, kQuarter);
    case Period::Year:
        return calendarMonths(now, kYear);
    case Period::Other:
        break;
    }
    return {};
}

} // namespace

std::optional<base::UtcTime> budgetTimeOf(const std::string &text)
{
    base::UtcTime at;
    if (const auto number = base::Decimal::parse(text)) {
        const std::string exact = number->toText(); // a double would be off by a second
        const auto seconds = base::parseInt(std::string_view(exact).substr(0, exact.find('.')));
        if (number->isNegative() || !seconds || *seconds >= base::toUnix(kEndOfTime))
            return std::nullopt;
        at = base::fromUnix(*seconds);
    } else if (const auto written = base::parseTime(text)) {
        at = *written;
    } else {
        return std::nullopt;
    }
    return base::UtcTime{} <= at && at < kEndOfTime ? std::optional(at) : std::nullopt;
}

BudgetTimes BudgetTimes::of(const std::string &unit, const nlohmann::json &life, base::UtcTime now)
{
    BudgetTimes out;
    out.period = periodOf(unit);
    const bool isCustom = isBudgetWord(unit, "CUSTOM");
    const LifeBound start = boundIn(life, "Start"), end = boundIn(life, "End");
    if ((out.period == Period::Other && !isCustom) || !start.isReadable || !end.isReadable)
        return out;
    base::TimeRange days = currentPeriod(out.period, now);
    if (isCustom && (!start.at || !end.at))
        return out;
    if (start.at)
        days.start = isCustom ? *start.at : std::max(days.start, *start.at);
    if (end.at)
        days.end = isCustom ? *end.at : std::min(days.end, *end.at);
    if (days.empty())
        return out;
    out.first = base::dayOf(days.start);
    out.last = base::dayOf(days.end - base::Seconds{1});
    return out;
}

} // namespace gpuledger::aws
