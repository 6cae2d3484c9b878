// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/crossover/breakeven.h"
#include "app/savings/prices/pricequote.h"

#include <string>

// Owning a GPU, each way of renting one, and an API, beside each other. Pure; any thread. Formulas: ownership.h,
// breakeven.h.
namespace gpuledger::savings {

struct RentOffer {
    PurchaseOption purchase = PurchaseOption::OnDemand;
    base::Money perGpuHour;
    std::string source;

    // On demand, on spot and at GPU clouds only used hours cost; the others are paid for all hours.
    bool isPaidForAllHours() const;
};

struct CrossoverQuestion {
    Ownership own;
    std::vector<RentOffer> rents;
    ApiUse api;
    std::int64_t microUse = kWholeUse; // at which months are compared
};

// What is std::nullopt here is unknown because an input is missing.
struct Crossover {
    struct Rented {
        RentOffer offer;
        std::optional<BreakEven> own; // where owning is cheaper than this offer
        std::optional<int> ownCheaperAfter; // month of life; also absent if it never is
        std::optional<BreakEven> api; // where this offer, rented for all hours, is cheaper than the API
    };
    std::optional<OwnMonth> month;
    std::optional<MonthCost> cost;
    std::optional<base::Money> perUsedHour; // owned, at that use
    std::vector<Rented> rents;
    std::optional<base::Money> apiPerGpuHour;
    std::optional<BreakEven> ownApi; // where owning is cheaper than the API
};
// Fails with InvalidArgument (amounts of different currencies, or outside their limits, or a rent that is not above
// zero) and Overflow.
[[nodiscard]] base::Result<Crossover> crossover(const CrossoverQuestion &question);

} // namespace gpuledger::savings
