// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/usagesource.h"
#include "connectors/aws/metrics/metricanswer.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace gpuledger::aws {

// What the CloudWatch agent tells of the GPUs of EC2 instances (its plugin nvidia_gpu). Threads, ends and errors: see
// ports::UsageSource; calls also fail with the errors of CredentialChain::get.
class CloudWatchUsage final : public ports::UsageSource {
public:
    explicit CloudWatchUsage(AwsApi &api); // which must outlive it

    // Every machine that the list tells, for names that two of them have.
    void setMachines(const std::vector<ports::ListedMachine> &all);

    base::Seconds kept() const override;
    [[nodiscard]] base::Result<ports::MeasuredUsage> usage(const std::vector<ports::ListedMachine> &machines,
                                                           base::TimeRange range, std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::MeasuredActivity> activity(const std::vector<ports::ListedMachine> &machines,
                                                                 const ports::ActivityQuestion &question,
                                                                 std::stop_token stop) override;
    std::optional<ports::PaidCalls> paid() const override { return m_cloud.paid(); }
    // What a connection test says: the rights, and whether any agent reports. Fails like usage(), but not with
    // Forbidden. Costs two metrics, or a little more where no agent reports.
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(const std::stop_token &stop);

private:
    base::Result<void> learn(const std::stop_token &stop);
    base::Result<MetricAnswer> ask(const MetricQuestion &question, const std::stop_token &stop);
    base::Result<void> addUsage(const std::vector<MatchedGpu> &gpus, const base::TimeRange &range,
                                ports::MeasuredUsage &out, RejectedCounts &rejected, const std::stop_token &stop);
    base::Result<ports::Finding> dataRight(const MetricDimensions &dimensions, const std::stop_token &stop);

    AwsApi &m_api;
    CloudWatch m_cloud;
    HostNames m_hosts;
    GpuMetrics m_metrics;
    std::optional<http::Milliseconds> m_listedAt; // steady time; empty: `m_metrics` were never listed
};

} // namespace gpuledger::aws
