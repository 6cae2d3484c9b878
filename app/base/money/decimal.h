// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpuledger::base {

// A decimal number with 18 digits after the decimal point, below 1e20 in magnitude: quantities and unit prices of a
// bill, and sums of its amounts as written, before they are rounded to Money. Value type.
class Decimal {
public:
    static constexpr int kFractionDigits = 18;

    constexpr Decimal() = default;
    // "-12.34", ".5", "1.5E-7". Digits below 1e-18 are truncated, which toMoney() cannot notice. Fails with Parse, or
    // with Overflow from 1e20 on.
    [[nodiscard]] static Result<Decimal> parse(std::string_view text);
    static Decimal of(const Money &amount);

    // Rounded half away from zero to 1e-9. Fails with Overflow.
    [[nodiscard]] Result<Money> toMoney(Currency currency) const;
    [[nodiscard]] Result<Decimal> plus(const Decimal &other) const; // fails with Overflow
    [[nodiscard]] Result<Decimal> minus(const Decimal &other) const; // fails with Overflow
    // The shortest exact text: "12.34", "-0.000001", "0".
    std::string toText() const;
    double toDouble() const;
    constexpr bool isZero() const { return m_scaled == 0; }
    constexpr bool isNegative() const { return m_scaled < 0; }

    constexpr auto operator<=>(const Decimal &) const = default;

private:
    __extension__ using Scaled = __int128;
    explicit constexpr Decimal(Scaled scaled)
        : m_scaled(scaled)
    {
    }
    [[nodiscard]] static Result<Decimal> checked(Scaled scaled);

    Scaled m_scaled = 0; // x 1e-18
};

} // namespace gpuledger::base
