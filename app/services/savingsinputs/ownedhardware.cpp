// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/ownedhardware.h"

#include "app/base/remedy.h"
#include "app/base/text.h"

#include <optional>

namespace gpuledger::services {

using base::Money;
using base::Result;

namespace {

constexpr std::int64_t kNanosOfMilli = 1'000'000, kNanosOfMicro = 1000;
constexpr int kMonthsOfYear = 12;

// 1e-9 of a number; std::nullopt: not set.
Result<std::optional<std::int64_t>> nanosOf(const std::string &text)
{
    if (text.empty())
        return std::optional<std::int64_t>();
    const auto amount = Money::parse(text, base::Currency::usd());
    if (!amount || amount->nanos() < 0)
        return base::fail(base::ErrorCode::InvalidConfig,
                          "owned machines: \"" + base::printable(text, 64) + "\" is not an amount",
                          base::Remedy::WriteQuotedAmount);
    return std::optional(amount->nanos());
}

std::optional<Money> usdOf(const std::optional<std::int64_t> &nanos)
{
    return nanos ? std::optional(Money(*nanos, base::Currency::usd())) : std::nullopt;
}

} // namespace

Result<savings::Ownership> ownershipOf(const model::OwnedMachine &machine)
{
    const auto price = nanosOf(machine.price), residual = nanosOf(machine.residual), power = nanosOf(machine.powerW);
    const auto pue = nanosOf(machine.pue), kwh = nanosOf(machine.usdPerKwh);
    const auto operation = nanosOf(machine.operationPerYear);
    GPULEDGER_TRY(price);
    GPULEDGER_TRY(residual);
    GPULEDGER_TRY(power);
    GPULEDGER_TRY(pue);
    GPULEDGER_TRY(kwh);
    GPULEDGER_TRY(operation);
    savings::Ownership own;
    own.price = usdOf(*price);
    own.residual = usdOf(residual->value_or(0));
    own.lifeMonths = machine.years * kMonthsOfYear;
    if (*power)
        own.loadMilliwatts = own.restMilliwatts = **power / kNanosOfMilli;
    if (*pue)
        own.microPue = **pue / kNanosOfMicro;
    own.perKwh = usdOf(*kwh);
    own.hostingPerMonth = usdOf((operation->value_or(0) + kMonthsOfYear / 2) / kMonthsOfYear);
    own.staffPerMonth = usdOf(0);
    return own;
}

std::string labelText(const model::Labels &labels)
{
    std::string text;
    for (const auto &[key, value] : labels)
        text += (text.empty() ? "" : ",") + key + '=' + value;
    return text;
}

} // namespace gpuledger::services
