// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/money/billdays.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::model {

using base::Day;

namespace {

// Also works for times whose day does not fit into a Day.
std::int64_t dayNumber(base::UtcTime t)
{
    return base::toUnix(base::floorTo(t, base::kDay)) / base::kDay.count();
}

bool inLedger(std::int64_t day)
{
    return kFirstLedgerDay.number <= day && day <= kLastLedgerDay.number;
}

} // namespace

Placement placementOf(const base::TimeRange &chargePeriod, base::UtcTime billingPeriodStart)
{
    const std::int64_t first = dayNumber(chargePeriod.start);
    const std::int64_t last = chargePeriod.empty() ? first : dayNumber(chargePeriod.end - base::Seconds{1});
    if (inLedger(first) && inLedger(last) && last - first < kMostChargeDays)
        return {{static_cast<std::int32_t>(first)}, {static_cast<std::int32_t>(last)}, false};
    const Day day{static_cast<std::int32_t>(
        std::clamp<std::int64_t>(dayNumber(billingPeriodStart), kFirstLedgerDay.number, kLastLedgerDay.number))};
    return {day, day, true};
}

void secondsPerDay(const base::TimeRange &chargePeriod, const Placement &placement, std::vector<std::int64_t> &out)
{
    out.clear();
    if (placement.first == placement.last) {
        out.push_back(1);
        return;
    }
    for (Day day = placement.first; day <= placement.last; ++day.number)
        out.push_back(chargePeriod.intersect({day.start(), day.end()}).length().count());
}

bool coversDays(const BillLine &line)
{
    return line.category == ChargeCategory::Usage && line.chargePeriod.length() <= kCoveringPeriod;
}

std::string cloudOfProvider(std::string_view provider)
{
    std::string lower(provider);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
    });
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNames{{
        {"aws", "aws"}, // allowed: a cloud
        {"amazon", "aws"}, // allowed: a cloud
        {"microsoft", "azure"},
        {"azure", "azure"},
        {"google", "gcp"},
        {"gcp", "gcp"},
        {"oracle", "oci"},
        {"oci", "oci"},
    }};
    for (const auto &[part, cloud] : kNames) {
        if (lower.starts_with(part))
            return std::string(cloud);
    }
    return lower;
}

} // namespace gpuledger::model
