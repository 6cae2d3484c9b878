// SPDX-License-Identifier: GPL-3.0-or-later
// The part of UsageAssembler that finds out how often each job and device was scraped.
#include "connectors/prometheus/usage/usageassembler.h"

#include <algorithm>
#include <tuple>

namespace gpuledger::prometheus {

namespace {

std::uint16_t mostSamples(const UsageCell &cell)
{
    return *std::max_element(cell.samples.begin(), cell.samples.end());
}

// Remembers the fullest bucket of a series as the one to measure in.
void offer(IntervalProbe &probe, const RawSeries &series, std::int64_t firstBucket)
{
    for (std::size_t b = series.cells.first(); b < series.cells.end(); ++b) {
        const auto &samples = series.cells.at(b).samples;
        for (std::size_t s = 0; s < kSignals; ++s) {
            if (samples[s] <= probe.samples)
                continue;
            probe.samples = samples[s];
            probe.bucketNumber = firstBucket + static_cast<std::int64_t>(b);
            probe.uuidLabel = series.identity.uuidLabel;
            probe.uuidText = series.identity.uuidText;
            probe.instance = series.identity.instance;
            for (const MetricMapping &metric : series.exporter->metrics) {
                if (static_cast<std::size_t>(metric.quantity) == s && metric.ordinal == series.ordinal)
                    probe.metric = metric.name;
            }
        }
    }
}

} // namespace

std::vector<IntervalProbe> UsageAssembler::intervalProbes() const
{
    constexpr double kClearlyFewer = 0.8;
    std::map<std::string, IntervalProbe> jobs, devices;
    // Samples across all holders of a device or slice, because its slices, its replicas and other jobs report the same
    // scrapes again.
    using Told = std::tuple<std::string, std::string, std::string>;
    std::map<std::string, std::map<Told, std::vector<unsigned>>> sums;
    for (const RawSeries &series : m_series) {
        const std::string device = deviceKey(series.identity);
        IntervalProbe &one = devices[device];
        one.job = jobs[series.identity.job].job = series.identity.job;
        one.device = device;
        offer(jobs[series.identity.job], series, m_first);
        offer(one, series, m_first);
        const SeriesIdentity &who = series.identity;
        std::vector<unsigned> &sum = sums[device][{who.gpuInstance, who.job, who.replica}];
        sum.resize(static_cast<std::size_t>(m_buckets));
        for (std::size_t b = series.cells.first(); b < series.cells.end(); ++b)
            sum[b] += mostSamples(series.cells.at(b));
    }
    std::vector<IntervalProbe> out;
    for (const auto &[job, probe] : jobs) {
        if (probe.samples > 0)
            out.push_back(probe);
    }
    std::size_t own = 0;
    for (const auto &[device, probe] : devices) {
        unsigned most = 0;
        for (const auto &[told, sum] : sums[device])
            most = std::max(most, *std::max_element(sum.begin(), sum.end()));
        if (most > 0 && most < kClearlyFewer * jobs[probe.job].samples && own++ < kMaxDeviceProbes)
            out.push_back(probe);
    }
    return out;
}

void UsageAssembler::setInterval(const IntervalProbe &probe, base::Seconds interval)
{
    if (probe.device.empty())
        m_intervals[probe.job] = interval;
    else
        m_deviceIntervals[probe.device] = interval;
}

std::uint16_t UsageAssembler::fullCount(const std::string &job) const
{
    std::uint16_t most = 1;
    for (const RawSeries &series : m_series) {
        if (series.identity.job != job)
            continue;
        for (std::size_t b = series.cells.first(); b < series.cells.end(); ++b)
            most = std::max(most, mostSamples(series.cells.at(b)));
    }
    return most;
}

} // namespace gpuledger::prometheus
