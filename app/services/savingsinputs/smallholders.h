// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/attribution.h"
#include "app/savings/capacity/capacity.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

// Names what holds few GPUs of a node, for CapacityCollector. One thread; never fails.
namespace gpuledger::services {

using PooledWork = std::map<std::uint32_t, std::uint32_t>; // index of all pools -> index into CapacityPool::work

class SmallHolders {
public:
    // Remembers a holder until the end of the day. Holders of one workload have one name.
    void name(std::int64_t holder, const model::AttributedHolder &who);
    // Of one hour; every holder was named on this day. Indexes are those of all pools until join().
    savings::SmallHold hold(std::size_t hour, std::vector<std::uint16_t> shares, std::span<const std::int64_t> holders);
    void endDay() { m_names.clear(); }

    // Keeps what is small for this number of GPUs, and gives it the indexes of the pool.
    void join(savings::CapacityPool &pool, savings::CapacityNode &node, int gpus, PooledWork &pooled) const;

private:
    std::uint32_t workOf(std::int64_t holder);

    std::unordered_map<std::int64_t, savings::CapacityWork> m_names; // of the day
    std::vector<savings::CapacityWork> m_work; // of all pools
    std::unordered_map<std::string, std::uint32_t> m_byName; // index into m_work
};

// Adds an hour after those that the node has, if there is one.
void keepSmallHold(savings::CapacityNode &node, std::optional<savings::SmallHold> &hold);

} // namespace gpuledger::services
