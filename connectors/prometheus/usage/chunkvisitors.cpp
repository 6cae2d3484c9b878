// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/chunkvisitors.h"

#include "app/base/text/text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace gpuledger::prometheus {

namespace {

constexpr std::size_t kDevicesPerProbe = 100;
constexpr std::size_t kMaxProbeQueries = 64;

// Taken from the recorder with the most samples.
std::optional<base::Seconds> medianStep(std::map<std::string, std::vector<double>> &recorders)
{
    constexpr double kSameScrape = 0.5;
    constexpr double kLongest = 86400;
    std::vector<double> best;
    for (auto &[recorder, times] : recorders) {
        std::sort(times.begin(), times.end());
        std::vector<double> steps;
        for (std::size_t i = 1; i < times.size(); ++i) {
            if (times[i] - times[i - 1] > kSameScrape)
                steps.push_back(times[i] - times[i - 1]);
        }
        if (steps.size() > best.size())
            best = std::move(steps);
    }
    if (best.size() < 2)
        return std::nullopt;
    const auto middle = best.begin() + static_cast<std::ptrdiff_t>(best.size() / 2);
    std::nth_element(best.begin(), middle, best.end());
    if (*middle > kLongest)
        return std::nullopt;
    return base::Seconds(std::max(1LL, std::llround(*middle)));
}

} // namespace

IntervalVisitor::IntervalVisitor(UsageAssembler &usage, std::vector<IntervalProbe> probes)
    : m_usage(usage)
    , m_probes(std::move(probes))
{
}

void IntervalVisitor::series(std::span<const format::Label> labels, std::span<const format::Sample> samples)
{
    std::string recorder;
    for (const char *name : {"instance", "prometheus", "prometheus_replica", "replica"})
        recorder += std::string(labelValue(labels, name)) + '\n';
    std::vector<double> &times = m_times[std::string(labelValue(labels, m_probes.front().uuidLabel))][recorder];
    for (const format::Sample &sample : samples)
        times.push_back(sample.time);
}

void IntervalVisitor::end()
{
    for (const IntervalProbe &probe : m_probes) {
        const auto found = m_times.find(probe.uuidText);
        if (found == m_times.end())
            continue;
        if (const auto step = medianStep(found->second))
            m_usage.setInterval(probe, *step);
    }
}

void DownVisitor::series(std::span<const format::Label> labels, std::span<const format::Sample>)
{
    m_down.push_back(base::printable(labelValue(labels, "instance"), 80));
}

std::vector<std::vector<IntervalProbe>> groupProbes(const std::vector<IntervalProbe> &probes)
{
    std::vector<std::vector<IntervalProbe>> out;
    std::map<std::tuple<std::string, std::string, std::int64_t>, std::vector<IntervalProbe>> groups;
    for (const IntervalProbe &probe : probes) {
        if (probe.device.empty()) {
            out.push_back({probe}); // a job's own interval is always measured
            continue;
        }
        std::vector<IntervalProbe> &group = groups[{probe.metric, probe.uuidLabel, probe.bucketNumber}];
        group.push_back(probe);
        if (group.size() == kDevicesPerProbe)
            out.push_back(std::exchange(group, {}));
    }
    const auto devices = [](const auto &group) { return group.front().device.empty() ? SIZE_MAX : group.size(); };
    for (auto &[where, group] : groups) {
        if (!group.empty())
            out.push_back(std::move(group));
    }
    std::stable_sort(out.begin(), out.end(), [&](const auto &a, const auto &b) { return devices(a) > devices(b); });
    const auto jobs = static_cast<std::size_t>(
        std::count_if(out.begin(), out.end(), [&](const auto &group) { return devices(group) == SIZE_MAX; }));
    out.resize(std::min(out.size(), jobs + kMaxProbeQueries));
    return out;
}

} // namespace gpuledger::prometheus
