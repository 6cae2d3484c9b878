// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/queue/obstaclefinder.h"
#include "app/insight/queue/simulatednode.h"

#include <cstdint>
#include <vector>

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
    void serveAlone(WaitingItem &item);
    void serveTogether(WaitingItem &item);
    bool mayFit(const model::WaitingWork &work) const;
    std::int64_t usableTogether(const model::WaitingWork &work) const;

    ObstacleFinder m_obstacles;
    std::vector<SimulatedNode> m_nodes; // by cluster and name
};

} // namespace gpuledger::insight
