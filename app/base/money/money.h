// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/gputime.h"

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::base {

// ISO 4217 code. Value type; the default is "no currency", which only the zero amount may have.
class Currency {
public:
    constexpr Currency() = default;
    // Three capital letters; fails with Parse.
    [[nodiscard]] static Result<Currency> parse(std::string_view code);
    static constexpr Currency usd() { return Currency{'U', 'S', 'D'}; }

    std::string_view code() const { return m_code[0] ? std::string_view(m_code.data(), 3) : std::string_view(); }
    constexpr auto operator<=>(const Currency &) const = default;

private:
    constexpr Currency(char a, char b, char c)
        : m_code{a, b, c}
    {
    }
    std::array<char, 3> m_code{};
};

// An amount: a count of 1e-9 currency units, so about +-9.2e9 units. Negative amounts are credits. Amounts of different
// currencies never add.
class Money {
public:
    static constexpr std::int64_t kNanosPerUnit = 1'000'000'000;

    constexpr Money() = default;
    constexpr Money(std::int64_t nanos, Currency currency)
        : m_nanos(nanos)
        , m_currency(currency)
    {
    }
    // Decimal text such as "-12.34" or "1e-3"; digits below 1e-9 are rounded half away from zero, not truncated. Fails
    // with Parse or Overflow.
    [[nodiscard]] static Result<Money> parse(std::string_view decimal, Currency currency);

    constexpr std::int64_t nanos() const { return m_nanos; }
    constexpr Currency currency() const { return m_currency; }
    constexpr bool isZero() const { return m_nanos == 0; }
    // Exactly nine decimals: "12.340000000".
    std::string toDecimal() const;
    double toDouble() const { return static_cast<double>(m_nanos) / kNanosPerUnit; }

    // Fails with Overflow, or with InvalidArgument if both have a currency and these differ.
    [[nodiscard]] Result<Money> plus(const Money &other) const;
    [[nodiscard]] Result<Money> minus(const Money &other) const;
    // Splits into parts in proportion to the weights by the largest remainder: the parts add up to *this exactly, ties
    // go to the first. If all weights are zero, everything goes to the first part. Fails with InvalidArgument on an
    // empty list or a negative weight.
    [[nodiscard]] Result<std::vector<Money>> allocate(std::span<const std::int64_t> weights) const;

    constexpr bool operator==(const Money &) const = default;

private:
    std::int64_t m_nanos = 0;
    Currency m_currency;
};

// Splits a whole by the largest remainder, by the same rule as Money::allocate, for ticks and seconds. Parts have the
// sign of the whole. Same preconditions; an empty or all-zero list gives the whole to the first part if there is one.
std::vector<std::int64_t> allocateInteger(std::int64_t whole, std::span<const std::int64_t> weights);

// Price of one device for one hour, in 1e-9 currency units per hour.
class Rate {
public:
    constexpr Rate() = default;
    constexpr Rate(std::int64_t nanosPerHour, Currency currency)
        : m_nanos(nanosPerHour)
        , m_currency(currency)
    {
    }
    constexpr std::int64_t nanosPerHour() const { return m_nanos; }
    constexpr Currency currency() const { return m_currency; }
    Money perHour() const { return {m_nanos, m_currency}; }
    // rate x time, computed in 128 bits and rounded once, half away from zero. Fails with Overflow.
    [[nodiscard]] Result<Money> times(GpuTime time) const;
    constexpr bool operator==(const Rate &) const = default;

private:
    std::int64_t m_nanos = 0;
    Currency m_currency;
};

} // namespace gpuledger::base
