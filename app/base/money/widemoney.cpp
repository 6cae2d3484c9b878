// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/money/widemoney.h"

#include "app/base/money/money.h"

#include <limits>

namespace gpuledger::base {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

} // namespace

bool WideMoney::fits() const
{
    return m_charges <= kMost && m_credits >= -kMost;
}

std::optional<std::int64_t> WideMoney::total() const
{
    const Wide sum = m_charges + m_credits;
    if (sum > kMost || sum < -kMost)
        return std::nullopt;
    return static_cast<std::int64_t>(sum);
}

std::optional<WideMoney::Excess> WideMoney::excess() const
{
    if (fits())
        return std::nullopt;
    return m_charges > kMost ? Excess{"charges", textOf(m_charges)} : Excess{"credits", textOf(m_credits)};
}

std::string WideMoney::limitText()
{
    return textOf(kMost);
}

std::string WideMoney::textOf(Wide nanos)
{
    const bool isNegative = nanos < 0;
    const Wide size = isNegative ? -nanos : nanos;
    std::string fraction = std::to_string(static_cast<std::int64_t>(size % Money::kNanosPerUnit));
    fraction.insert(0, 9 - fraction.size(), '0');
    std::string units;
    for (Wide left = size / Money::kNanosPerUnit; left > 0 || units.empty(); left /= 10)
        units.insert(units.begin(), static_cast<char>('0' + static_cast<int>(left % 10)));
    return (isNegative ? "-" : "") + units + '.' + fraction;
}

} // namespace gpuledger::base
