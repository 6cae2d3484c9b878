// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/queue/waiting.h"

#include <cstddef>
#include <set>

namespace gpuledger::insight {

// Simulates placing waiting jobs, one after the other, on the free and idle capacity of the nodes at one moment. For
// matchWaiting(); pure, one thread. The arguments must outlive it.
class PlacementSimulator {
public:
    PlacementSimulator(const model::WaitingFacts &facts, const IdleList &idle, const NodeRates &rates);

    // Places the job on a node, if one can take it: sets everything but money.
    void serve(WaitingItem &item);
    // For a job that was not placed, after all jobs were tried.
    void explain(WaitingItem &item) const;

private:
    struct Idle { // an idle workload and what stopping it frees
        const IdleItem *item = nullptr;
        const model::HeldRoom *held = nullptr;
        std::int64_t units = 0; // of all its resources
        std::map<std::string, std::int64_t> left; // units that are not taken yet
        bool isFreed = false;
    };
    struct Node {
        const model::NodeRoom *room = nullptr;
        std::map<std::string, std::int64_t> free; // by resource, unallocated
        std::optional<std::int64_t> cpuMilli, memoryBytes; // free
        std::vector<Idle> idle; // in the order of the list
        std::optional<base::Money> rate;
        std::int64_t open(const std::string &resource) const; // free or freed
        std::int64_t all(const std::string &resource, bool withProtected) const;
    };
    using Picks = std::vector<std::size_t>; // indexes into Node::idle
    struct Obstacles {
        std::set<Blocker> all; // in Blocker's order
        std::int64_t units = 0; // idle ones on the node
        WaitingItem::Unchecked unchecked;
    };

    void serveAlone(WaitingItem &item);
    void serveTogether(WaitingItem &item);
    bool mayFit(const model::WaitingWork &work) const;
    bool isShort(const Node &node, const model::WaitingWork &work, const Picks &picks) const;
    std::optional<Picks> picksFor(const Node &node, const model::WaitingWork &work) const;
    Obstacles obstaclesOf(const Node &node, const model::WaitingWork &work) const;
    void addKind(Obstacles &found, const Node &node, const model::WaitingWork &work) const;
    void addSelector(Obstacles &found, const Node &node, const model::WaitingWork &work) const;
    void addTaints(Obstacles &found, const Node &node, const model::WaitingWork &work) const;
    void addRoom(Obstacles &found, const Node &node, const model::WaitingWork &work) const;
    std::int64_t usableTogether(const model::WaitingWork &work) const;
    bool isOutOfQuota(const model::WaitingWork &work) const;
    static bool isFreeable(const Idle &idle) { return idle.item->protection.empty(); }
    static IdlePart partOf(const Idle &idle, const std::string &resource, std::int64_t units);
    static IdlePart freePart(const Node &node, const std::string &resource, std::int64_t units);
    static std::vector<IdlePart> partsThere(const Node &node, const WaitingItem &item);
    void take(Node &node, WaitingItem &item, const Picks &picks);

    const model::WaitingFacts &m_facts;
    std::vector<Node> m_nodes; // by cluster and name
    std::set<std::pair<std::string, std::string>> m_labelsSeen; // cluster and key: reported for at least one node there
};

} // namespace gpuledger::insight
