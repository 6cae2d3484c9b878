// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace gpuledger::insight {

// UTC days of a calendar month.
struct Month {
    int year = 1970;
    unsigned number = 1; // 1..12
    auto operator<=>(const Month &) const = default;
    base::TimeRange range() const;
};
std::optional<Month> monthFromString(std::string_view text); // "2026-11"
std::string toString(const Month &month);

} // namespace gpuledger::insight
