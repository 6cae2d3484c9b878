// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/idle/idle.h"
#include "app/store/values/idlekept.h"

#include <map>
#include <string>
#include <vector>

// Determines whether the machine of something idle can go when it is stopped: the cost of a rented machine ends with
// the machine, not with one of several workloads on it.
namespace gpuledger::insight {

// Ids of the workloads that may be stopped, by holder.
using IdleNames = std::map<store::IdleHolderKey, std::string>;

struct MachineQuery {
    const std::vector<const store::IdleCandidate *> &candidates; // that of each item
    const IdleNames &stoppable; // whatever the list was filtered by
    const model::CostTerms &terms;
    base::UtcTime at; // on a bucket boundary
};

// Of items whose cost would end now: a device counts as Now only if nobody else holds a GPU, or a part of one, of its
// machine at the instant, except for workloads that may be stopped, which are then named in `stopWith`. Otherwise it
// counts as WithMachine, and the amounts follow. A device whose machine is unknown counts as a machine of its own.
// Blocking. Fails with Storage… codes.
[[nodiscard]] base::Result<void> limitToMachines(std::vector<IdleItem> &items, const MachineQuery &query,
                                                 store::AttributionReader &facts);

} // namespace gpuledger::insight
