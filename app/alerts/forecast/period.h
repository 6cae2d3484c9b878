// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Periods of budgets and forecasts, in UTC days as the ledger and the bills have them. Pure; any thread.
namespace gpuledger::alerts {

enum class PeriodKind { Month, Quarter, Year };
std::string_view toString(PeriodKind kind); // "month", "quarter", "year"
std::optional<PeriodKind> periodKindFromString(std::string_view text);

// Calendar days begin..end, without end.
struct Period {
    PeriodKind kind = PeriodKind::Month;
    base::Day begin, end;

    static Period around(PeriodKind kind, base::Day day); // the one that contains it
    Period before() const { return around(kind, base::Day{begin.number - 1}); }
    Period after() const { return around(kind, end); }
    std::size_t days() const { return static_cast<std::size_t>(end.number - begin.number); }
    base::TimeRange range() const { return {begin.start(), end.start()}; }
    std::string name() const; // "2026-11", "2026-Q4", "2026"
    bool operator==(const Period &) const = default;
};

} // namespace gpuledger::alerts
