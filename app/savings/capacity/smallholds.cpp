// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/capacity/smallholds.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace gpuledger::savings {

using base::Result;

namespace {

const SmallHold *smallHoldAt(const CapacityNode &node, std::size_t hour)
{
    const auto after = std::upper_bound(node.small.begin(), node.small.end(), hour,
                                        [](std::size_t at, const SmallHold &hold) { return at < hold.first; });
    if (after == node.small.begin())
        return nullptr;
    const SmallHold &hold = *(after - 1);
    return hour < std::size_t{hold.first} + hold.count ? &hold : nullptr;
}

// Free GPUs of the nodes in use in one hour.
class FreeGpus {
public:
    FreeGpus(const CapacityPool &pool, std::size_t hour)
        : m_free(pool.nodes.size(), kNotUsable)
        , m_taken(pool.nodes.size(), 0)
        , m_byFree(static_cast<std::size_t>(pool.gpus) + 1)
    {
        for (std::size_t i = 0; i < pool.nodes.size(); ++i) {
            const CapacityHour one = pool.nodes[i].hours[hour];
            if (one.present && one.known && one.allocated > 0)
                set(i, std::max(0, pool.gpus - one.allocated));
        }
    }

    // Places all shares on other nodes and takes the node away, or changes nothing.
    bool moveAway(std::size_t node, std::vector<std::uint16_t> shares)
    {
        if (m_taken[node] > 0)
            return false;
        std::sort(shares.begin(), shares.end(), std::greater<>());
        std::vector<std::pair<std::size_t, int>> placed; // node and GPUs
        for (const std::uint16_t share : shares) {
            const auto to = smallestFor(share, node);
            if (!to) {
                for (const auto &[at, gpus] : placed) {
                    set(at, m_free[at] + gpus);
                    --m_taken[at];
                }
                return false;
            }
            set(*to, m_free[*to] - share);
            ++m_taken[*to];
            placed.emplace_back(*to, share);
        }
        m_free[node] = kNotUsable;
        return true;
    }

private:
    static constexpr int kNotUsable = -1;

    void set(std::size_t node, int free)
    {
        m_free[node] = free;
        m_byFree[static_cast<std::size_t>(free)].push_back(node);
    }

    // A node has an entry for each number that it once had; those that are no longer true are dropped here.
    std::optional<std::size_t> smallestFor(int gpus, std::size_t except)
    {
        for (auto free = static_cast<std::size_t>(gpus); free < m_byFree.size(); ++free) {
            std::vector<std::size_t> &nodes = m_byFree[free];
            for (std::size_t i = nodes.size(); i-- > 0;) {
                if (m_free[nodes[i]] != static_cast<int>(free))
                    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(i));
                else if (nodes[i] != except)
                    return nodes[i];
            }
        }
        return std::nullopt;
    }

    std::vector<int> m_free; // by node
    std::vector<int> m_taken; // shares that were moved to it, by node
    std::vector<std::vector<std::size_t>> m_byFree;
};

} // namespace

std::vector<std::size_t> movableNodes(const CapacityPool &pool, std::size_t hour)
{
    std::vector<std::pair<int, std::size_t>> small; // GPUs held, node
    for (std::size_t i = 0; i < pool.nodes.size(); ++i) {
        const CapacityNode &node = pool.nodes[i];
        if (node.terms == CapacityTerms::Ends && !node.small.empty() && smallHoldAt(node, hour))
            small.emplace_back(node.hours[hour].allocated, i);
    }
    std::vector<std::size_t> out;
    if (small.empty())
        return out;
    std::sort(small.begin(), small.end());
    FreeGpus free(pool, hour);
    for (const auto &[held, node] : small) {
        if (free.moveAway(node, smallHoldAt(pool.nodes[node], hour)->shares))
            out.push_back(node);
    }
    return out;
}

Result<KeptNodes> keptNodes(const CapacityPool &pool, const CapacityReplay &stays, const CapacityReplay &packed)
{
    KeptNodes out;
    std::map<std::pair<std::size_t, std::vector<std::uint32_t>>, KeptNode> byNode;
    for (std::size_t hour = 0; hour < pool.hours; ++hour) {
        const std::int64_t off = packed.present[hour] - packed.needed[hour];
        const std::int64_t more = off - (stays.present[hour] - stays.needed[hour]);
        if (more <= 0)
            continue;
        out.packedHours += more;
        std::vector<std::size_t> nodes = movableNodes(pool, hour);
        if (nodes.size() > static_cast<std::size_t>(more))
            nodes.resize(static_cast<std::size_t>(more));
        for (const std::size_t node : nodes) {
            KeptNode &kept = byNode[{node, smallHoldAt(pool.nodes[node], hour)->work}];
            ++kept.hours;
            if (__builtin_add_overflow(kept.nanos, packed.savedNanos[hour] / off, &kept.nanos))
                return base::fail(base::ErrorCode::Overflow, "the cost of a node is too large");
        }
    }
    for (auto &[key, kept] : byNode) {
        std::tie(kept.node, kept.work) = key;
        out.hours += kept.hours;
        if (__builtin_add_overflow(out.nanos, kept.nanos, &out.nanos))
            return base::fail(base::ErrorCode::Overflow, "the cost of a pool is too large");
        out.nodes.push_back(std::move(kept));
    }
    std::stable_sort(out.nodes.begin(), out.nodes.end(), [](const KeptNode &a, const KeptNode &b) {
        return std::pair(a.nanos, a.hours) > std::pair(b.nanos, b.hours);
    });
    return out;
}

} // namespace gpuledger::savings
