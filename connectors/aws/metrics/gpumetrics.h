// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/usagesource.h"
#include "connectors/aws/metrics/cloudwatch.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::aws {

struct MetricDimension {
    std::string name, value;

    auto operator<=>(const MetricDimension &) const = default;
};
// As ListMetrics tells them: a question must have exactly these.
using MetricDimensions = std::vector<MetricDimension>;

// What CloudWatch has of one GPU.
struct GpuMetric {
    MetricDimensions dimensions;
    std::optional<std::string> instanceId; // of EC2; the agent adds it if `append_dimensions` says so
    std::string host; // name of the machine; empty: without it
    std::int64_t gpu = 0; // its position
};

// The metric of a GPU of one of the machines that were asked for.
struct MatchedGpu {
    ports::ListedGpu which;
    const GpuMetric *metric = nullptr;
};

using HostNames = std::map<std::string, std::string>; // of machines, by id

// What ListMetrics tells of the utilization of GPUs. Value type.
class GpuMetrics {
public:
    static constexpr std::size_t kMost = 500'000;

    // Adds a page, and returns the token of the next one. Fails with Parse or TooMuch (above kMost).
    [[nodiscard]] base::Result<std::string> add(const std::string &page);
    const std::vector<GpuMetric> &all() const { return m_all; }
    const RejectedCounts &rejected() const { return m_rejected; }

    // The GPUs of these machines, each once, ascending. `hosts` has all machines that exist: a name that two of them
    // have says nothing. The metrics live as long as this object is unchanged.
    std::vector<MatchedGpu> match(const std::vector<ports::ListedMachine> &machines, const HostNames &hosts,
                                  RejectedCounts &rejected) const;

private:
    void addMetric(const nlohmann::json &told);

    std::vector<GpuMetric> m_all;
    RejectedCounts m_rejected;
};

} // namespace gpuledger::aws
