// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/budgets/budgetperiod.h"

#include "connectors/azure/azurelogin.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

namespace gpuledger::azure {

namespace {

struct TimeGrain {
    std::string_view name; // in lower case
    model::CloudBudgetPeriod period;
    unsigned months; // of a calendar period; 0: that of an invoice
};
constexpr std::array<TimeGrain, 6> kTimeGrains{{{"monthly", model::CloudBudgetPeriod::Month, 1},
                                                {"quarterly", model::CloudBudgetPeriod::Quarter, 3},
                                                {"annually", model::CloudBudgetPeriod::Year, 12},
                                                {"billingmonth", model::CloudBudgetPeriod::Month, 0},
                                                {"billingquarter", model::CloudBudgetPeriod::Quarter, 0},
                                                {"billingannual", model::CloudBudgetPeriod::Year, 0}}};

struct DayRange {
    base::Day first, last;
};

base::Day dayOn(std::chrono::sys_days day)
{
    return base::dayOf(base::UtcTime{day});
}

// The calendar period of this many months that a day is in.
DayRange calendarPeriod(base::Day today, unsigned months)
{
    using namespace std::chrono;
    const year_month_day date{floor<days>(today.start())};
    const unsigned sinceYear = static_cast<unsigned>(date.month()) - 1;
    const year_month begin = date.year() / month{sinceYear - sinceYear % months + 1};
    const year_month end = begin + std::chrono::months{static_cast<int>(months)};
    return {dayOn(sys_days(begin / day{1})), base::Day{dayOn(sys_days(end / day{1})).number - 1}};
}

// "2026-11-01T00:00:00Z": the day as it is written, whatever the time and the offset. std::nullopt: not a day.
std::optional<base::Day> writtenDay(const std::string &text)
{
    constexpr std::size_t kDate = 10;
    if (text.size() > kDate && text[kDate] != 'T' && text[kDate] != ' ')
        return std::nullopt;
    const auto time = text.size() >= kDate ? base::parseTime(text.substr(0, kDate)) : base::parseTime({});
    return time ? std::optional(base::dayOf(*time)) : std::nullopt;
}

} // namespace

BudgetPeriod BudgetPeriod::of(const std::string &timeGrain, const nlohmann::json &timePeriod, base::Day today)
{
    BudgetPeriod out;
    const std::string name = lowerCase(timeGrain);
    const auto grain =
        std::find_if(kTimeGrains.begin(), kTimeGrains.end(), [&](const TimeGrain &one) { return one.name == name; });
    if (grain == kTimeGrains.end())
        return out;
    out.period = grain->period;
    const nlohmann::json &end = format::memberOf(timePeriod, "endDate");
    const auto from = writtenDay(format::textOf(timePeriod, "startDate"));
    const auto until = writtenDay(format::textOf(timePeriod, "endDate")); // the last day
    if (grain->months == 0 || !from || today < *from || (until ? *until < today : !end.is_null()))
        return out;
    const DayRange days = calendarPeriod(today, grain->months);
    out.first = std::max(days.first, *from);
    out.last = until ? std::min(days.last, *until) : days.last;
    return out;
}

} // namespace gpuledger::azure
