// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/rules/boundsuggest.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace gpuledger::alerts {

namespace {

constexpr std::size_t kLeastDays = 7; // of one scope or of several
constexpr std::int64_t kShareStep = 50'000'000; // 5 %

bool growsWithTheFleet(RuleMetric metric)
{
    switch (metric) {
    case RuleMetric::IdleCost:
    case RuleMetric::IdleHours:
    case RuleMetric::Utilization:
    case RuleMetric::AllocationWithoutUse:
    case RuleMetric::Unallocated:
    case RuleMetric::QueueWaiting:
    case RuleMetric::CommitmentUnused:
    case RuleMetric::SpotInterruptions:
        return true;
    default:
        return false; // what is too much of these does not depend on the fleet
    }
}

// Without overflow, to within one nano for each value.
std::int64_t dailyMeanOf(const std::vector<std::int64_t> &values)
{
    const auto count = static_cast<std::int64_t>(values.size());
    std::int64_t mean = 0, rest = 0;
    for (const std::int64_t value : values) {
        mean += value / count;
        rest += value % count;
    }
    return mean + rest / count;
}

// The mean of each day on which something is known.
void addDailyMeans(const std::vector<Reading> &readings, std::vector<std::int64_t> &out)
{
    std::map<std::int32_t, std::vector<std::int64_t>> days;
    for (const Reading &reading : readings) {
        if (reading.nanos)
            days[base::dayOf(reading.at).number].push_back(*reading.nanos);
    }
    for (const auto &[day, values] : days)
        out.push_back(dailyMeanOf(values));
}

// 1, 2 or 5 times a power of ten, next to `nanos`, which is above 0.
std::int64_t roundNumber(std::int64_t nanos, bool isUp)
{
    std::int64_t below = 1;
    for (std::int64_t power = 1;; power *= 10) {
        for (const std::int64_t step : {power, 2 * power, 5 * power}) {
            if (step > nanos || (isUp && step == nanos))
                return isUp ? step : below;
            below = step;
        }
        if (power > std::numeric_limits<std::int64_t>::max() / 100)
            return below;
    }
}

std::int64_t roundShare(std::int64_t nanos, bool isUp)
{
    const std::int64_t steps = nanos / kShareStep + (isUp && nanos % kShareStep > 0 ? 1 : 0);
    return std::max<std::int64_t>(steps, 1) * kShareStep;
}

// Without zeros at the end, and without a point that nothing follows.
std::string plainNumber(std::int64_t nanos)
{
    std::string text = base::Money(nanos, base::Currency::usd()).toDecimal();
    if (text.find('.') == std::string::npos)
        return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

} // namespace

std::optional<std::string> suggestedBound(const Rule &rule, const std::map<std::string, std::vector<Reading>> &past,
                                          base::Currency currency)
{
    std::vector<std::int64_t> days;
    if (growsWithTheFleet(rule.metric)) {
        for (const auto &[scope, readings] : past)
            addDailyMeans(readings, days);
    }
    if (days.size() < kLeastDays)
        return std::nullopt;
    std::sort(days.begin(), days.end());
    const std::size_t tenth = days.size() / 10;
    const std::int64_t value = rule.isBelow() ? days[tenth] : days[days.size() - 1 - tenth];
    if (value <= 0)
        return std::nullopt;
    if (rule.bound.unit == RuleUnit::Share)
        return plainNumber(roundShare(value, !rule.isBelow()) * 100) + " %";
    return plainNumber(roundNumber(value, !rule.isBelow())) + ' ' + unitText(rule.bound.unit, currency);
}

} // namespace gpuledger::alerts
