// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

// What reservations and savings plans of Azure have in common: members of `properties`, in which every number is a text
// (format::parseWithNumbersAsText). No calls; values.
namespace gpuledger::azure {

// How well a benefit was used. Value type.
struct BenefitUse {
    std::optional<double> share; // 0 to 1; std::nullopt: not told
    std::optional<base::Day> first, last; // UTC, both included; of `share`

    // The longest of Azure's means over the last 30, 7 and 1 days. These are taken as the whole days before `today`.
    static BenefitUse of(const nlohmann::json &properties, base::Day today);
};

// What was bought, in short: "1 year, monthly, shared". Printable; empty: nothing is told.
std::string benefitTerms(const nlohmann::json &properties);
// std::nullopt: not told. Of an end that is told as a date only, the last second of that day.
std::optional<base::UtcTime> benefitEnd(const nlohmann::json &properties);
// True of one that expired, that was cancelled, or that another one has replaced, and of one that was never bought.
bool isBenefitOver(const nlohmann::json &properties, base::UtcTime now);

} // namespace gpuledger::azure
