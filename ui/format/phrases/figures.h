// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/time.h"
#include "app/base/time/timezone.h"

#include <optional>
#include <string>

// Figures as terminal text: decimal point, no grouping; an unknown value is a dash and never 0. Independent of the
// locale; pure; any thread.
namespace gpuledger::ui {

std::string fixed(double value, int decimals); // "12.30"; not finite: "-"
std::string hoursText(base::GpuTime time); // GPU-hours, one decimal
std::string percentText(std::optional<double> share); // 0.123 -> "12.3 %"
std::string moneyText(std::optional<base::Money> amount); // "12.34 USD", rounded half away from zero
std::string amountText(std::int64_t nanos); // "12.34"
std::string durationText(base::Seconds duration); // "3 d 4 h", "5 min", "20 s"
std::string bytesText(std::uint64_t bytes); // "1.2 MB"
std::string timeText(base::UtcTime t, const base::TimeZone &zone); // "2026-11-01 13:00" in the zone

} // namespace gpuledger::ui
