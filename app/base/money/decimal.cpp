// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/money/decimal.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <array>
#include <limits>

namespace gpuledger::base {

namespace {

__extension__ using Unsigned = unsigned __int128;

constexpr int kMostDigits = 38; // the scaled value is limited to 10^38, which fits into 127 bits
constexpr std::int64_t kMaxExponent = 10'000; // of a decimal text
constexpr std::int64_t kScaledPerNano = 1'000'000'000;

constexpr std::array<Unsigned, kMostDigits + 1> powers()
{
    std::array<Unsigned, kMostDigits + 1> all{};
    all[0] = 1;
    for (std::size_t i = 1; i < all.size(); ++i)
        all[i] = all[i - 1] * 10;
    return all;
}
constexpr auto kPower = powers();
constexpr Unsigned kOne = kPower[Decimal::kFractionDigits];

// Of a value below kOne, with leading zeros.
std::string eighteenDigits(Unsigned value)
{
    std::string text(Decimal::kFractionDigits, '0');
    auto rest = static_cast<std::uint64_t>(value); // divided faster than 128 bits
    for (std::size_t i = text.size(); rest != 0; rest /= 10)
        text[--i] = static_cast<char>('0' + rest % 10);
    return text;
}

// The first 38 significant digits of a text; value = mantissa x 10^exponent, truncated after them.
struct Scanned {
    bool negative = false;
    Unsigned mantissa = 0;
    int digits = 0; // of the mantissa, without leading zeros
    std::int64_t exponent = 0;
};

// Reads the digits at the front of `text`, before or after the decimal point; returns how many there were.
std::size_t scanDigits(std::string_view text, bool behindPoint, Scanned &out)
{
    std::size_t i = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
        const bool kept = out.digits < kMostDigits;
        if (kept && (out.digits > 0 || text[i] != '0')) {
            out.mantissa = out.mantissa * 10 + static_cast<unsigned>(text[i] - '0');
            ++out.digits;
        }
        out.exponent += (kept ? 0 : 1) - (behindPoint ? 1 : 0);
    }
    return i;
}

bool scanExponent(std::string_view text, Scanned &out)
{
    const bool plus = text.starts_with('+');
    text.remove_prefix(plus ? 1 : 0);
    const auto exponent = parseInt(text);
    if (!exponent || (plus && text.front() == '-') || *exponent > kMaxExponent || *exponent < -kMaxExponent)
        return false;
    out.exponent += *exponent;
    return true;
}

bool scan(std::string_view text, Scanned &out)
{
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        out.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    std::size_t any = scanDigits(text, false, out);
    text.remove_prefix(any);
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        const std::size_t n = scanDigits(text, true, out);
        any += n;
        text.remove_prefix(n);
    }
    if (any == 0)
        return false;
    if (text.starts_with('e') || text.starts_with('E'))
        return scanExponent(text.substr(1), out);
    return text.empty();
}

tl::unexpected<Error> beyondDecimal()
{
    return fail(ErrorCode::Overflow, "the number is too large");
}

} // namespace

Result<Decimal> Decimal::parse(std::string_view text)
{
    Scanned s;
    if (!scan(text, s))
        return fail(ErrorCode::Parse, "not an amount: \"" + printable(text, 64) + "\"", Remedy::WriteAmount);
    if (s.mantissa == 0)
        return Decimal{};
    const std::int64_t shift = s.exponent + kFractionDigits;
    if (s.digits + shift > kMostDigits)
        return beyondDecimal();
    if (shift >= 0)
        s.mantissa *= kPower[static_cast<std::size_t>(shift)];
    else
        s.mantissa = -shift > kMostDigits ? 0 : s.mantissa / kPower[static_cast<std::size_t>(-shift)];
    const auto magnitude = static_cast<Scaled>(s.mantissa);
    return Decimal{s.negative ? -magnitude : magnitude};
}

Decimal Decimal::of(const Money &amount)
{
    return Decimal{Scaled{amount.nanos()} * kScaledPerNano};
}

Result<Money> Decimal::toMoney(Currency currency) const
{
    const Scaled magnitude = m_scaled < 0 ? -m_scaled : m_scaled;
    const Scaled rounded = (magnitude + kScaledPerNano / 2) / kScaledPerNano;
    const Scaled nanos = m_scaled < 0 ? -rounded : rounded;
    if (nanos > std::numeric_limits<std::int64_t>::max() || nanos < std::numeric_limits<std::int64_t>::min())
        return fail(ErrorCode::Overflow, "the amount does not fit into 64 bits");
    return Money{static_cast<std::int64_t>(nanos), currency};
}

Result<Decimal> Decimal::checked(Scaled scaled)
{
    const auto limit = static_cast<Scaled>(kPower[kMostDigits]);
    if (scaled >= limit || scaled <= -limit)
        return beyondDecimal();
    return Decimal{scaled};
}

Result<Decimal> Decimal::plus(const Decimal &other) const
{
    Scaled sum = 0;
    if (__builtin_add_overflow(m_scaled, other.m_scaled, &sum))
        return beyondDecimal();
    return checked(sum);
}

Result<Decimal> Decimal::minus(const Decimal &other) const
{
    return plus(Decimal{-other.m_scaled}); // symmetric range: the negation always fits
}

std::string Decimal::toText() const
{
    const Unsigned all = static_cast<Unsigned>(m_scaled < 0 ? -m_scaled : m_scaled);
    const Unsigned whole = all / kOne;
    std::string text = m_scaled < 0 ? "-" : "";
    if (whole >= kOne) // wider than 64 bits
        text += std::to_string(static_cast<std::uint64_t>(whole / kOne)) + eighteenDigits(whole % kOne);
    else
        text += std::to_string(static_cast<std::uint64_t>(whole));
    if (const Unsigned fraction = all % kOne; fraction != 0) {
        text += '.';
        text += eighteenDigits(fraction);
        text.erase(text.find_last_not_of('0') + 1);
    }
    return text;
}

double Decimal::toDouble() const
{
    return static_cast<double>(m_scaled) / 1e18;
}

} // namespace gpuledger::base
