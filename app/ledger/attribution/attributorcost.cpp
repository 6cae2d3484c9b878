// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/attribution/attributor.h"
#include "app/ledger/rates/noderates.h"

#include <algorithm>
#include <limits>

// The cost of attributed parts.
namespace gpuledger::ledger {

using base::UtcTime;

namespace {

// Cost of the first `seconds` of a day at a rate, rounded once (half away from zero). The cost of a stretch is the
// difference of two of these, so that hours and days add up to rate x time without a rounding error per bucket.
std::int64_t costUpTo(const base::Rate &rate, std::int64_t seconds)
{
    constexpr std::int64_t kHour = 3600;
    constexpr std::int64_t kFits = std::numeric_limits<std::int64_t>::max() / (2 * 86400) - kHour;
    const std::int64_t nanos = rate.nanosPerHour();
    if (-kFits < nanos && nanos < kFits && seconds <= 86400)
        return (2 * nanos * seconds + (nanos < 0 ? -kHour : kHour)) / (2 * kHour);
    const auto cost = rate.times(base::GpuTime::wholeDevice(base::Seconds{seconds}));
    return cost ? cost->nanos() : 0;
}

} // namespace

// The cost of a bucket's paid seconds; a price that changes within the bucket applies from that second on.
std::int64_t Attributor::costOfBucket(const IndexedDevice &device, const model::Node *node, base::TimeRange bucket,
                                      std::int64_t seconds, std::int64_t paidBefore) const
{
    std::int64_t cost = 0;
    base::Rate rate = m_listRate;
    const auto &edges = m_rules.prices.boundaries();
    for (auto edge = std::upper_bound(edges.begin(), edges.end(), bucket.start);
         edge != edges.end() && *edge < bucket.end; ++edge) {
        const std::int64_t until = std::min(seconds, device.paid.overlap({bucket.start, *edge}).count());
        cost += costUpTo(rate, paidBefore + until) - costUpTo(rate, paidBefore);
        paidBefore += until;
        seconds -= until;
        bucket.start = *edge;
        const auto price = m_rules.prices.priceOf(device.facts, node, *edge);
        rate = price ? price->perGpuHour : rate;
    }
    return cost + costUpTo(rate, paidBefore + seconds) - costUpTo(rate, paidBefore);
}

// Splits an amount over parts of one bucket in proportion to their time.
void Attributor::splitCost(std::size_t first, std::size_t end, std::int64_t cost, std::int64_t model::UsagePart::*to)
{
    std::vector<model::UsagePart> &parts = m_out.parts;
    if (end == first + 1) {
        parts[first].*to = cost;
        return;
    }
    m_weights.clear();
    for (std::size_t k = first; k < end; ++k)
        m_weights.push_back(parts[k].ticks);
    const std::vector<std::int64_t> split = base::allocateInteger(cost, m_weights);
    for (std::size_t k = first; k < end; ++k)
        parts[k].*to = split[k - first];
}

namespace {

__extension__ using Wide = __int128;

// The end of the parts that have the bucket of the one at `first`; adds their time.
std::size_t endOfBucket(const std::vector<model::UsagePart> &parts, std::size_t first, std::int64_t &ticks)
{
    std::size_t end = first;
    while (end < parts.size() && parts[end].bucket == parts[first].bucket)
        ticks += parts[end++].ticks;
    return end;
}

} // namespace

// By the price book.
void Attributor::addListCosts(const IndexedDevice &device, const model::Node *node)
{
    std::vector<model::UsagePart> &parts = m_out.parts;
    const auto &edges = m_rules.prices.boundaries();
    const UtcTime start = m_out.day.start();
    const auto edge = std::upper_bound(edges.begin(), edges.end(), start);
    const bool steady = edge == edges.end() || *edge >= m_out.day.end();
    std::int64_t paidSeconds = 0, paidCost = 0;
    for (std::size_t i = 0; i < parts.size();) {
        std::int64_t ticks = 0;
        const std::size_t end = endOfBucket(parts, i, ticks);
        const std::int64_t seconds = ticks / base::GpuTime::kTicksPerSecond;
        std::int64_t cost = 0;
        if (steady) {
            const std::int64_t sum = costUpTo(m_listRate, paidSeconds + seconds);
            cost = sum - paidCost;
            paidCost = sum;
        } else {
            const UtcTime from = start + parts[i].bucket * base::kBucket;
            cost = costOfBucket(device, node, {from, from + base::kBucket}, seconds, paidSeconds);
        }
        paidSeconds += seconds;
        splitCost(i, end, cost, &model::UsagePart::listNanos);
        for (; i < end; ++i)
            parts[i].listed = true;
    }
}

// At the machine's rate of the day, else as listed. `m_rate->cost` pays for `m_rate->ticks`; the cost of a stretch is
// the difference of two cumulated amounts, so that a device's day is rounded once.
void Attributor::addCosts()
{
    std::vector<model::UsagePart> &parts = m_out.parts;
    if (!m_rate) {
        for (model::UsagePart &part : parts) {
            part.costNanos = part.listNanos;
            part.priced = part.listed;
        }
        return;
    }
    const Wide cost = m_rate->cost, of = m_rate->ticks;
    const auto upTo = [&](std::int64_t ticks) {
        return static_cast<std::int64_t>((2 * cost * ticks + (cost < 0 ? -of : of)) / (2 * of));
    };
    std::int64_t paid = 0, paidCost = 0;
    for (std::size_t i = 0; i < parts.size();) {
        const std::size_t end = endOfBucket(parts, i, paid);
        const std::int64_t sum = upTo(paid);
        splitCost(i, end, sum - paidCost, &model::UsagePart::costNanos);
        paidCost = sum;
        for (; i < end; ++i)
            parts[i].priced = true;
    }
}

} // namespace gpuledger::ledger
