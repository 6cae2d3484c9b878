// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

// How a node pool is named among those of all clusters. Plain values; pure; any thread.
namespace gpuledger::model {

// Two clusters often have a pool of the same name, so the name alone does not tell which one is meant.
struct PoolOfCluster {
    std::string cluster; // empty: unknown
    std::string pool; // as its nodes' labels say; empty: nodes of the cluster that are in no pool

    bool operator==(const PoolOfCluster &) const = default;
};

// "prod/a100"; "prod/" without a pool; the pool alone if the cluster is unknown.
std::string poolName(const PoolOfCluster &pool);
// The reverse. The name of a cluster may contain slashes; the name of a pool is the value of a Kubernetes label, which
// can't.
PoolOfCluster poolOf(const std::string &name);

} // namespace gpuledger::model
