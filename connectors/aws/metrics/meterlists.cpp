// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/metrics/meterlists.h"

#include <algorithm>
#include <utility>

namespace gpuledger::aws {

using base::Result;

namespace {

// Many days are fetched with one list. A new metric takes up to 15 minutes to be listed anyway.
constexpr http::Milliseconds kListKept{3'600'000};

// Its id is an ARN. None of them runs the agent under an id or a host name that the list has.
bool isOfSageMaker(const ports::ListedMachine &machine)
{
    return machine.id.starts_with("arn:");
}

} // namespace

MeterLists::MeterLists(AwsApi &api, CloudWatch &cloud)
    : m_api(api)
    , m_cloud(cloud)
{
}

void MeterLists::setMachines(const std::vector<ports::ListedMachine> &all, SageMakerMeters named)
{
    m_named = std::move(named);
    m_hosts.clear();
    for (const ports::ListedMachine &one : all)
        m_hosts[one.id] = one.hostName;
}

template <class Metrics>
Result<void> MeterLists::refresh(Kept<Metrics> &kept, Metrics empty, const MetricName &name,
                                 const std::stop_token &stop)
{
    if (kept.at && m_api.steadyNow() < *kept.at + kListKept)
        return {};
    GPULEDGER_TRY(m_cloud.listMetrics(
        name, [&](const std::string &page) { return empty.add(page); }, stop));
    kept = {std::move(empty), m_api.steadyNow()};
    return {};
}

Result<void> MeterLists::addAgents(const std::vector<ports::ListedMachine> &machines, std::vector<GpuMeter> &to,
                                   RejectedCounts &rejected, const std::stop_token &stop)
{
    if (std::all_of(machines.begin(), machines.end(), isOfSageMaker))
        return {};
    GPULEDGER_TRY(refresh(m_agents, GpuMetrics(), kAgentUtilization, stop));
    addRejected(m_agents.metrics.rejected(), rejected);
    to = m_agents.metrics.match(machines, m_hosts, rejected);
    return {};
}

Result<void> MeterLists::addSageMaker(const std::vector<ports::ListedMachine> &machines, const MeterKind &kind,
                                      Kept<SageMakerMetrics> &kept, std::vector<GpuMeter> &to, RejectedCounts &rejected,
                                      const std::stop_token &stop)
{
    const bool isAsked = std::any_of(machines.begin(), machines.end(), [&](const ports::ListedMachine &one) {
        const auto named = m_named.find(one.id);
        return named != m_named.end() && isMeasuredBy(kind, named->second);
    });
    if (!isAsked)
        return {};
    GPULEDGER_TRY(refresh(kept, SageMakerMetrics(kind), kind.utilization, stop));
    addRejected(kept.metrics.rejected(), rejected);
    kept.metrics.match(machines, m_named, to);
    return {};
}

Result<std::vector<GpuMeter>> MeterLists::of(const std::vector<ports::ListedMachine> &machines,
                                             RejectedCounts &rejected, const std::stop_token &stop)
{
    std::vector<GpuMeter> meters;
    GPULEDGER_TRY(addAgents(machines, meters, rejected, stop));
    GPULEDGER_TRY(addSageMaker(machines, kEndpointMeter, m_endpoints, meters, rejected, stop));
    GPULEDGER_TRY(addSageMaker(machines, kTrainingMeter, m_trainings, meters, rejected, stop));
    return meters;
}

} // namespace gpuledger::aws
