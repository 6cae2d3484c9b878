// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/usagesource.h"
#include "connectors/aws/metrics/meterlists.h"
#include "connectors/aws/metrics/metricanswer.h"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gpuledger::aws {

// The minutes that activity is asked for, and until when they count.
struct ActivitySpan {
    base::TimeRange minutes;
    base::UtcTime now;
};

// What CloudWatch has of the GPUs of EC2 instances, from its agent (plugin nvidia_gpu), and of those of endpoints and
// training jobs of SageMaker, from SageMaker itself. Threads, ends and errors: see ports::UsageSource; calls also fail
// with the errors of CredentialChain::get.
class CloudWatchUsage final : public ports::UsageSource {
public:
    explicit CloudWatchUsage(AwsApi &api); // which must outlive it

    // As MeterLists::setMachines.
    void setMachines(const std::vector<ports::ListedMachine> &all, SageMakerMeters named)
    {
        m_lists.setMachines(all, std::move(named));
    }

    base::Seconds kept() const override;
    [[nodiscard]] base::Result<ports::MeasuredUsage> usage(const std::vector<ports::ListedMachine> &machines,
                                                           base::TimeRange range, std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::MeasuredActivity> activity(const std::vector<ports::ListedMachine> &machines,
                                                                 const ports::ActivityQuestion &question,
                                                                 std::stop_token stop) override;
    std::optional<ports::PaidCalls> paid() const override { return m_cloud.paid(); }
    // What a connection test says: the rights, and if neither an agent nor SageMaker reports anything. Fails like
    // usage(), but not with Forbidden. Costs two metrics, or a little more where no agent reports.
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(const std::stop_token &stop);

private:
    base::Result<MetricAnswer> ask(const MetricQuestion &question, const std::stop_token &stop);
    base::Result<void> addUsage(const std::vector<GpuMeter> &meters, const base::TimeRange &range,
                                ports::MeasuredUsage &out, RejectedCounts &rejected, const std::stop_token &stop);
    base::Result<void> addActivity(std::span<const GpuMeter> meters, const ActivitySpan &span,
                                   const ports::ActivityQuestion &question, ports::MeasuredActivity &out,
                                   const std::stop_token &stop);
    base::Result<bool> publishesSageMaker(const std::stop_token &stop);
    base::Result<ports::Finding> dataRight(const MetricDimensions &dimensions, const std::stop_token &stop);

    AwsApi &m_api;
    CloudWatch m_cloud;
    MeterLists m_lists;
};

} // namespace gpuledger::aws
