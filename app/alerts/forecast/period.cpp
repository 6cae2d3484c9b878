// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/forecast/period.h"

#include <array>
#include <chrono>
#include <utility>

namespace gpuledger::alerts {

namespace {

constexpr std::array<std::pair<PeriodKind, std::string_view>, 3> kPeriodNames{
    {{PeriodKind::Month, "month"}, {PeriodKind::Quarter, "quarter"}, {PeriodKind::Year, "year"}}};

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

Period Period::around(PeriodKind kind, base::Day day)
{
    const auto date = dateOf(day);
    const unsigned length = monthsOf(kind);
    const unsigned first = (static_cast<unsigned>(date.month()) - 1) / length * length + 1;
    const std::chrono::year_month month = date.year() / std::chrono::month(first);
    return {kind, firstOf(month), firstOf(month + std::chrono::months(length))};
}

std::string Period::name() const
{
    const auto date = dateOf(begin);
    const unsigned month = static_cast<unsigned>(date.month());
    const std::string year = std::to_string(static_cast<int>(date.year()));
    if (kind == PeriodKind::Year)
        return year;
    if (kind == PeriodKind::Quarter)
        return year + "-Q" + std::to_string((month + 2) / 3);
    return year + (month < 10 ? "-0" : "-") + std::to_string(month);
}

} // namespace gpuledger::alerts
