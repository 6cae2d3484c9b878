// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/crossover/moving.h"

#include "app/base/remedy.h"
#include "app/savings/crossover/ownership.h"

#include <limits>

namespace gpuledger::savings {

using base::ErrorCode;
using base::Money;
using base::Result;

namespace {

__extension__ using MovedWide = __int128;

constexpr std::int64_t kMegabytesOfGb = 1000;
constexpr std::int64_t kMostMonths = 1200;

Result<Money> movedAmount(const Money &price, std::int64_t times, std::int64_t months, std::int64_t parts)
{
    const MovedWide nanos = (static_cast<MovedWide>(price.nanos()) * times * months + parts / 2) / parts;
    if (nanos > std::numeric_limits<std::int64_t>::max())
        return base::fail(ErrorCode::Overflow, "the cost of moving is too large", base::Remedy::WriteAmount);
    return Money(static_cast<std::int64_t>(nanos), price.currency());
}

} // namespace

bool isAtHome(const Moving &moving, const PriceQuote &quote)
{
    return !moving.provider.empty() && loweredName(moving.provider) == loweredName(quote.provider)
        && (moving.region.empty() || loweredName(moving.region) == loweredName(quote.region));
}

Result<std::optional<MovedTotal>> movedTotal(const Moving &moving, const PriceQuote &quote)
{
    if (moving.megabytes < 0 || moving.perGb.nanos() < 0 || moving.perGbMonth.nanos() < 0 || quote.perHour.nanos() < 0
        || moving.months < 1 || moving.months > kMostMonths)
        return base::fail(ErrorCode::InvalidArgument, "an amount of moving data is below zero, or there is no month",
                          base::Remedy::WriteAmount);
    const base::Currency currency = quote.perHour.currency();
    if (moving.perGb.currency() != currency || moving.perGbMonth.currency() != currency)
        return std::optional<MovedTotal>();
    const auto machine = movedAmount(quote.perHour, kHoursOfMonth, moving.months, 1);
    const auto transfer = isAtHome(moving, quote) ? Result<Money>(Money(0, currency))
                                                  : movedAmount(moving.perGb, moving.megabytes, 1, kMegabytesOfGb);
    const auto storage = movedAmount(moving.perGbMonth, moving.megabytes, moving.months, kMegabytesOfGb);
    GPULEDGER_TRY(machine);
    GPULEDGER_TRY(transfer);
    GPULEDGER_TRY(storage);
    const auto both = machine->plus(*transfer);
    GPULEDGER_TRY(both);
    const auto total = both->plus(*storage);
    GPULEDGER_TRY(total);
    return std::optional(MovedTotal{*machine, *transfer, *storage, *total});
}

} // namespace gpuledger::savings
