// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/queue/waiting.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::insight {

// An idle workload on a node, and what stopping it frees.
struct SimulatedIdle {
    const IdleItem *item = nullptr;
    const model::HeldRoom *held = nullptr;
    std::int64_t units = 0; // of all its resources
    std::map<std::string, std::int64_t> left; // units that are not taken yet
    bool isFreed = false;

    bool isFreeable() const { return item->protection.empty(); }
    IdlePart part(const std::string &resource, std::int64_t count) const; // at its share of the workload's rate
};

// The free and idle capacity of a node, which shrinks with each job that is placed on it. For PlacementSimulator; pure,
// one thread.
struct SimulatedNode {
    using Picks = std::vector<std::size_t>; // indexes into `idle`

    const model::NodeRoom *room = nullptr;
    std::map<std::string, std::int64_t> free; // by resource, unallocated
    std::optional<std::int64_t> cpuMilli, memoryBytes; // free
    std::vector<SimulatedIdle> idle; // in the order of the list
    std::optional<base::Money> rate;

    std::int64_t open(const std::string &resource) const; // free or freed
    std::int64_t all(const std::string &resource, bool withProtected) const;
    // The workloads whose end makes room for the job, with the fewest GPUs; std::nullopt: it cannot fit.
    std::optional<Picks> picksFor(const model::WaitingWork &work) const;
    // What is idle here of the kind that the job requests, up to the requested amount; else everything of other kinds.
    std::vector<IdlePart> partsFor(const model::WaitingWork &work) const;
    // Places the job here and frees these workloads: sets everything but money.
    void take(WaitingItem &item, const Picks &picks);

private:
    bool isShort(const model::WaitingWork &work, const Picks &picks) const;
    IdlePart freePart(const std::string &resource, std::int64_t units) const;
};

// By cluster and name. The arguments must outlive them.
std::vector<SimulatedNode> simulatedNodes(const model::WaitingFacts &facts, const IdleList &idle,
                                          const NodeRates &rates);

std::int64_t unitsOf(const std::map<std::string, std::int64_t> &units, const std::string &resource); // 0: not listed
bool isMigSlice(const std::string &resource);

} // namespace gpuledger::insight
