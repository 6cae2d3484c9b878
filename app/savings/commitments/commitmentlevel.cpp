// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/commitments/commitmentlevel.h"

#include "app/savings/proposals/proposal.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace gpuledger::savings {

using base::GpuTime;

namespace {

constexpr double kCommitmentRounding = 1 + 1e-12; // of a few floating-point operations

CostTicks usedOfLevel(std::span<const GpuTime> demand, GpuTime level)
{
    return std::accumulate(demand.begin(), demand.end(), CostTicks{0},
                           [&](CostTicks sum, GpuTime hour) { return sum + std::min(hour, level).ticks; });
}

CostTicks feeOfLevel(std::span<const GpuTime> demand, GpuTime level, CommitmentRates rates)
{
    return static_cast<CostTicks>(rates.committed) * level.ticks * static_cast<std::int64_t>(demand.size());
}

bool levelPays(std::span<const GpuTime> demand, GpuTime level, CommitmentRates rates)
{
    return level.ticks > 0 && rates.onDemand > 0 && rates.committed > 0 && commitmentGain(demand, level, rates) >= 0;
}

} // namespace

CostTicks commitmentGain(std::span<const GpuTime> demand, GpuTime level, CommitmentRates rates)
{
    return static_cast<CostTicks>(rates.onDemand) * usedOfLevel(demand, level) - feeOfLevel(demand, level, rates);
}

// Raising the level by a machine costs c in each hour and saves o in the hours with more demand than the level. So it
// pays as long as those hours are more than c/o of all hours.
GpuTime cheapestLevel(std::span<const GpuTime> demand, CommitmentRates rates, bool whole)
{
    if (demand.empty() || rates.committed <= 0 || rates.committed >= rates.onDemand)
        return {};
    const auto hours = static_cast<std::int64_t>(demand.size());
    const auto above = static_cast<std::int64_t>(static_cast<CostTicks>(rates.committed) * hours / rates.onDemand);
    std::vector<GpuTime> sorted(demand.begin(), demand.end());
    const auto at = sorted.begin() + (hours - 1 - above); // above < hours, because c < o
    std::nth_element(sorted.begin(), at, sorted.end());
    const GpuTime level = std::max(*at, GpuTime{});
    if (!whole)
        return level;
    // The cost is convex in the level: the best whole number is next to the best level.
    const GpuTime below{level.ticks / kTicksPerMachineHour * kTicksPerMachineHour};
    const GpuTime next{below.ticks + kTicksPerMachineHour};
    return below != level && commitmentGain(demand, next, rates) > commitmentGain(demand, below, rates) ? next : below;
}

// Demand times s fills the commitment up to sum(min(s D, L)), which is piecewise linear in s: with the k largest hours
// full, k L + s x (the rest).
std::optional<double> tolerableLoss(std::span<const GpuTime> demand, GpuTime level, CommitmentRates rates)
{
    if (!levelPays(demand, level, rates))
        return std::nullopt;
    std::vector<GpuTime> sorted(demand.begin(), demand.end());
    std::sort(sorted.rbegin(), sorted.rend());
    const auto full = static_cast<double>(level.ticks);
    const double needed = full * static_cast<double>(sorted.size()) * static_cast<double>(rates.committed)
        / static_cast<double>(rates.onDemand);
    CostTicks rest = std::accumulate(sorted.begin(), sorted.end(), CostTicks{0},
                                     [](CostTicks sum, GpuTime hour) { return sum + hour.ticks; });
    for (std::size_t k = 0; k < sorted.size() && rest > 0; ++k) {
        const double share = (needed - static_cast<double>(k) * full) / static_cast<double>(rest);
        if (share * static_cast<double>(sorted[k].ticks) <= full * kCommitmentRounding)
            return std::clamp(1 - share, 0.0, 1.0);
        rest -= sorted[k].ticks;
    }
    return 0;
}

std::optional<double> leastTermShare(std::span<const GpuTime> demand, GpuTime level, CommitmentRates rates)
{
    if (!levelPays(demand, level, rates))
        return std::nullopt;
    return static_cast<double>(feeOfLevel(demand, level, rates))
        / (static_cast<double>(rates.onDemand) * static_cast<double>(usedOfLevel(demand, level)));
}

std::optional<base::Money> commitmentPerMonth(CostTicks total, std::size_t hours, base::Currency currency)
{
    if (hours == 0)
        return std::nullopt;
    const CostTicks divisor = static_cast<CostTicks>(hours) * kTicksPerMachineHour;
    const CostTicks product = total * kHoursPerMonth;
    CostTicks nanos = product / divisor;
    if (product % divisor < 0)
        --nanos;
    constexpr CostTicks kLimit = std::numeric_limits<std::int64_t>::max();
    if (nanos > kLimit || nanos < -kLimit)
        return std::nullopt;
    return base::Money{static_cast<std::int64_t>(nanos), currency};
}

} // namespace gpuledger::savings
