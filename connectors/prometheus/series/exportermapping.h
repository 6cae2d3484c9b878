// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/fleet/signals.h"
#include "app/model/fleet/usage.h"
#include "app/model/settings.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::prometheus {

// The quantity that a metric measures. The first four are activity signals, best first.
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

// Maps one metric of an exporter to the quantity and unit that it measures.
struct MetricMapping {
    std::string name;
    Quantity quantity = Quantity::GpuUtilization;
    double factor = 1; // to ratios, MiB or W
    // A target with any sample above this value exports percentages under the name of a ratio.
    std::optional<double> percentAbove;
    int ordinal = 0; // among the present metrics of one quantity: old and new names are read separately, then merged
};

// A metric that tells why a device is idle.
struct SignalMetric {
    std::string name;
    model::HourSignal signal{};
    double factor = 1; // to bytes per second, or to a ratio
    int set = 0; // the present exporter, under one prefix: only metrics of one set add up
};

// The metric and label names of one exporter. Immutable; any thread.
struct ExporterMapping {
    std::string name;
    std::string title;
    std::string vendor;
    std::string uuidPrefix; // prepended to a UUID that lacks it
    std::string prefixFrom; // the metric whose name reveals the operator's own prefix
    std::string infoMetric; // carries model and index where the other metrics have only the UUID
    bool nodeFromInstance = false;
    std::vector<std::string> uuid, instanceId, profile, modelName, index, node, podUid, slurmJob, partition;
    std::vector<std::string> machine; // labels naming a machine that holds its GPUs itself; none are built in
    std::vector<std::string> pod, nameSpace, container; // where an operator has renamed them
    std::vector<MetricMapping> metrics;
    std::vector<SignalMetric> signals;

    bool describesGpus() const { return !metrics.empty(); }
};

// The GPU resources to look for in the metrics of kube-state-metrics.
struct KubeMapping {
    std::string gpuResources; // regular expression for resource names as kube-state-metrics writes them
    std::string notGpus; // matches among them that are something else: network devices of the same vendor
    std::vector<std::string> sharedResources;

    std::string matcher() const; // for the label `resource`, to be used in a selector
};

// A metric that inference servers export about the requests they serve; a pod label identifies the server.
struct RequestMetric {
    std::string name;
    bool isGauge = false; // requests in flight; otherwise a counter
};

// All mappings that a source uses. Immutable once loaded; any thread.
struct Mappings {
    std::vector<ExporterMapping> exporters;
    std::vector<RequestMetric> requests;
    KubeMapping kube;
};

// Parses one mapping from JSON. Fails with InvalidConfig, naming the key.
[[nodiscard]] base::Result<void> addMapping(Mappings &all, std::string_view name, std::string_view json);
// Merges the built-in mappings with the user's. A user mapping with the name of a built-in one extends it: its labels
// come first and its metrics replace those of the same name. A metric that the user names belongs to no other mapping.
[[nodiscard]] base::Result<Mappings> loadMappings(const std::vector<model::ExporterMappingText> &own);
// The exporters that have metrics in `names`, reduced to these metrics, with the operator's prefix resolved.
std::vector<ExporterMapping> presentExporters(const Mappings &all, const std::set<std::string> &names);

} // namespace gpuledger::prometheus
