// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/waiting.h"

#include <set>
#include <string>
#include <vector>

namespace gpuledger::insight {

// The queue data of several sources merged into one, in which each job, node and holder occurs once. Pure.
struct JoinedWaiting {
    model::WaitingFacts facts;
    std::vector<std::set<std::string>> clusters; // by source: those that its answer applies to
};

// What a source that queries a cluster directly reports about it (ReportedCluster) overrides the other sources; if the
// same job is reported twice, the first entry counts. Jobs from a source that cannot report what waits count if another
// source reports on their cluster.
JoinedWaiting joined(std::vector<model::WaitingFacts> sources);

} // namespace gpuledger::insight
