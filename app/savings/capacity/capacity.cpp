// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/capacity/capacity.h"

#include "app/savings/proposals/proposal.h"
#include "app/savings/proposals/seededrandom.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace gpuledger::savings {

using base::Result;

namespace {

__extension__ using CapacityWide = __int128;

constexpr int kCapacityDraws = 1000;
constexpr std::uint64_t kCapacitySeed = 22;

Result<std::int64_t> capacityNanos(CapacityWide amount)
{
    if (amount > std::numeric_limits<std::int64_t>::max() || amount < std::numeric_limits<std::int64_t>::min())
        return base::fail(base::ErrorCode::Overflow, "an amount of the capacity of a pool is too large");
    return static_cast<std::int64_t>(amount);
}

bool wasEmptyFor(const CapacityNode &node, std::size_t hour, int delay)
{
    if (hour < static_cast<std::size_t>(delay))
        return false;
    for (std::size_t k = hour - static_cast<std::size_t>(delay); k < hour; ++k) {
        if (!node.hours.isEmpty(k))
            return false;
    }
    return true;
}

// `count` times the mean of some amounts; nothing is saved where credits outweigh the cost.
struct CapacityMean {
    CapacityWide sum = 0;
    std::int32_t count = 0;
    void add(std::int64_t nanos)
    {
        sum += nanos;
        ++count;
    }
    Result<std::int64_t> times(std::int32_t n) const
    {
        return count > 0 && sum > 0 ? capacityNanos(sum * n / count) : Result<std::int64_t>(0);
    }
};

// The nodes of one hour, as the policy sees them.
struct CapacityMoment {
    std::int32_t present = 0;
    std::int32_t busy = 0; // in this hour: something is held, or it isn't known
    std::int32_t held = 0; // not known to have been empty in the hour before
    std::int32_t young = 0; // not known to have been empty for the delay
    std::int32_t ready = 0; // known to have been, and their money ends
    std::int32_t free = 0; // those of `ready` that are empty in this hour
    std::int32_t rented = 0; // their money ends, and it is known what they do
    CapacityMean emptyCost, rentedCost;
    std::vector<std::int64_t> started; // GPUs now held of nodes that were empty in the hour before
};

CapacityMoment capacityMoment(const CapacityPool &pool, std::size_t hour, int delay)
{
    CapacityMoment m;
    for (const CapacityNode &node : pool.nodes) {
        const CapacityHour now = node.hours[hour];
        if (!now.present)
            continue;
        const bool ends = node.terms == CapacityTerms::Ends, empty = node.hours.isEmpty(hour);
        const bool emptyBefore = hour > 0 && node.hours.isEmpty(hour - 1);
        const bool emptyLong = wasEmptyFor(node, hour, delay);
        ++m.present;
        m.busy += empty ? 0 : 1;
        m.held += emptyBefore ? 0 : 1;
        m.young += emptyLong ? 0 : 1;
        m.ready += ends && emptyLong ? 1 : 0;
        m.free += ends && emptyLong && empty ? 1 : 0;
        if (ends && emptyBefore && empty)
            m.emptyCost.add(now.nanos);
        if (ends && now.known) {
            ++m.rented;
            m.rentedCost.add(now.nanos);
        }
        if (emptyBefore && now.known && !empty)
            m.started.push_back(now.allocated);
    }
    return m;
}

CapacityReplay beginCapacity(const CapacityPool &pool, const CapacityPolicy &policy)
{
    CapacityReplay out;
    out.present.reserve(pool.hours);
    out.needed.reserve(pool.hours);
    out.savedNanos.reserve(pool.hours);
    out.headroom = static_cast<int>(capacityQuantile(capacityArrivals(pool), policy.headroom));
    return out;
}

void addCapacityHour(CapacityReplay &out, std::int32_t present, std::int32_t off, std::int64_t saved)
{
    out.present.push_back(present);
    out.needed.push_back(present - off);
    out.savedNanos.push_back(saved);
    out.offHours += off;
}

// Nodes that are kept empty for arrivals.
std::int32_t spareNodes(const CapacityPool &pool, int headroom)
{
    return (headroom + pool.gpus - 1) / pool.gpus;
}

// Nodes that the shares of an hour need, and those about which nothing is known.
std::int32_t packedInHour(const CapacityPool &pool, std::size_t hour)
{
    std::int32_t busy = 0, unknown = 0;
    for (const CapacityNode &node : pool.nodes) {
        const CapacityHour one = node.hours[hour];
        unknown += one.present && !one.known ? 1 : 0;
        busy += one.present && one.known && one.allocated > 0 ? 1 : 0;
    }
    return unknown + std::min(busy, static_cast<std::int32_t>(packedNodes(pool.shares[hour], pool.gpus)));
}

} // namespace

Result<CapacityReplay> replayCapacity(const CapacityPool &pool, const CapacityPolicy &policy)
{
    CapacityReplay out = beginCapacity(pool, policy);
    const std::int32_t spare = spareNodes(pool, out.headroom);
    for (std::size_t hour = 0; hour < pool.hours; ++hour) {
        CapacityMoment m = capacityMoment(pool, hour, policy.delayHours);
        const std::int32_t kept = std::max({m.young, m.held + spare, policy.minimum});
        const std::int32_t planned = std::clamp(m.present - kept, 0, m.ready);
        const std::int32_t off = std::min(planned, m.free);
        const auto saved = m.emptyCost.times(off);
        GPULEDGER_TRY(saved);
        addCapacityHour(out, m.present, off, *saved);
        const auto missing = static_cast<std::size_t>(std::max(0, m.busy - (m.present - planned)));
        std::sort(m.started.begin(), m.started.end(), std::greater<>()); // the worst case
        for (std::size_t i = 0; i < std::min(missing, m.started.size()); ++i)
            out.waitingSeconds += m.started[i] * policy.startUp.count();
    }
    return out;
}

Result<CapacityReplay> replayPackedCapacity(const CapacityPool &pool, const CapacityPolicy &policy)
{
    CapacityReplay out = beginCapacity(pool, policy);
    const std::int32_t spare = spareNodes(pool, out.headroom);
    const std::vector<std::int64_t> arrivals = capacityArrivals(pool);
    const auto delay = static_cast<std::size_t>(policy.delayHours);
    std::vector<std::int32_t> packed;
    for (std::size_t hour = 0; hour < pool.hours; ++hour) {
        const CapacityMoment m = capacityMoment(pool, hour, policy.delayHours);
        packed.push_back(packedInHour(pool, hour));
        std::int32_t kept = m.present; // until the delay is over
        if (hour >= delay) {
            const auto from = packed.end() - 1 - static_cast<std::ptrdiff_t>(delay);
            kept = std::max({*std::max_element(from, packed.end() - 1), *(packed.end() - 2) + spare, policy.minimum});
        }
        const std::int32_t off = std::clamp(m.present - std::max(kept, packed.back()), 0, m.rented);
        const auto saved = m.rentedCost.times(off);
        GPULEDGER_TRY(saved);
        addCapacityHour(out, m.present, off, *saved);
        const std::int32_t on = m.present - std::clamp(m.present - kept, 0, m.rented);
        const std::int64_t missing = std::max(0, packed.back() - on);
        if (hour > 0)
            out.waitingSeconds += std::min(arrivals[hour - 1], missing * pool.gpus) * policy.startUp.count();
    }
    return out;
}

// Shares of one size go to the nodes in their order, each of which takes all that fit.
int packedNodes(const ShareCounts &shares, int gpus)
{
    std::vector<int> counts(static_cast<std::size_t>(std::max(gpus, 0)) + 1, 0); // by size
    for (const ShareCount &share : shares.bySize())
        counts[std::min<std::size_t>(share.gpus, counts.size() - 1)] += static_cast<int>(share.count);
    std::vector<int> free; // of each node
    for (int size = gpus; size > 0; --size) {
        int left = counts[static_cast<std::size_t>(size)];
        for (std::size_t node = 0; node < free.size() && left > 0; ++node) {
            const int fit = std::min(free[node] / size, left);
            free[node] -= fit * size;
            left -= fit;
        }
        for (; left > 0; left -= std::min(gpus / size, left))
            free.push_back(gpus - std::min(gpus / size, left) * size);
    }
    return static_cast<int>(free.size());
}

std::vector<std::int64_t> capacityArrivals(const CapacityPool &pool)
{
    std::vector<std::int64_t> out(pool.hours > 0 ? pool.hours - 1 : 0, 0);
    for (const CapacityNode &node : pool.nodes) {
        for (std::size_t hour = 1; hour < pool.hours; ++hour) {
            const CapacityHour before = node.hours[hour - 1], now = node.hours[hour];
            if (!now.present || !now.known || (before.present && !before.known))
                continue;
            const int held = before.present ? before.allocated : 0;
            out[hour - 1] += std::max(0, now.allocated - held);
        }
    }
    return out;
}

std::int64_t capacityQuantile(std::vector<std::int64_t> values, double quantile)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(quantile * static_cast<double>(values.size()) - 1e-9));
    return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

CapacityUse capacityUse(const CapacityPool &pool)
{
    CapacityUse use;
    use.firstHour = pool.hours;
    for (const CapacityNode &node : pool.nodes) {
        for (std::size_t hour = 0; hour < pool.hours; ++hour) {
            const CapacityHour one = node.hours[hour];
            if (!one.present)
                continue;
            use.firstHour = std::min(use.firstHour, hour);
            ++use.presentHours;
            use.unpricedHours += one.priced || node.terms != CapacityTerms::Ends ? 0 : 1;
            if (!one.known) {
                ++use.unknownHours;
            } else if (one.allocated == 0) {
                ++use.emptyHours;
                use.emptySunkHours += node.terms == CapacityTerms::Sunk ? 1 : 0;
                use.emptyUndecidedHours += node.terms == CapacityTerms::Unknown ? 1 : 0;
            } else {
                use.smallHours += isSmallHold(one.allocated, pool.gpus) ? 1 : 0;
                use.fragmentHours += std::max(0, pool.gpus - one.allocated);
            }
        }
    }
    return use;
}

Result<std::int64_t> capacityAvoidable(const CapacityPool &pool)
{
    CapacityWide sum = 0;
    for (const CapacityNode &node : pool.nodes) {
        if (node.terms != CapacityTerms::Ends)
            continue;
        for (const CapacityHour one : node.hours)
            sum += one.present ? one.nanos : 0;
    }
    return capacityNanos(sum);
}

Result<std::int64_t> capacityPerMonth(std::int64_t nanos, std::size_t hours)
{
    return hours == 0 ? Result<std::int64_t>(0)
                      : capacityNanos(CapacityWide{nanos} * kHoursPerMonth / static_cast<std::int64_t>(hours));
}

Result<CapacityBand> capacityBand(std::span<const std::int64_t> savedNanos)
{
    const std::size_t weeks = savedNanos.size() / kCapacityHoursPerWeek;
    const bool spread = weeks >= kCapacityWeeks;
    std::vector<std::int64_t> sums;
    const std::size_t length = spread ? kCapacityHoursPerWeek : savedNanos.size();
    for (std::size_t end = savedNanos.size(); length > 0 && end >= length; end -= length) {
        CapacityWide sum = 0;
        for (std::size_t hour = end - length; hour < end; ++hour)
            sum += savedNanos[hour];
        const auto fits = capacityNanos(sum);
        GPULEDGER_TRY(fits);
        sums.push_back(*fits);
    }
    if (sums.empty())
        return CapacityBand{};
    const bool varies = std::any_of(sums.begin(), sums.end(), [&](std::int64_t one) { return one != sums[0]; });
    std::vector<std::int64_t> months;
    for (int draw = 0; draw < (spread && varies ? kCapacityDraws : 1); ++draw) { // else all draws are the same
        SeededRandom random(kCapacitySeed, static_cast<std::uint64_t>(draw));
        CapacityWide sum = 0;
        for (std::size_t i = 0; i < sums.size(); ++i)
            sum += sums[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(sums.size())))];
        const auto month = capacityNanos(sum * kHoursPerMonth / static_cast<std::int64_t>(sums.size() * length));
        GPULEDGER_TRY(month);
        months.push_back(*month);
    }
    return CapacityBand{capacityQuantile(months, 0.1), capacityQuantile(months, 0.5), capacityQuantile(months, 0.9)};
}

} // namespace gpuledger::savings
