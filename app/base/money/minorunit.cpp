// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/money/minorunit.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace gpuledger::base {

namespace {

constexpr int kMostMinorDigits = 9; // of Money

std::int64_t nanosPerMinorUnit(Currency currency)
{
    std::int64_t nanos = 1;
    for (int i = minorDigits(currency); i < kMostMinorDigits; ++i)
        nanos *= 10;
    return nanos;
}

// A non-negative remainder, as of a division that rounds down.
std::int64_t remainderOf(std::int64_t whole, std::int64_t part)
{
    const std::int64_t rest = whole % part;
    return rest < 0 ? rest + part : rest;
}

std::int64_t roundedHalfAway(std::int64_t whole, std::int64_t part)
{
    const std::int64_t rest = whole % part;
    if (2 * rest >= part)
        return whole / part + 1;
    return whole / part - (2 * rest <= -part ? 1 : 0);
}

} // namespace

int minorDigits(Currency currency)
{
    static constexpr std::array<std::string_view, 16> kNone{"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW",
                                                            "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"};
    static constexpr std::array<std::string_view, 7> kThree{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"};
    const auto isIn = [&](const auto &list) {
        return std::find(list.begin(), list.end(), currency.code()) != list.end();
    };
    return isIn(kNone) ? 0 : isIn(kThree) ? 3 : 2;
}

Result<std::vector<std::int64_t>> inMinorUnits(std::span<const Money> amounts)
{
    std::vector<std::int64_t> units;
    if (amounts.empty())
        return units;
    const std::int64_t part = nanosPerMinorUnit(amounts.front().currency());
    Money sum(0, amounts.front().currency());
    std::vector<std::int64_t> remainders;
    for (const Money &amount : amounts) {
        const auto all = sum.plus(amount);
        GPULEDGER_TRY(all);
        sum = *all;
        units.push_back(amount.nanos() / part - (amount.nanos() % part < 0 ? 1 : 0));
        remainders.push_back(remainderOf(amount.nanos(), part));
    }
    const std::int64_t missing =
        roundedHalfAway(sum.nanos(), part) - std::accumulate(units.begin(), units.end(), std::int64_t{0});
    std::vector<std::size_t> order(amounts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
    for (std::size_t i = 0; i < static_cast<std::size_t>(missing); ++i)
        ++units[order[i]];
    return units;
}

std::string minorText(std::int64_t units, Currency currency)
{
    const auto digits = static_cast<std::size_t>(minorDigits(currency));
    std::string text = std::to_string(units < 0 ? -units : units);
    if (text.size() <= digits)
        text.insert(0, digits + 1 - text.size(), '0');
    if (digits > 0)
        text.insert(text.size() - digits, ".");
    return (units < 0 ? "-" : "") + text;
}

} // namespace gpuledger::base
