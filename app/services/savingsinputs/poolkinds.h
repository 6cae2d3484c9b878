// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/fleet.h"
#include "app/savings/capacity/capacity.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Whether what waited asked for GPUs that a pool has, as far as its resource and the node that it was placed on tell.
// Its selectors, taints, processors and memory are not looked at. Pure; one thread.
namespace gpuledger::services {

enum class PoolFit : std::uint8_t { No, Unknown, Yes };

// What the nodes of a pool offer.
struct PoolKind {
    std::string vendor; // nvidia | amd | intel; empty: unknown, or several
    std::string gpuModel; // empty: unknown
    std::set<std::string> profiles; // of MIG slices that were seen, as resource names have them: 1g_10gb
    bool isWhole = false; // a device without slices
    bool isShared = false; // a node that says that it shares its GPUs
};

class PoolKinds {
public:
    // `pools` must outlive it.
    PoolKinds(std::span<const savings::CapacityPool> pools, const std::vector<model::Device> &devices,
              const std::vector<model::Node> &nodes);

    // A request for this resource, which was placed on this node in the end (empty: unknown), in each pool of the
    // cluster; index into the pools -> answer. Vendor and MIG profile are those of the resource. A request that was
    // placed is taken to have asked for the GPU model of that node. One that was not asked for the only model in the
    // cluster that may have the resource; if there are several, it is unknown which of them it asked for.
    const std::map<std::size_t, PoolFit> &fits(const std::string &cluster, const std::string &resource,
                                               const std::string &node);

private:
    std::map<std::size_t, PoolFit> judged(const std::string &cluster, const std::string &resource,
                                          const std::string &node) const;

    std::span<const savings::CapacityPool> m_pools;
    std::vector<PoolKind> m_kinds; // parallel to the pools
    std::map<std::pair<std::string, std::string>, std::size_t> m_poolOf; // by cluster and node
    std::map<std::vector<std::string>, std::map<std::size_t, PoolFit>> m_known; // by cluster, resource and node
};

// Whether such nodes have the resource, as kube-state-metrics writes it (nvidia_com_mig_1g_10gb). Unknown for resources
// and nodes of unknown vendors, for shares of nodes that don't say that they share, and for whole GPUs where every
// device has slices.
PoolFit offersResource(const PoolKind &kind, std::string_view resource);

} // namespace gpuledger::services
