// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/model/usage.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::prometheus {

// What a metric measures. The first four are activity signals, best first.
enum class Quantity {
    SmActive,
    GraphicsEngine,
    GpuUtilization,
    DutyCycle,
    TensorActive,
    MemoryUsed,
    MemoryFree,
    MemoryReserved,
    MemoryTotal,
    Power
};
inline constexpr int kSignals = 4;
constexpr bool isSignal(Quantity q)
{
    return static_cast<int>(q) < kSignals;
}
constexpr bool isShare(Quantity q)
{
    return isSignal(q) || q == Quantity::TensorActive;
}
constexpr model::ActivitySignal signalOf(int index)
{
    return static_cast<model::ActivitySignal>(index + 1);
}

struct MetricMapping {
    std::string name;
    Quantity quantity = Quantity::GpuUtilization;
    double factor = 1; // to shares of 1, MiB, W
    // A target with any sample above this exports percent under the name of a ratio.
    std::optional<double> percentAbove;
    int ordinal = 0; // among the present metrics of one quantity: old and new names are kept apart, then joined
};

// Names the metrics and labels of one exporter. Immutable; any thread.
struct ExporterMapping {
    std::string name;
    std::string title;
    std::string vendor;
    std::string uuidPrefix; // put before a UUID that lacks it
    std::string prefixFrom; // a metric by whose name the operator's own prefix is found
    std::string infoMetric; // carries model and index where the others have only the UUID
    bool nodeFromInstance = false;
    std::vector<std::string> uuid, instanceId, profile, modelName, index, node, podUid, slurmJob, partition;
    std::vector<std::string> machine; // of a machine that holds its GPUs itself; none is built in
    std::vector<std::string> pod, nameSpace, container; // where an operator renamed them
    std::vector<MetricMapping> metrics;

    bool describesGpus() const { return !metrics.empty(); }
};

struct KubeMapping {
    std::string gpuResources; // regular expression over resource names as kube-state-metrics writes them
    std::string notGpus; // of these, the ones that are something else: network devices of the same vendor
    std::vector<std::string> sharedResources;

    std::string matcher() const; // of the label `resource`, for a selector
};

// What inference servers tell of the requests that they serve; a pod label says whose.
struct RequestMetric {
    std::string name;
    bool isGauge = false; // requests at the moment; else a counter
};

struct Mappings {
    std::vector<ExporterMapping> exporters;
    std::vector<RequestMetric> requests;
    KubeMapping kube;
};

// One mapping from its JSON text. Fails with InvalidConfig naming the key.
[[nodiscard]] base::Result<void> addMapping(Mappings &all, std::string_view name, std::string_view json);
// The built-in mappings and the user's. One with the name of a built-in mapping adds to it: its labels come first, its
// metrics replace those of the same name. A metric that the user names belongs to no other mapping.
[[nodiscard]] base::Result<Mappings> loadMappings(const std::vector<model::ExporterMappingText> &own);
// The exporters of which `names` has metrics, reduced to these, with the operator's prefix resolved.
std::vector<ExporterMapping> presentExporters(const Mappings &all, const std::set<std::string> &names);

} // namespace gpuledger::prometheus
