// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/forecast/billages.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::alerts {

namespace {

constexpr std::size_t kLeastExamples = 5, kMostExamples = 60;
constexpr double kWholeExamples = 2, kLeastShare = 0.2;
constexpr double kDeviationsOfMedian = 1.4826; // standard deviations in a median distance, if normally distributed

// std::nullopt: nothing was known at that age.
std::optional<double> amountAt(const BilledPast &day, std::size_t age)
{
    std::optional<double> amount;
    for (const KnownAmount &known : day.known) {
        if (known.age <= static_cast<std::int32_t>(age))
            amount = known.amount;
    }
    return amount;
}

double middleShare(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::optional<DayShare> shareOfAge(const std::vector<const BilledPast *> &finals, std::size_t age)
{
    std::vector<double> shares;
    for (const BilledPast *day : finals) {
        const auto then = amountAt(*day, age), whole = amountAt(*day, kOpenAges);
        if (then && whole && *whole > 0)
            shares.push_back(*then / *whole);
    }
    if (shares.size() < kLeastExamples)
        return std::nullopt;
    const auto count = static_cast<double>(shares.size());
    DayShare out;
    out.share = (count * middleShare(shares) + kWholeExamples) / (count + kWholeExamples);
    for (double &share : shares)
        share = std::abs(share - out.share);
    out.spread = kDeviationsOfMedian * middleShare(std::move(shares));
    return out.share < kLeastShare ? DayShare{0, 0} : out;
}

} // namespace

SharesByAge sharesByAge(const std::vector<BilledPast> &days, base::Day asOf)
{
    std::vector<const BilledPast *> finals;
    for (const BilledPast &day : days) {
        if (day.day.number + static_cast<std::int32_t>(kOpenAges) <= asOf.number)
            finals.push_back(&day);
    }
    std::sort(finals.begin(), finals.end(), [](const auto *a, const auto *b) { return b->day < a->day; });
    finals.resize(std::min(finals.size(), kMostExamples));
    SharesByAge out;
    for (std::size_t age = 0; age < kOpenAges; ++age)
        out.push_back(shareOfAge(finals, age));
    return out;
}

} // namespace gpuledger::alerts
