// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/metrics/gpumetrics.h"
#include "connectors/aws/metrics/sagemakermetrics.h"

#include <optional>
#include <vector>

namespace gpuledger::aws {

// Which metrics CloudWatch has of machines: those of agents on EC2 instances, of endpoints and of training jobs. A list
// is asked for once an hour at most, and only for machines whose metrics it may have. One thread.
class MeterLists {
public:
    MeterLists(AwsApi &api, CloudWatch &cloud); // which must outlive it

    // Every machine that the list tells, for names that two of them have, and how CloudWatch names those of SageMaker.
    void setMachines(const std::vector<ports::ListedMachine> &all, SageMakerMeters named);
    // The meters of these machines, valid until the next call. Counts metrics that can't be used. Fails as
    // CloudWatch::listMetrics, GpuMetrics::add and SageMakerMetrics::add do.
    [[nodiscard]] base::Result<std::vector<GpuMeter>> of(const std::vector<ports::ListedMachine> &machines,
                                                         RejectedCounts &rejected, const std::stop_token &stop);

private:
    template <class Metrics> struct Kept {
        Metrics metrics;
        std::optional<http::Milliseconds> at{}; // steady time; empty: they were never listed
    };
    template <class Metrics>
    base::Result<void> refresh(Kept<Metrics> &kept, Metrics empty, const MetricName &name, const std::stop_token &stop);

    AwsApi &m_api;
    CloudWatch &m_cloud;
    base::Result<void> addAgents(const std::vector<ports::ListedMachine> &machines, std::vector<GpuMeter> &to,
                                 RejectedCounts &rejected, const std::stop_token &stop);
    base::Result<void> addSageMaker(const std::vector<ports::ListedMachine> &machines, const MeterKind &kind,
                                    Kept<SageMakerMetrics> &kept, std::vector<GpuMeter> &to, RejectedCounts &rejected,
                                    const std::stop_token &stop);

    HostNames m_hosts;
    SageMakerMeters m_named;
    Kept<GpuMetrics> m_agents;
    Kept<SageMakerMetrics> m_endpoints{SageMakerMetrics(kEndpointMeter)};
    Kept<SageMakerMetrics> m_trainings{SageMakerMetrics(kTrainingMeter)};
};

} // namespace gpuledger::aws
