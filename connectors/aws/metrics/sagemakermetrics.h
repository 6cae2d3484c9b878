// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/metrics/gpumeter.h"
#include "connectors/aws/metrics/sagemakermeter.h"

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gpuledger::aws {

// Of the containers on an instance, in percent: the sum over its GPUs.
inline constexpr MetricName kEndpointUtilization{"/aws/sagemaker/Endpoints", "GPUUtilization"};
inline constexpr MetricName kTrainingUtilization{"/aws/sagemaker/TrainingJobs", "GPUUtilization"};

inline constexpr std::array<UsageStatistic, 2> kSageMakerStatistics{{
    {format::Gauge::Utilization, "GPUUtilization", "Average"},
    {format::Gauge::Samples, "GPUUtilization", "SampleCount"},
}};
inline constexpr MeterKind kEndpointMeter{kEndpointUtilization, kSageMakerStatistics};
inline constexpr MeterKind kTrainingMeter{kTrainingUtilization, kSageMakerStatistics};

// What ListMetrics returns of endpoints or of training jobs. Value type.
class SageMakerMetrics {
public:
    static constexpr std::size_t kMostListed = 500'000;

    explicit SageMakerMetrics(const MeterKind &kind); // one of the two above

    // Adds a page, and returns the token of the next one. Fails with Parse or TooMuch (above kMostListed).
    [[nodiscard]] base::Result<std::string> add(const std::string &page);
    bool empty() const { return m_all.empty(); }
    const RejectedCounts &rejected() const { return m_rejected; }

    // Adds the meters of those of these machines that are endpoints or jobs, as this object's kind is. They are valid
    // as long as this object is unchanged.
    void match(const std::vector<ports::ListedMachine> &machines, const SageMakerMeters &named,
               std::vector<GpuMeter> &to) const;

private:
    void addMetric(MetricDimensions dimensions);
    const MetricDimensions *find(const std::vector<std::string> &names) const;

    const MeterKind *m_kind;
    std::map<std::vector<std::string>, MetricDimensions> m_all; // by the values of the dimensions
    RejectedCounts m_rejected;
};

// Whether the machine has metrics of this kind.
bool isMeasuredBy(const MeterKind &kind, const SageMakerMeter &meter);

} // namespace gpuledger::aws
