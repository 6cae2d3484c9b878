// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/costchange.h"

#include <array>
#include <cmath>

namespace gpuledger::insight {

namespace {

// Index 0: before, 1: after.
struct Factors {
    std::array<long double, 2> share{}, rate{};
};

enum Factor : unsigned { Hours = 1, Mix = 2, Price = 4 };

// The cost if just the factors of the set had changed.
long double costOf(unsigned changed, const std::array<long double, 2> &hours, const std::vector<Factors> &groups)
{
    const auto when = [&](Factor f) { return static_cast<std::size_t>((changed & f) != 0); };
    long double rate = 0;
    for (const Factors &g : groups)
        rate += g.share[when(Mix)] * g.rate[when(Price)];
    return hours[when(Hours)] * rate;
}

template <typename Cost> long double shapley(Factor factor, Cost &&cost)
{
    const unsigned others = (Hours | Mix | Price) & ~factor;
    long double value = 0;
    for (unsigned set = 0; set < 8; ++set) {
        if ((set & ~others) != 0)
            continue;
        const int size = __builtin_popcount(set);
        const long double weight = size == 1 ? 1.0L / 6 : 1.0L / 3; // |S|! (2 - |S|)! / 3!
        value += weight * (cost(set | factor) - cost(set));
    }
    return value;
}

} // namespace

CostChange explainChange(const std::vector<CostGroup> &groups)
{
    CostChange out;
    std::array<long double, 2> hours{};
    for (const CostGroup &g : groups) {
        out.before += g.costBefore;
        out.after += g.costAfter;
        hours[0] += static_cast<long double>(g.hoursBefore);
        hours[1] += static_cast<long double>(g.hoursAfter);
    }
    if (hours[0] > 0 && hours[1] > 0) {
        std::vector<Factors> factors;
        for (const CostGroup &g : groups) {
            const auto before = static_cast<long double>(g.hoursBefore), after = static_cast<long double>(g.hoursAfter);
            if (g.hoursBefore == 0 && g.hoursAfter == 0)
                continue;
            Factors f;
            f.share = {before / hours[0], after / hours[1]};
            f.rate = {g.hoursBefore == 0 ? g.costAfter / after : g.costBefore / before,
                      g.hoursAfter == 0 ? g.costBefore / before : g.costAfter / after};
            factors.push_back(f);
        }
        const auto cost = [&](unsigned changed) { return costOf(changed, hours, factors); };
        out.price = std::llround(shapley(Price, cost));
        out.mix = std::llround(shapley(Mix, cost));
    }
    out.hours = out.after - out.before - out.price - out.mix;
    return out;
}

} // namespace gpuledger::insight
