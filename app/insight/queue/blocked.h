// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/insight/query/query.h"
#include "app/insight/queue/waiting.h"
#include "app/model/fleet/waiting.h"
#include "app/store/facts/attributionreader.h"

#include <optional>
#include <string>
#include <vector>

// GPUs that nothing held at a moment of the past, and that could not be given to the pods that waited then: the idle
// cause *blocked* (definitions.md, Idle), from stored facts alone. Of its reasons, the facts tell two: Scattered (a
// pod's GPUs are all on one node, and fewer are free there) and MigLeftovers (a slice of another size, or the rest of a
// device that is cut into slices). What CPU, memory, taints and quota were like is not stored: if some node had enough
// free GPUs for a pod, it is not known what kept it waiting, and not whether those GPUs were blocked
// (`unexplainedGpus`). A GPU that a workload holds is not free, and has the cause of its idle item.
namespace gpuledger::insight {

// The blocked GPUs of one node, for one reason.
struct BlockedItem {
    std::string id; // stable: cluster/node/reason
    Blocker blocker = Blocker::Scattered; // or MigLeftovers
    std::string cluster, node, gpuModel;
    std::string owner; // of the node's unallocated time
    std::vector<std::string> devices; // ascending: UUIDs, with ":<instance>" for a slice; of a rest, that of its device
    double gpus = 0; // devices and fractions
    std::optional<base::Money> ratePerHour, perMonth; // 730 h; null: no price
    std::vector<model::PastWait> waits; // that these GPUs could not be given to; oldest first, each pod once
};

// What is known about blocked GPUs at an instant. The sums of money are nano-units.
struct BlockedList {
    base::UtcTime at{};
    std::vector<BlockedItem> items; // descending by cost per month, then by GPUs, ties by id
    // Clusters with GPUs, ascending: those for which it was recorded what waited then, and the others, where blocked
    // GPUs are not known.
    std::vector<std::string> known, unknown;
    // Free GPUs of which it is not known whether they are blocked: which model a pod asked for is not.
    double undecidedGpus = 0;
    // Free GPUs of which it is not known either: there were enough of them on their node for a pod that waited. They
    // are not among the undecided ones. Where the model that the pod asked for is not known, another one may be meant.
    double unexplainedGpus = 0;
    IdleSum sum; // of the items; whether their cost would end is unknown, so all of it is `undecided`
};

// The list at an instant (rounded down to a base bucket): GPUs that were free, as observed, in the whole base bucket
// before it, and pods that waited in it. A pod asked for the vendor and the MIG profile of its resource. It asked for
// the model of the node that it was placed on in the end, else for the only one in the cluster that may have the
// resource. Nodes that share their GPUs, requests for shares, and pods that asked for more than any node has count for
// nothing. Blocking; call from a worker thread. Fails with Storage… codes, and with Overflow.
[[nodiscard]] base::Result<BlockedList> blockedAt(store::AttributionReader &facts, base::UtcTime at,
                                                  const Filter &filter, base::Currency currency);

} // namespace gpuledger::insight
