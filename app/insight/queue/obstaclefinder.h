// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/queue/simulatednode.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace gpuledger::insight {

// What keeps one job off one node.
struct NodeObstacles {
    std::set<Blocker> all; // in Blocker's order
    std::int64_t units = 0; // idle ones on the node
    WaitingItem::Unchecked unchecked;
};

// Compares what a waiting job requests with what a node offers: GPUs, labels, taints, CPU, memory and quota. For
// PlacementSimulator; pure, any thread. The facts must outlive it.
class ObstacleFinder {
public:
    explicit ObstacleFinder(const model::WaitingFacts &facts);

    NodeObstacles obstaclesOf(const SimulatedNode &node, const model::WaitingWork &work) const;
    bool isOutOfQuota(const model::WaitingWork &work) const;

private:
    void addKind(NodeObstacles &found, const SimulatedNode &node, const model::WaitingWork &work) const;
    void addSelector(NodeObstacles &found, const SimulatedNode &node, const model::WaitingWork &work) const;
    void addTaints(NodeObstacles &found, const SimulatedNode &node, const model::WaitingWork &work) const;
    void addRoom(NodeObstacles &found, const SimulatedNode &node, const model::WaitingWork &work) const;

    const model::WaitingFacts &m_facts;
    std::set<std::pair<std::string, std::string>> m_labelsSeen; // cluster and key: reported for at least one node there
};

} // namespace gpuledger::insight
