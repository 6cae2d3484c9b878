// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/spend/costchange.h"

#include <array>
#include <bit>
#include <cmath>

namespace gpuledger::insight {

namespace {

// Index 0: before, 1: after.
struct Factors {
    std::array<long double, 2> share{}, rate{};
};

enum Factor : unsigned { Work = 1, Mix = 2, Price = 4, Paid = 8 }; // Paid: paid hours per active hour
constexpr unsigned kAllFactors = Work | Mix | Price | Paid;
// |S|! (3 - |S|)! / 4!, by the size of S: the weight of a set of factors that have already changed.
constexpr std::array<long double, 4> kWeights{1.0L / 4, 1.0L / 12, 1.0L / 12, 1.0L / 4};

struct Fleet {
    std::array<long double, 2> work{}, paid{1, 1};
    std::vector<Factors> groups;
};

// The cost if only the factors of the set had changed.
long double costOf(unsigned changed, const Fleet &fleet)
{
    const auto when = [&](Factor f) { return static_cast<std::size_t>((changed & f) != 0); };
    long double rate = 0;
    for (const Factors &g : fleet.groups)
        rate += g.share[when(Mix)] * g.rate[when(Price)];
    return fleet.work[when(Work)] * fleet.paid[when(Paid)] * rate;
}

std::int64_t shapley(Factor factor, const Fleet &fleet)
{
    const unsigned others = kAllFactors & ~static_cast<unsigned>(factor);
    long double value = 0;
    for (unsigned set = 0; set <= kAllFactors; ++set) {
        if ((set & ~others) == 0)
            value += kWeights[static_cast<std::size_t>(std::popcount(set))]
                * (costOf(set | factor, fleet) - costOf(set, fleet));
    }
    return std::llround(value);
}

} // namespace

CostChange explainChange(const std::vector<CostGroup> &groups)
{
    CostChange out;
    std::array<long double, 2> hours{}, active{};
    for (const CostGroup &g : groups) {
        out.before += g.costBefore;
        out.after += g.costAfter;
        hours[0] += static_cast<long double>(g.hoursBefore);
        hours[1] += static_cast<long double>(g.hoursAfter);
        active[0] += static_cast<long double>(g.activeBefore);
        active[1] += static_cast<long double>(g.activeAfter);
    }
    if (hours[0] > 0 && hours[1] > 0) {
        Fleet fleet;
        fleet.work = hours; // without active hours all of them count as work
        if (active[0] > 0 && active[1] > 0) {
            fleet.work = active;
            fleet.paid = {hours[0] / active[0], hours[1] / active[1]};
        }
        for (const CostGroup &g : groups) {
            const auto before = static_cast<long double>(g.hoursBefore), after = static_cast<long double>(g.hoursAfter);
            if (g.hoursBefore == 0 && g.hoursAfter == 0)
                continue;
            Factors f;
            f.share = {before / hours[0], after / hours[1]};
            f.rate = {g.hoursBefore == 0 ? g.costAfter / after : g.costBefore / before,
                      g.hoursAfter == 0 ? g.costBefore / before : g.costAfter / after};
            fleet.groups.push_back(f);
        }
        out.price = shapley(Price, fleet);
        out.mix = shapley(Mix, fleet);
        out.efficiency = shapley(Paid, fleet);
    }
    out.hours = out.after - out.before - out.price - out.mix - out.efficiency;
    return out;
}

} // namespace gpuledger::insight
