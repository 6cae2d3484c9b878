// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/crossover/breakeven.h"

#include "app/base/remedy.h"

#include <array>
#include <limits>
#include <string>

namespace gpuledger::savings {

using base::ErrorCode;
using base::Money;
using base::Result;

namespace {

__extension__ using CrossWide = __int128;

constexpr std::int64_t kTokensOfPrice = 1'000'000; // prices are per million
constexpr std::int64_t kMostPerMillion = 1'000'000 * Money::kNanosPerUnit;
constexpr std::int64_t kMostMilliTokens = 1'000'000'000; // a second
constexpr double kSecondsOfDay = 86400;

Result<Money> moneyOf(CrossWide nanos, base::Currency currency)
{
    if (nanos > std::numeric_limits<std::int64_t>::max() || nanos < std::numeric_limits<std::int64_t>::min())
        return base::fail(ErrorCode::Overflow, "an amount of the comparison is too large", base::Remedy::WriteAmount);
    return Money(static_cast<std::int64_t>(nanos), currency);
}

Result<void> checkPair(const MonthCost &cost, const Money &price)
{
    if (cost.atLoad.currency() != cost.atRest.currency() || price.currency() != cost.atRest.currency())
        return base::fail(ErrorCode::InvalidArgument, "amounts of different currencies can't be compared",
                          "give all amounts in " + std::string(cost.atRest.currency().code()));
    if (cost.atRest.nanos() < 0 || cost.atLoad.nanos() < cost.atRest.nanos() || price.nanos() < 0)
        return base::fail(ErrorCode::InvalidArgument, "an amount of the comparison is below zero",
                          base::Remedy::WriteAmount);
    return {};
}

Result<Money> sumOf(std::initializer_list<const Money *> parts)
{
    Money sum;
    for (const Money *part : parts) {
        const auto next = sum.plus(*part);
        GPULEDGER_TRY(next);
        sum = *next;
    }
    return sum;
}

Result<void> checkApi(const ApiUse &api)
{
    if (api.perMillionIn->currency() != api.perMillionOut->currency())
        return base::fail(ErrorCode::InvalidArgument, "amounts of different currencies can't be compared",
                          "give all amounts in " + std::string(api.perMillionIn->currency().code()));
    for (const Money *price : {&*api.perMillionIn, &*api.perMillionOut}) {
        if (price->nanos() < 0 || price->nanos() > kMostPerMillion)
            return base::fail(ErrorCode::InvalidArgument, "the price of a million tokens is not from 0 to 1,000,000",
                              base::Remedy::WriteAmount);
    }
    if (*api.microOut < 0 || *api.microOut > kWholeUse)
        return base::fail(ErrorCode::InvalidArgument, "the share of output tokens is not from 0 to 1",
                          base::Remedy::WriteShare);
    if (*api.milliTokensPerSecond < 1 || *api.milliTokensPerSecond > kMostMilliTokens)
        return base::fail(ErrorCode::InvalidArgument, "the tokens per second of a GPU are not above 0, up to 1,000,000",
                          base::Remedy::WriteAmount);
    return {};
}

} // namespace

Result<MonthCost> monthCost(const OwnMonth &own)
{
    const auto atRest = sumOf({&own.depreciation, &own.interest, &own.hosting, &own.staff, &own.energyAtRest});
    const auto atLoad = sumOf({&own.depreciation, &own.interest, &own.hosting, &own.staff, &own.energyAtLoad});
    GPULEDGER_TRY(atRest);
    GPULEDGER_TRY(atLoad);
    return MonthCost{*atRest, *atLoad};
}

Result<MonthCost> rentedAllHours(const Money &perGpuHour)
{
    const auto month = moneyOf(static_cast<CrossWide>(perGpuHour.nanos()) * kHoursOfMonth, perGpuHour.currency());
    GPULEDGER_TRY(month);
    return MonthCost{*month, *month};
}

Result<Money> costAt(const MonthCost &cost, std::int64_t microUse)
{
    GPULEDGER_TRY(checkPair(cost, cost.atRest));
    const CrossWide more = static_cast<CrossWide>(cost.atLoad.nanos()) - cost.atRest.nanos();
    return moneyOf(cost.atRest.nanos() + (more * microUse + kWholeUse / 2) / kWholeUse, cost.atRest.currency());
}

Result<std::optional<Money>> perUsedHour(const MonthCost &cost, std::int64_t microUse)
{
    const auto month = costAt(cost, microUse);
    GPULEDGER_TRY(month);
    if (microUse <= 0)
        return std::optional<Money>();
    const CrossWide hours = static_cast<CrossWide>(kHoursOfMonth) * microUse; // 1e-6 h
    const auto hour =
        moneyOf((static_cast<CrossWide>(month->nanos()) * kWholeUse + hours / 2) / hours, month->currency());
    GPULEDGER_TRY(hour);
    return std::optional(*hour);
}

Result<BreakEven> againstUsedHours(const MonthCost &cost, const Money &perGpuHour)
{
    GPULEDGER_TRY(checkPair(cost, perGpuHour));
    const CrossWide month = static_cast<CrossWide>(perGpuHour.nanos()) * kHoursOfMonth;
    const CrossWide gain = month - (static_cast<CrossWide>(cost.atLoad.nanos()) - cost.atRest.nanos());
    if (gain <= 0)
        return BreakEven{BreakEven::Kind::Never, std::nullopt};
    if (cost.atRest.nanos() == 0)
        return BreakEven{BreakEven::Kind::Always, std::nullopt};
    const double use = static_cast<double>(cost.atRest.nanos()) / static_cast<double>(gain);
    return BreakEven{cost.atRest.nanos() < gain ? BreakEven::Kind::Above : BreakEven::Kind::Never, use};
}

Result<BreakEven> againstAllHours(const MonthCost &cost, const Money &perGpuHour)
{
    GPULEDGER_TRY(checkPair(cost, perGpuHour));
    const CrossWide month = static_cast<CrossWide>(perGpuHour.nanos()) * kHoursOfMonth;
    if (cost.atLoad.nanos() < month)
        return BreakEven{BreakEven::Kind::Always, std::nullopt};
    if (cost.atRest.nanos() >= month)
        return BreakEven{BreakEven::Kind::Never, std::nullopt};
    const double use = static_cast<double>(month - cost.atRest.nanos())
        / (static_cast<double>(cost.atLoad.nanos()) - static_cast<double>(cost.atRest.nanos()));
    return BreakEven{BreakEven::Kind::Below, use};
}

Result<std::optional<int>> cheaperAfterMonth(const Ownership &own, std::int64_t microUse, const Money &rentPerMonth)
{
    const auto month = ownMonth(own);
    GPULEDGER_TRY(month);
    if (!*month)
        return std::optional<int>();
    OwnMonth running = **month;
    running.depreciation = Money(0, own.price->currency());
    const auto cost = monthCost(running);
    GPULEDGER_TRY(cost);
    GPULEDGER_TRY(checkPair(*cost, rentPerMonth));
    const auto paid = costAt(*cost, microUse);
    GPULEDGER_TRY(paid);
    const CrossWide gain = static_cast<CrossWide>(rentPerMonth.nanos()) - paid->nanos();
    if (gain <= 0)
        return std::optional<int>(); // the residual is at most the price
    const CrossWide price = own.price->nanos(), first = price / gain + 1;
    if (first <= *own.lifeMonths)
        return std::optional(static_cast<int>(first));
    const bool byResidual = price - own.residual->nanos() < gain * *own.lifeMonths;
    return byResidual ? own.lifeMonths : std::nullopt;
}

std::string_view keyOf(ApiInput input)
{
    constexpr std::array<std::string_view, 4> kKeys{"api-in", "api-out", "output-share", "tokens-per-second"};
    return kKeys.at(static_cast<std::size_t>(input));
}

std::vector<ApiInput> missingOf(const ApiUse &api)
{
    std::vector<ApiInput> missing;
    if (!api.perMillionIn)
        missing.push_back(ApiInput::In);
    if (!api.perMillionOut)
        missing.push_back(ApiInput::Out);
    if (!api.microOut)
        missing.push_back(ApiInput::OutShare);
    if (!api.milliTokensPerSecond)
        missing.push_back(ApiInput::Speed);
    return missing;
}

Result<std::optional<Money>> apiPerGpuHour(const ApiUse &api)
{
    if (!missingOf(api).empty())
        return std::optional<Money>();
    GPULEDGER_TRY(checkApi(api));
    // nanos per million x 1e-6 share x 1e-3 tokens/s x s: below 1e34 within the limits.
    const CrossWide blend = static_cast<CrossWide>(api.perMillionIn->nanos()) * (kWholeUse - *api.microOut)
        + static_cast<CrossWide>(api.perMillionOut->nanos()) * *api.microOut;
    const CrossWide parts = static_cast<CrossWide>(kWholeUse) * kTokensOfPrice * 1000;
    const auto hour =
        moneyOf((blend * *api.milliTokensPerSecond * 3600 + parts / 2) / parts, api.perMillionIn->currency());
    GPULEDGER_TRY(hour);
    return std::optional(*hour);
}

double tokensPerDay(std::int64_t milliTokensPerSecond, double use)
{
    return static_cast<double>(milliTokensPerSecond) / 1000 * kSecondsOfDay * use;
}

} // namespace gpuledger::savings
