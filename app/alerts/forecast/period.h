// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Periods of budgets and forecasts, in UTC days as the ledger and the bills have them. A year, and its quarters, may
// begin in any month (model::Settings::fiscalYearStarts). Pure; any thread.
namespace gpuledger::alerts {

enum class PeriodKind { Month, Quarter, Year };
std::string_view toString(PeriodKind kind); // "month", "quarter", "year"
std::optional<PeriodKind> periodKindFromString(std::string_view text);

// Calendar days begin..end, without end.
struct Period {
    PeriodKind kind = PeriodKind::Month;
    base::Day begin, end;
    int yearStarts = 1; // the month in which a year begins, 1 to 12; of a Month always 1, because it does not matter

    // The one that contains the day.
    static Period around(PeriodKind kind, base::Day day, int yearStarts = 1);
    Period before() const { return around(kind, base::Day{begin.number - 1}, yearStarts); }
    Period after() const { return around(kind, end, yearStarts); }
    std::size_t days() const { return static_cast<std::size_t>(end.number - begin.number); }
    base::TimeRange range() const { return {begin.start(), end.start()}; }
    // "2026-11", "2026-Q4", "2026"; of a year that begins in another month than January: "2026/27", "2026/27-Q3".
    std::string name() const;
    bool operator==(const Period &) const = default;
};

} // namespace gpuledger::alerts
