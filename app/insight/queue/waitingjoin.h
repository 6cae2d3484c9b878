// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/waiting.h"

#include <set>
#include <string>
#include <vector>

namespace gpuledger::insight {

// What several sources tell of what waits, as one picture in which each job, node and holder is once. Pure.
struct JoinedWaiting {
    model::WaitingFacts facts;
    std::vector<std::set<std::string>> clusters; // by source: those that its word counts for
};

// What a source that asks a cluster itself tells of it (ReportedCluster) is left out of the others' words; of the same
// job told twice the first counts. Jobs of a source that can't tell what waits count where another one tells of its
// cluster.
JoinedWaiting joined(std::vector<model::WaitingFacts> sources);

} // namespace gpuledger::insight
