// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/crossover/crossover.h"

#include "app/base/remedy.h"

namespace gpuledger::savings {

using base::Money;
using base::Result;

namespace {

Result<Money> rentOfMonth(const RentOffer &offer, std::int64_t microUse)
{
    const auto all = rentedAllHours(offer.perGpuHour);
    GPULEDGER_TRY(all);
    return offer.isPaidForAllHours() ? all->atLoad : costAt({Money(0, all->atLoad.currency()), all->atLoad}, microUse);
}

Result<Crossover::Rented> rented(const CrossoverQuestion &question, const Crossover &known, const RentOffer &offer)
{
    if (offer.perGpuHour.nanos() <= 0)
        return base::fail(base::ErrorCode::InvalidArgument, "the rent of a GPU-hour is not above zero",
                          base::Remedy::WriteAmount);
    Crossover::Rented out{offer, std::nullopt, std::nullopt, std::nullopt};
    if (known.cost) {
        const auto own = offer.isPaidForAllHours() ? againstAllHours(*known.cost, offer.perGpuHour)
                                                   : againstUsedHours(*known.cost, offer.perGpuHour);
        GPULEDGER_TRY(own);
        out.own = *own;
        const auto rent = rentOfMonth(offer, question.microUse);
        GPULEDGER_TRY(rent);
        const auto after = cheaperAfterMonth(question.own, question.microUse, *rent);
        GPULEDGER_TRY(after);
        out.ownCheaperAfter = *after;
    }
    if (known.apiPerGpuHour) {
        const auto all = rentedAllHours(offer.perGpuHour);
        GPULEDGER_TRY(all);
        const auto api = againstUsedHours(*all, *known.apiPerGpuHour);
        GPULEDGER_TRY(api);
        out.api = *api;
    }
    return out;
}

} // namespace

bool RentOffer::isPaidForAllHours() const
{
    return purchase != PurchaseOption::OnDemand && purchase != PurchaseOption::Spot
        && purchase != PurchaseOption::GpuCloud;
}

Result<Crossover> crossover(const CrossoverQuestion &question)
{
    Crossover out;
    const auto month = ownMonth(question.own);
    GPULEDGER_TRY(month);
    out.month = *month;
    if (out.month) {
        const auto cost = monthCost(*out.month);
        GPULEDGER_TRY(cost);
        out.cost = *cost;
        const auto hour = perUsedHour(*cost, question.microUse);
        GPULEDGER_TRY(hour);
        out.perUsedHour = *hour;
    }
    const auto api = apiPerGpuHour(question.api);
    GPULEDGER_TRY(api);
    out.apiPerGpuHour = *api;
    if (out.cost && out.apiPerGpuHour) {
        const auto own = againstUsedHours(*out.cost, *out.apiPerGpuHour);
        GPULEDGER_TRY(own);
        out.ownApi = *own;
    }
    for (const RentOffer &offer : question.rents) {
        auto one = rented(question, out, offer);
        GPULEDGER_TRY(one);
        out.rents.push_back(std::move(*one));
    }
    return out;
}

} // namespace gpuledger::savings
