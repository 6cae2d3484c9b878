// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/metrics/gpumetrics.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

std::optional<std::int64_t> positionIn(const std::string &text)
{
    std::int64_t value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= 0 ? std::optional(value) : std::nullopt;
}

std::string shortHost(const std::string &host)
{
    return host.substr(0, host.find('.'));
}

// Which machines a metric may be of.
class MetricOwners {
public:
    explicit MetricOwners(const HostNames &hosts)
    {
        for (const auto &[id, host] : hosts) {
            if (host.empty())
                continue;
            m_byHost[host].insert(id);
            m_byShortHost[shortHost(host)].insert(id);
        }
    }

    std::set<std::string> idsOf(const GpuMetric &metric) const
    {
        if (metric.instanceId)
            return {*metric.instanceId};
        std::set<std::string> ids;
        if (metric.host.empty())
            return ids;
        // The agent may write "ip-10-0-0-1" for "ip-10-0-0-1.ec2.internal", or the other way round.
        add(m_byHost, metric.host, ids);
        add(m_byShortHost, metric.host, ids);
        add(m_byHost, shortHost(metric.host), ids);
        return ids;
    }

private:
    using IdsByHost = std::map<std::string, std::set<std::string>>;

    static void add(const IdsByHost &known, const std::string &host, std::set<std::string> &ids)
    {
        if (const auto at = known.find(host); at != known.end())
            ids.insert(at->second.begin(), at->second.end());
    }

    IdsByHost m_byHost, m_byShortHost;
};

MetricDimensions sortedDimensions(const GpuMetric &metric)
{
    MetricDimensions sorted = metric.dimensions;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

// The one with more dimensions tells of fewer things; of two alike, it does not matter which, but it is always the same
// one.
bool isCloser(const GpuMetric &a, const GpuMetric &b)
{
    if (a.dimensions.size() != b.dimensions.size())
        return a.dimensions.size() > b.dimensions.size();
    return sortedDimensions(a) < sortedDimensions(b);
}

} // namespace

Result<std::string> GpuMetrics::add(const std::string &page)
{
    auto next = readMetricPage(
        page, kAgentUtilization, [this](MetricDimensions dimensions) { addMetric(std::move(dimensions)); }, m_rejected);
    if (m_all.size() > kMost)
        return base::fail(ErrorCode::TooMuch,
                          "CloudWatch has the utilization of more than " + std::to_string(kMost) + " GPUs");
    return next;
}

void GpuMetrics::addMetric(MetricDimensions dimensions)
{
    const auto index = valueOf(dimensions, "index");
    if (!index)
        return; // of several GPUs together
    const auto gpu = positionIn(*index);
    if (!gpu) {
        ++m_rejected["metric of a GPU whose index is no number"];
        return;
    }
    GpuMetric metric;
    metric.instanceId = valueOf(dimensions, "InstanceId");
    metric.host = valueOf(dimensions, "host").value_or(std::string());
    metric.gpu = *gpu;
    metric.dimensions = std::move(dimensions);
    m_all.push_back(std::move(metric));
}

std::vector<GpuMeter> GpuMetrics::match(const std::vector<ports::ListedMachine> &machines, const HostNames &hosts,
                                        RejectedCounts &rejected) const
{
    HostNames everyHost = hosts;
    std::map<std::string, std::size_t> asked;
    for (std::size_t i = 0; i < machines.size(); ++i) {
        asked.emplace(machines[i].id, i);
        everyHost[machines[i].id] = machines[i].hostName;
    }
    const MetricOwners owners(everyHost);
    std::map<std::pair<std::size_t, std::int64_t>, const GpuMetric *> found;
    for (const GpuMetric &metric : m_all) {
        const std::set<std::string> ids = owners.idsOf(metric);
        const auto of = std::find_if(ids.begin(), ids.end(), [&](const auto &id) { return asked.contains(id); });
        if (of == ids.end())
            continue;
        const std::size_t machine = asked.at(*of);
        if (ids.size() > 1) {
            ++rejected["metric of a GPU in a machine whose host name another one has, too"];
        } else if (metric.gpu >= machines[machine].gpus) {
            ++rejected["metric of a GPU that its machine does not have"];
        } else {
            const GpuMetric *&best = found[{machine, metric.gpu}];
            if (!best || isCloser(metric, *best))
                best = &metric;
        }
    }
    std::vector<GpuMeter> out;
    out.reserve(found.size());
    for (const auto &[which, metric] : found)
        out.push_back({&kAgentMeter, &metric->dimensions, {{which.first, which.second}}});
    return out;
}

} // namespace gpuledger::aws
