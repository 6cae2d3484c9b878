// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/usagesource.h"
#include "connectors/aws/metrics/metriclist.h"
#include "connectors/format/gauges/gaugeseries.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gpuledger::aws {

// A statistic of a metric, and what its values say of a GPU.
struct UsageStatistic {
    format::Gauge gauge{};
    const char *metric = nullptr, *statistic = nullptr;
};

// What one publisher reports of GPUs.
struct MeterKind {
    MetricName utilization; // by which its metrics are listed
    std::span<const UsageStatistic> statistics;
};

inline constexpr std::array<UsageStatistic, 5> kAgentStatistics{{
    {format::Gauge::Utilization, kAgentUtilization.metric, "Average"},
    {format::Gauge::Samples, kAgentUtilization.metric, "SampleCount"},
    {format::Gauge::MemoryMean, "nvidia_smi_memory_used", "Average"}, // MiB
    {format::Gauge::MemoryMax, "nvidia_smi_memory_used", "Maximum"},
    {format::Gauge::Power, "nvidia_smi_power_draw", "Average"}, // W
}};
inline constexpr MeterKind kAgentMeter{kAgentUtilization, kAgentStatistics};

// The metrics with these dimensions, and whose GPUs they measure.
struct GpuMeter {
    const MeterKind *kind = nullptr;
    const MetricDimensions *dimensions = nullptr;
    std::vector<ports::ListedGpu> gpus; // of the machines that were asked for; each has all values
    std::int64_t summed = 0; // GPUs whose percentages a value adds up; 0: it is that of the only GPU
    std::int64_t mostSamples = 0; // that count in a bucket, where values are sums
    std::optional<base::UtcTime> from{}; // earlier values may be of other machines
};

// What a value of a bucket says of each GPU of the meter.
double gaugeOf(const GpuMeter &meter, format::Gauge gauge, double value);
// The most that any GPU of the meter can have done, in percent: a sum of 100 over eight GPUs may be that of a busy one.
double busiestOf(const GpuMeter &meter, double percent);
// Whether values of this time are of the meter's machines.
bool isInTime(const GpuMeter &meter, base::UtcTime at);

} // namespace gpuledger::aws
