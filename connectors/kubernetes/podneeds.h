// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/kubeapi.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

// What pods ask for and nodes have, in numbers. Pure functions; nothing here guesses: what is no amount fails.
namespace gpuledger::kubernetes {

// GPUs by resource as kube-state-metrics writes its name (nvidia_com_gpu), without what is zero.
struct Amounts {
    std::map<std::string, std::int64_t> gpus;
    std::optional<std::int64_t> cpuMilli, memoryBytes; // empty: not told
};

// A quantity of Kubernetes ("1500m", "2Gi", "1e3", 4) in units of 1/`scale`, rounded up. Nothing where it is none, is
// negative, or is more than `most` of those units.
std::optional<std::int64_t> quantity(const Json &value, std::int64_t scale, std::int64_t most);

// A map of resources, such as a node's status.allocatable; null is an empty one. Fails with Parse, `what` begins the
// text.
[[nodiscard]] base::Result<Amounts> amountsIn(const Json &resources, const std::string &what);
// What the scheduler keeps free for a pod of this spec: the larger of its containers together and its init containers
// one by one, with sidecars and overhead. Limits stand in for requests that are left out. CPU and memory are never
// empty. Fails as amountsIn().
[[nodiscard]] base::Result<Amounts> needsOf(const Json &podSpec, const std::string &what);

// The resource that most is wanted of; empty where there is none.
std::string mainResource(const Amounts &amounts);
// Sums that stay at the largest number.
std::int64_t plus(std::int64_t a, std::int64_t b);

// Names as kube-state-metrics writes them: of a resource, of a label's key.
std::string metricResource(std::string_view resource);
std::string metricKey(std::string_view key);

} // namespace gpuledger::kubernetes
