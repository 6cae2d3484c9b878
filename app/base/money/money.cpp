// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/money/money.h"

#include "app/base/money/decimal.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gpuledger::base {

namespace {

__extension__ using Int128 = __int128;

constexpr Int128 kMax64 = std::numeric_limits<std::int64_t>::max();
constexpr Int128 kMin64 = std::numeric_limits<std::int64_t>::min();

Int128 divideRounded(Int128 value, Int128 divisor)
{
    const Int128 half = divisor / 2;
    return value >= 0 ? (value + half) / divisor : -((-value + half) / divisor);
}

tl::unexpected<Error> overflow(std::string_view what)
{
    return fail(ErrorCode::Overflow, std::string(what) + " does not fit into 64 bits");
}

} // namespace

Result<Currency> Currency::parse(std::string_view code)
{
    const bool ok =
        code.size() == 3 && std::all_of(code.begin(), code.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!ok)
        return fail(ErrorCode::Parse, "not a currency: \"" + printable(code, 16) + "\"", Remedy::UseCurrencyCode);
    return Currency{code[0], code[1], code[2]};
}

Result<Money> Money::parse(std::string_view decimal, Currency currency)
{
    const auto exact = Decimal::parse(decimal);
    GPULEDGER_TRY(exact);
    return exact->toMoney(currency);
}

std::string Money::toDecimal() const
{
    const bool negative = m_nanos < 0;
    const Int128 a = negative ? -static_cast<Int128>(m_nanos) : m_nanos;
    std::string fraction = std::to_string(static_cast<std::int64_t>(a % kNanosPerUnit));
    fraction.insert(0, 9 - fraction.size(), '0');
    return (negative ? "-" : "") + std::to_string(static_cast<std::int64_t>(a / kNanosPerUnit)) + '.' + fraction;
}

namespace {

Result<Currency> commonCurrency(const Money &a, const Money &b)
{
    if (a.currency() == b.currency() || (b.isZero() && b.currency() == Currency{}))
        return a.currency();
    if (a.isZero() && a.currency() == Currency{})
        return b.currency();
    return fail(ErrorCode::InvalidArgument,
                "amounts of " + std::string(a.currency().code()) + " and " + std::string(b.currency().code())
                    + " can't be added");
}

} // namespace

Result<Money> Money::plus(const Money &other) const
{
    const auto currency = commonCurrency(*this, other);
    if (!currency)
        return fail(currency.error());
    std::int64_t sum = 0;
    if (__builtin_add_overflow(m_nanos, other.m_nanos, &sum))
        return overflow("sum");
    return Money{sum, *currency};
}

Result<Money> Money::minus(const Money &other) const
{
    const auto currency = commonCurrency(*this, other);
    if (!currency)
        return fail(currency.error());
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(m_nanos, other.m_nanos, &difference))
        return overflow("difference");
    return Money{difference, *currency};
}

Result<std::vector<Money>> Money::allocate(std::span<const std::int64_t> weights) const
{
    if (weights.empty() || std::any_of(weights.begin(), weights.end(), [](std::int64_t w) { return w < 0; }))
        return fail(ErrorCode::InvalidArgument, "allocate() needs weights that are not negative");
    std::vector<Money> parts;
    parts.reserve(weights.size());
    for (const std::int64_t nanos : allocateInteger(m_nanos, weights))
        parts.emplace_back(nanos, m_currency);
    return parts;
}

std::vector<std::int64_t> allocateInteger(std::int64_t whole, std::span<const std::int64_t> weights)
{
    std::vector<std::int64_t> parts(weights.size(), 0);
    if (weights.empty())
        return parts;
    Int128 total = 0;
    for (const std::int64_t w : weights)
        total += w > 0 ? w : 0;
    if (total == 0) {
        parts[0] = whole;
        return parts;
    }
    const Int128 magnitude = whole < 0 ? -static_cast<Int128>(whole) : whole;
    const std::int64_t sign = whole < 0 ? -1 : 1;
    // |whole| x w < 2^126 and total < 2^63 x n: both fit.
    // Only those that are not 0: they add up to the units left times the total, and each is smaller than the total.
    std::vector<std::pair<Int128, std::size_t>> remainders;
    Int128 given = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] <= 0)
            continue;
        const Int128 product = magnitude * weights[i];
        const Int128 floor = product / total;
        given += floor;
        parts[i] = static_cast<std::int64_t>(floor * sign);
        if (const Int128 rest = product - floor * total; rest != 0) {
            if (remainders.empty())
                remainders.reserve(weights.size() - i);
            remainders.emplace_back(rest, i);
        }
    }
    const auto left = static_cast<std::ptrdiff_t>(magnitude - given);
    if (left == 0)
        return parts;
    // No two are equal, so the first ones are always the same.
    std::nth_element(remainders.begin(), remainders.begin() + left, remainders.end(), [](const auto &a, const auto &b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (std::ptrdiff_t k = 0; k < left; ++k)
        parts[remainders[static_cast<std::size_t>(k)].second] += sign;
    return parts;
}

Result<Money> Rate::times(GpuTime time) const
{
    const Int128 product = static_cast<Int128>(m_nanos) * time.ticks;
    const Int128 nanos = divideRounded(product, static_cast<Int128>(3600) * GpuTime::kTicksPerSecond);
    if (nanos > kMax64 || nanos < kMin64)
        return overflow("rate x time");
    return Money{static_cast<std::int64_t>(nanos), m_currency};
}

} // namespace gpuledger::base
