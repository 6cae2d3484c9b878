// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/crossover/ownership.h"

#include "app/base/remedy.h"

#include <array>
#include <limits>
#include <string>

namespace gpuledger::savings {

using base::ErrorCode;
using base::Money;
using base::Result;

namespace {

__extension__ using OwnWide = __int128;

constexpr int kLongestLife = 1200; // months
constexpr std::int64_t kMostMilliwatts = 100'000'000, kMostMicroPue = 10 * kWholeUse;
constexpr std::int64_t kMostPerKwh = 10'000 * Money::kNanosPerUnit;

tl::unexpected<base::Error> badOwnInput(OwnInput input, const char *rule)
{
    const std::string name(keyOf(input));
    return base::fail(ErrorCode::InvalidArgument, "owned hardware: " + name + ' ' + rule, "correct " + name);
}

// Half away from zero; value >= 0, parts > 0.
Result<Money> roundedShare(OwnWide value, OwnWide parts, base::Currency currency)
{
    const OwnWide nanos = (value + parts / 2) / parts;
    if (nanos > std::numeric_limits<std::int64_t>::max())
        return base::fail(ErrorCode::Overflow, "owned hardware: an amount is too large", base::Remedy::WriteAmount);
    return Money(static_cast<std::int64_t>(nanos), currency);
}

// mW x 1e-6 PUE x hours x nanos of a kWh, over 1e6 (mW of a kW) and 1e6 (PUE): below 1e37 within the limits.
Result<Money> energyOf(const Ownership &own, std::int64_t milliwatts)
{
    const OwnWide value = static_cast<OwnWide>(milliwatts) * *own.microPue * kHoursOfMonth * own.perKwh->nanos();
    return roundedShare(value, static_cast<OwnWide>(1'000'000) * kWholeUse, own.perKwh->currency());
}

Result<void> checkOwnAmounts(const Ownership &own)
{
    const std::array<std::pair<OwnInput, const Money *>, 5> amounts{{{OwnInput::Price, &*own.price},
                                                                     {OwnInput::Residual, &*own.residual},
                                                                     {OwnInput::Energy, &*own.perKwh},
                                                                     {OwnInput::Hosting, &*own.hostingPerMonth},
                                                                     {OwnInput::Staff, &*own.staffPerMonth}}};
    for (const auto &[input, amount] : amounts) {
        if (amount->nanos() < 0)
            return badOwnInput(input, "is below zero");
        if (amount->currency() != own.price->currency())
            return badOwnInput(input, "is in another currency than the price");
    }
    if (own.residual->nanos() > own.price->nanos())
        return badOwnInput(OwnInput::Residual, "is above the price");
    if (own.perKwh->nanos() > kMostPerKwh)
        return badOwnInput(OwnInput::Energy, "is above 10,000");
    return {};
}

Result<void> checkOwnNumbers(const Ownership &own)
{
    if (*own.lifeMonths < 1 || *own.lifeMonths > kLongestLife)
        return badOwnInput(OwnInput::Life, "is not from 1 to 1200 months");
    if (*own.loadMilliwatts < 0 || *own.loadMilliwatts > kMostMilliwatts)
        return badOwnInput(OwnInput::LoadPower, "is not from 0 to 100,000 W");
    if (*own.restMilliwatts < 0 || *own.restMilliwatts > *own.loadMilliwatts)
        return badOwnInput(OwnInput::RestPower, "is not from 0 to that at load");
    if (*own.microPue < kWholeUse || *own.microPue > kMostMicroPue)
        return badOwnInput(OwnInput::Pue, "is not from 1 to 10");
    if (own.microInterest && (*own.microInterest < 0 || *own.microInterest > kWholeUse))
        return base::fail(ErrorCode::InvalidArgument, "owned hardware: interest is not from 0 to 100 % a year",
                          base::Remedy::WriteShare);
    return {};
}

} // namespace

std::string_view keyOf(OwnInput input)
{
    constexpr std::array<std::string_view, 9> kKeys{"price", "residual", "life",    "load-power", "rest-power",
                                                    "pue",   "kwh",      "hosting", "staff"};
    return kKeys.at(static_cast<std::size_t>(input));
}

std::vector<OwnInput> missingOf(const Ownership &own)
{
    const std::array<std::pair<OwnInput, bool>, 9> known{{{OwnInput::Price, own.price.has_value()},
                                                          {OwnInput::Residual, own.residual.has_value()},
                                                          {OwnInput::Life, own.lifeMonths.has_value()},
                                                          {OwnInput::LoadPower, own.loadMilliwatts.has_value()},
                                                          {OwnInput::RestPower, own.restMilliwatts.has_value()},
                                                          {OwnInput::Pue, own.microPue.has_value()},
                                                          {OwnInput::Energy, own.perKwh.has_value()},
                                                          {OwnInput::Hosting, own.hostingPerMonth.has_value()},
                                                          {OwnInput::Staff, own.staffPerMonth.has_value()}}};
    std::vector<OwnInput> missing;
    for (const auto &[input, isKnown] : known) {
        if (!isKnown)
            missing.push_back(input);
    }
    return missing;
}

Result<std::optional<OwnMonth>> ownMonth(const Ownership &own)
{
    if (!missingOf(own).empty())
        return std::optional<OwnMonth>();
    GPULEDGER_TRY(checkOwnAmounts(own));
    GPULEDGER_TRY(checkOwnNumbers(own));
    const base::Currency currency = own.price->currency();
    const OwnWide price = own.price->nanos(), residual = own.residual->nanos();
    const auto depreciation = roundedShare(price - residual, *own.lifeMonths, currency);
    const auto interest = roundedShare((price + residual) * own.microInterest.value_or(0),
                                       static_cast<OwnWide>(2) * 12 * kWholeUse, currency);
    const auto atRest = energyOf(own, *own.restMilliwatts), atLoad = energyOf(own, *own.loadMilliwatts);
    GPULEDGER_TRY(depreciation);
    GPULEDGER_TRY(interest);
    GPULEDGER_TRY(atRest);
    GPULEDGER_TRY(atLoad);
    return OwnMonth{*depreciation, *interest, *own.hostingPerMonth, *own.staffPerMonth, *atRest, *atLoad};
}

} // namespace gpuledger::savings
