// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ports/factbatch.h"
#include "connectors/demo/activity/simulatedactions.h"
#include "connectors/demo/fleet/fleetplan.h"
#include "connectors/demo/fleet/workloadplan.h"

#include <stop_token>
#include <vector>

namespace gpuledger::demo {

// The demo fleet and its history. Immutable after construction; any thread.
class Simulation {
public:
    explicit Simulation(const Options &options);

    // All facts of a range aligned to buckets; the facts of two ranges together are those of their union. `deeds`: the
    // objects stopped by users. Fails with Cancelled.
    [[nodiscard]] base::Result<ports::FactBatch> facts(base::TimeRange range, std::stop_token stop,
                                                       const SimulatedActions &deeds = {}) const;

    const FleetPlan &plan() const { return m_plan; }
    const std::vector<Lane> &lanes() const { return m_lanes; }

private:
    struct Place { // a member of a lane on a node
        std::size_t lane = 0, member = 0;
    };
    class NodeFacts;

    FleetPlan m_plan;
    std::vector<Lane> m_lanes;
    std::vector<std::vector<Place>> m_placesByNode;
};

} // namespace gpuledger::demo
