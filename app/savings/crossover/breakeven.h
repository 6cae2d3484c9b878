// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/crossover/ownership.h"

// Build, rent or call an API: where their costs of one GPU meet (definitions.md, Own or rent). `use` is the share of
// all hours in which the GPU works. Pure; any thread.
//
// With F = cost of a month at no use, L = at full use, linear between, and v = 730 h x the price of a GPU-hour that
// costs only while it is used: F + u (L - F) = v u, so u = F / (v - (L - F)). An API is such a price: of the tokens
// that a GPU makes in an hour of full use. A GPU rented for all hours has F = L = 730 h x its price.
namespace gpuledger::savings {

// Of one GPU.
struct MonthCost {
    base::Money atRest, atLoad;
};
// The functions fail with Overflow, and with InvalidArgument if amounts are of different currencies or below zero.
[[nodiscard]] base::Result<MonthCost> monthCost(const OwnMonth &own);
[[nodiscard]] base::Result<MonthCost> rentedAllHours(const base::Money &perGpuHour);
[[nodiscard]] base::Result<base::Money> costAt(const MonthCost &cost, std::int64_t microUse); // 0 to kWholeUse
// What a used GPU-hour costs at that use. std::nullopt: no use.
[[nodiscard]] base::Result<std::optional<base::Money>> perUsedHour(const MonthCost &cost, std::int64_t microUse);

struct BreakEven {
    enum class Kind {
        Above, // cheaper above `use`
        Below, // cheaper below `use`
        Always,
        Never // `use`, if any, is 1 or more: what it would have to be
    };
    Kind kind = Kind::Never;
    std::optional<double> use;
};
// Where `cost` is cheaper than a price that costs only while it is used.
[[nodiscard]] base::Result<BreakEven> againstUsedHours(const MonthCost &cost, const base::Money &perGpuHour);
// Where `cost` is cheaper than a GPU that is paid for all hours (committed): u = (730 h x price - F) / (L - F).
[[nodiscard]] base::Result<BreakEven> againstAllHours(const MonthCost &cost, const base::Money &perGpuHour);

// The first month of life, counted from 1, after which what was paid for owning is less than what renting would have
// cost until then, at that use: price + m x running < m x rent, with running = interest + hosting + staff + energy. The
// last month also counts the residual value. std::nullopt: in none, or an input is missing. `rentPerMonth` is the rent
// of a month at that use.
[[nodiscard]] base::Result<std::optional<int>> cheaperAfterMonth(const Ownership &own, std::int64_t microUse,
                                                                 const base::Money &rentPerMonth);

// An API's price, and the speed of a GPU that would do the same. Absent = unknown.
struct ApiUse {
    std::optional<base::Money> perMillionIn, perMillionOut;
    std::optional<std::int64_t> microOut; // share of output in all tokens, 1e-6
    std::optional<std::int64_t> milliTokensPerSecond; // of one GPU at full use: input and output together, 1e-3
};
enum class ApiInput { In, Out, OutShare, Speed };
std::string_view keyOf(ApiInput input); // "api-in", …
std::vector<ApiInput> missingOf(const ApiUse &api);
// What the API takes for the tokens of a GPU-hour at full use. std::nullopt: an input is missing. Also fails with
// InvalidArgument for a share above 1 or a speed that is not above zero.
[[nodiscard]] base::Result<std::optional<base::Money>> apiPerGpuHour(const ApiUse &api);
// Tokens of one GPU in a day of 24 h at that use.
double tokensPerDay(std::int64_t milliTokensPerSecond, double use);

} // namespace gpuledger::savings
