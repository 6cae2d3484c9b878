// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/kubernetes/api/kubeapi.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

// The amounts that pods request and nodes provide. Pure functions without guesses: an invalid amount is an error.
namespace gpuledger::kubernetes {

// GPUs by resource, named as kube-state-metrics writes it (nvidia_com_gpu), without zero entries.
struct Amounts {
    std::map<std::string, std::int64_t> gpus;
    std::optional<std::int64_t> cpuMilli, memoryBytes; // std::nullopt if not reported
};

// A Kubernetes quantity ("1500m", "2Gi", "1e3", 4) in units of 1/`scale`, rounded up. std::nullopt if it is not a
// quantity, is negative, or exceeds `most` of those units.
std::optional<std::int64_t> quantity(const Json &value, std::int64_t scale, std::int64_t most);

// Reads a resource map, such as a node's status.allocatable; null counts as an empty one. Fails with Parse; the message
// starts with `what`.
[[nodiscard]] base::Result<Amounts> amountsIn(const Json &resources, const std::string &what);
// What the scheduler reserves for a pod of this spec: the larger of the sum over its containers and each of its init
// containers, including sidecars and overhead. Limits stand in for missing requests. CPU and memory are always set.
// Fails as amountsIn().
[[nodiscard]] base::Result<Amounts> needsOf(const Json &podSpec, const std::string &what);

// The resource with the largest request; empty if there is none.
std::string mainResource(const Amounts &amounts);
// Saturating addition.
std::int64_t plus(std::int64_t a, std::int64_t b);

// Resource names and label keys in the spelling of kube-state-metrics.
std::string metricResource(std::string_view resource);
std::string metricKey(std::string_view key);

} // namespace gpuledger::kubernetes
