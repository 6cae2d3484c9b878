// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/smallholders.h"

#include "app/insight/query/measuresums.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

void SmallHolders::name(std::int64_t holder, const model::AttributedHolder &who)
{
    const auto [at, isNew] = m_names.try_emplace(holder);
    if (!isNew)
        return;
    const std::string work = insight::workloadName(who.nameSpace, who.ownerKind, who.ownerName, who.name, who.what);
    at->second = {who.cluster.empty() ? work : who.cluster + '/' + work, who.team};
}

std::uint32_t SmallHolders::workOf(std::int64_t holder)
{
    const savings::CapacityWork &work = m_names.at(holder);
    const auto [at, isNew] = m_byName.try_emplace(work.name, static_cast<std::uint32_t>(m_work.size()));
    if (isNew)
        m_work.push_back(work);
    else if (m_work[at->second].owner != work.owner)
        m_work[at->second].owner.clear();
    return at->second;
}

savings::SmallHold SmallHolders::hold(std::size_t hour, std::vector<std::uint16_t> shares,
                                      std::span<const std::int64_t> holders)
{
    savings::SmallHold out{static_cast<std::uint32_t>(hour), 1, std::move(shares), {}};
    std::sort(out.shares.begin(), out.shares.end());
    for (const std::int64_t holder : holders)
        out.work.push_back(workOf(holder));
    std::sort(out.work.begin(), out.work.end());
    out.work.erase(std::unique(out.work.begin(), out.work.end()), out.work.end());
    return out;
}

void SmallHolders::join(savings::CapacityPool &pool, savings::CapacityNode &node, int gpus, PooledWork &pooled) const
{
    std::erase_if(node.small, [&](const savings::SmallHold &hold) {
        return !savings::isSmallHold(node.hours[hold.first].allocated, gpus);
    });
    for (savings::SmallHold &hold : node.small) {
        for (std::uint32_t &work : hold.work) {
            const auto [at, isNew] = pooled.try_emplace(work, static_cast<std::uint32_t>(pool.work.size()));
            if (isNew)
                pool.work.push_back(m_work[work]);
            work = at->second;
        }
        std::sort(hold.work.begin(), hold.work.end());
    }
    node.small.shrink_to_fit();
}

void keepSmallHold(savings::CapacityNode &node, std::optional<savings::SmallHold> &hold)
{
    if (!hold)
        return;
    savings::SmallHold *const last = node.small.empty() ? nullptr : &node.small.back();
    if (last && last->first + last->count == hold->first && last->shares == hold->shares && last->work == hold->work)
        ++last->count;
    else
        node.small.push_back(std::move(*hold));
    hold.reset();
}

} // namespace gpuledger::services
