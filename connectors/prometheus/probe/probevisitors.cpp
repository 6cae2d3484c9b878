// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/probe/probevisitors.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace gpuledger::prometheus {

namespace {

// Common names of team labels on workloads; the order decides between labels of equal coverage.
constexpr std::array<std::string_view, 10> kOwnerWords{"team",  "owner",      "cost_center", "costcenter", "squad",
                                                       "group", "department", "project",     "part_of",    "user"};
constexpr std::array<std::string_view, 3> kProbeLabels{"__name__", "instance", "job"};

std::size_t ownerRank(std::string_view label)
{
    for (std::size_t i = 0; i < kOwnerWords.size(); ++i) {
        if (label.find(kOwnerWords[i]) != std::string_view::npos)
            return i;
    }
    return kOwnerWords.size();
}

void unite(std::set<std::string> &into, std::set<std::string> &other)
{
    into.merge(other);
}

} // namespace

void SeenSeries::add(SeenSeries &&other)
{
    unite(devices, other.devices);
    unite(nodes, other.nodes);
    unite(mig, other.mig);
    unite(strangeLabels, other.strangeLabels);
    unite(podLabels, other.podLabels);
    for (auto &[signal, found] : other.bySignal)
        unite(bySignal[signal], found);
    withPod += other.withPod;
    exported += other.exported;
    refused += other.refused;
}

void DeviceVisitor::series(std::span<const format::Label> labels, std::span<const format::Sample>)
{
    std::string_view reason;
    const auto id = identify(m_exporter, m_clusters, labels, reason);
    if (!id) {
        if (reason.empty())
            return;
        ++m_now.refused;
        for (const format::Label &label : labels) {
            if (std::find(kProbeLabels.begin(), kProbeLabels.end(), label.name) == kProbeLabels.end())
                m_now.strangeLabels.insert(std::string(label.name));
        }
        return;
    }
    const std::string device = id->cluster + '\n' + id->uuid;
    m_now.devices.insert(device);
    m_now.bySignal[m_signal].insert(device);
    if (!id->nodes.empty())
        m_now.nodes.insert(id->cluster + '\n' + id->nodes.front());
    if (!id->gpuInstance.empty())
        m_now.mig.insert(device + '\n' + id->gpuInstance);
    m_now.withPod += id->subjects.empty() ? 0 : 1;
    m_now.exported += !id->subjects.empty() && id->subjects.front().exported ? 1 : 0;
    for (const format::Label &label : labels) {
        if (id->subjects.empty() && label.name.find("pod") != std::string_view::npos)
            m_now.podLabels.insert(std::string(label.name));
    }
}

void CoverageVisitor::series(std::span<const format::Label> labels, std::span<const format::Sample>)
{
    constexpr std::string_view kPrefix = "label_";
    ++m_total;
    for (const format::Label &label : labels) {
        if (label.name.starts_with(kPrefix))
            ++m_coverage[std::string(label.name.substr(kPrefix.size()))];
    }
}

std::vector<std::string> CoverageVisitor::candidates() const
{
    std::vector<std::string> out;
    for (const auto &[label, count] : m_coverage) {
        if (ownerRank(label) < kOwnerWords.size())
            out.push_back(label);
    }
    std::sort(out.begin(), out.end(), [this](const std::string &a, const std::string &b) {
        const auto key = [this](const std::string &l) {
            return std::tuple(-static_cast<std::int64_t>(m_coverage.at(l)), ownerRank(l), l);
        };
        return key(a) < key(b);
    });
    return out;
}

} // namespace gpuledger::prometheus
