// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/metrics/gpumeter.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::aws {

// What the agent on a machine reports of one GPU.
struct GpuMetric {
    MetricDimensions dimensions;
    std::optional<std::string> instanceId; // of EC2; the agent adds it if `append_dimensions` says so
    std::string host; // name of the machine; empty: without it
    std::int64_t gpu = 0; // its position
};

using HostNames = std::map<std::string, std::string>; // of machines, by id

// What ListMetrics tells of the utilization of GPUs that agents report. Value type.
class GpuMetrics {
public:
    static constexpr std::size_t kMost = 500'000;

    // Adds a page, and returns the token of the next one. Fails with Parse or TooMuch (above kMost).
    [[nodiscard]] base::Result<std::string> add(const std::string &page);
    const std::vector<GpuMetric> &all() const { return m_all; }
    const RejectedCounts &rejected() const { return m_rejected; }

    // A meter for each GPU of these machines, ascending. `hosts` has all machines that exist: a name that two of them
    // have says nothing. The meters are valid as long as this object is unchanged.
    std::vector<GpuMeter> match(const std::vector<ports::ListedMachine> &machines, const HostNames &hosts,
                                RejectedCounts &rejected) const;

private:
    void addMetric(MetricDimensions dimensions);

    std::vector<GpuMetric> m_all;
    RejectedCounts m_rejected;
};

} // namespace gpuledger::aws
