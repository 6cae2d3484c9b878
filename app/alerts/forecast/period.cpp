// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/forecast/period.h"

#include <array>
#include <chrono>
#include <utility>

namespace gpuledger::alerts {

namespace {

constexpr std::array<std::pair<PeriodKind, std::string_view>, 3> kPeriodNames{
    {{PeriodKind::Month, "month"}, {PeriodKind::Quarter, "quarter"}, {PeriodKind::Year, "year"}}};

constexpr unsigned kMonths = 12; // of a year

std::chrono::year_month_day dateOf(base::Day day)
{
    return std::chrono::sys_days{std::chrono::days{day.number}};
}

unsigned monthsOf(PeriodKind kind)
{
    return kind == PeriodKind::Month ? 1 : kind == PeriodKind::Quarter ? 3 : 12;
}

base::Day firstOf(std::chrono::year_month month)
{
    return base::Day{static_cast<std::int32_t>(std::chrono::sys_days{month / 1}.time_since_epoch().count())};
}

} // namespace

std::string_view toString(PeriodKind kind)
{
    return kPeriodNames[static_cast<std::size_t>(kind)].second;
}

std::optional<PeriodKind> periodKindFromString(std::string_view text)
{
    for (const auto &[kind, name] : kPeriodNames) {
        if (name == text)
            return kind;
    }
    return std::nullopt;
}

Period Period::around(PeriodKind kind, base::Day day, int yearStarts)
{
    const auto date = dateOf(day);
    const unsigned length = monthsOf(kind);
    const unsigned sinceYear = (static_cast<unsigned>(date.month()) + kMonths - static_cast<unsigned>(yearStarts))
        % kMonths; // whole months since the year began
    const std::chrono::year_month month =
        date.year() / date.month() - std::chrono::months(static_cast<int>(sinceYear % length));
    return {kind, firstOf(month), firstOf(month + std::chrono::months(length)),
            kind == PeriodKind::Month ? 1 : yearStarts};
}

std::string Period::name() const
{
    const auto date = dateOf(begin);
    const unsigned month = static_cast<unsigned>(date.month());
    if (kind == PeriodKind::Month)
        return std::to_string(static_cast<int>(date.year())) + (month < 10 ? "-0" : "-") + std::to_string(month);
    const int year = static_cast<int>(dateOf(around(PeriodKind::Year, begin, yearStarts).begin).year());
    std::string out = std::to_string(year);
    if (yearStarts != 1) {
        const int next = (year + 1) % 100;
        out += (next < 10 ? "/0" : "/") + std::to_string(next);
    }
    if (kind == PeriodKind::Quarter)
        out += "-Q" + std::to_string((month + kMonths - static_cast<unsigned>(yearStarts)) % kMonths / 3 + 1);
    return out;
}

} // namespace gpuledger::alerts
