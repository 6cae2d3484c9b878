// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/metrics/sagemakermetrics.h"

#include <utility>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::int64_t kMinutesOfBucket = base::kBucket / base::Seconds{60};

// Exactly these dimensions: metrics with more of them are of a container, an instance or a single GPU.
std::vector<const char *> dimensionNames(const MeterKind &kind)
{
    if (&kind == &kEndpointMeter)
        return {"EndpointName", "VariantName"};
    return {"Host"};
}

std::vector<ports::ListedGpu> gpusFrom(std::size_t machine, std::int64_t first, std::int64_t count)
{
    std::vector<ports::ListedGpu> gpus;
    for (std::int64_t gpu = first; gpu < first + count; ++gpu)
        gpus.push_back({machine, gpu});
    return gpus;
}

} // namespace

bool isMeasuredBy(const MeterKind &kind, const SageMakerMeter &meter)
{
    return meter.isOfJob() == (&kind == &kTrainingMeter);
}

SageMakerMetrics::SageMakerMetrics(const MeterKind &kind)
    : m_kind(&kind)
{
}

Result<std::string> SageMakerMetrics::add(const std::string &page)
{
    auto next = readMetricPage(
        page, m_kind->utilization, [this](MetricDimensions dimensions) { addMetric(std::move(dimensions)); },
        m_rejected);
    if (m_all.size() > kMostListed)
        return base::fail(ErrorCode::TooMuch,
                          "CloudWatch has the GPU use of more than " + std::to_string(kMostListed) + " hosts in "
                              + m_kind->utilization.nameSpace);
    return next;
}

void SageMakerMetrics::addMetric(MetricDimensions dimensions)
{
    const std::vector<const char *> names = dimensionNames(*m_kind);
    if (dimensions.size() != names.size())
        return;
    std::vector<std::string> values;
    for (const char *name : names)
        values.push_back(valueOf(dimensions, name).value_or(std::string()));
    if (!values.front().empty() && !values.back().empty())
        m_all.try_emplace(std::move(values), std::move(dimensions));
}

const MetricDimensions *SageMakerMetrics::find(const std::vector<std::string> &names) const
{
    const auto known = m_all.find(names);
    return known == m_all.end() ? nullptr : &known->second;
}

void SageMakerMetrics::match(const std::vector<ports::ListedMachine> &machines, const SageMakerMeters &named,
                             std::vector<GpuMeter> &to) const
{
    for (std::size_t i = 0; i < machines.size(); ++i) {
        const auto known = named.find(machines[i].id);
        if (known == named.end() || !isMeasuredBy(*m_kind, known->second))
            continue;
        const SageMakerMeter &meter = known->second;
        const std::int64_t gpus = meter.gpusOfInstance;
        if (gpus * meter.instances != machines[i].gpus) // the list has changed since
            continue;
        const auto add = [&](const MetricDimensions *of, std::vector<ports::ListedGpu> which, std::int64_t instances) {
            if (of)
                to.push_back({m_kind, of, std::move(which), gpus, instances * kMinutesOfBucket, meter.from});
        };
        if (!meter.isOfJob()) {
            add(find({meter.endpoint, meter.variant}), gpusFrom(i, 0, machines[i].gpus), meter.instances);
            continue;
        }
        for (std::int64_t host = 0; host < meter.instances; ++host)
            add(find({meter.trainingJob + "/algo-" + std::to_string(host + 1)}), gpusFrom(i, host * gpus, gpus), 1);
    }
}

} // namespace gpuledger::aws
