// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/seriesnormalizer.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::prometheus {

// What the series of one exporter have in common. A value.
struct SeenSeries {
    std::set<std::string> devices, nodes, mig; // with their cluster
    std::map<Quantity, std::set<std::string>> bySignal; // devices
    std::uint64_t withPod = 0, exported = 0, refused = 0;
    std::set<std::string> strangeLabels; // of the series that name no device
    std::set<std::string> podLabels; // that look as if they named a pod, of the series where none is known

    void add(SeenSeries &&other);
};

// Reads the series of one metric into `seen`; an answer that is read again counts once. One thread.
class DeviceVisitor final : public format::SeriesVisitor {
public:
    DeviceVisitor(const ExporterMapping &exporter, Quantity signal, const ClusterNaming &clusters, SeenSeries &seen)
        : m_exporter(exporter)
        , m_signal(signal)
        , m_clusters(clusters)
        , m_seen(seen)
    {
    }
    void begin() override { m_now = {}; }
    void refused(std::string_view) override { ++m_now.refused; }
    void series(std::span<const format::Label> labels, std::span<const format::Sample>) override;
    void end() override { m_seen.add(std::move(m_now)); }

private:
    const ExporterMapping &m_exporter;
    Quantity m_signal;
    const ClusterNaming &m_clusters;
    SeenSeries &m_seen;
    SeenSeries m_now;
};

// Counts how many pods or namespaces carry each label. One thread.
class CoverageVisitor final : public format::SeriesVisitor {
public:
    void begin() override
    {
        m_coverage.clear();
        m_total = 0;
    }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample>) override;
    // Labels whose name could mean a team, best covered first.
    std::vector<std::string> candidates() const;
    std::uint64_t total() const { return m_total; }
    std::uint64_t coverage(const std::string &label) const { return m_coverage.at(label); }

private:
    std::map<std::string, std::uint64_t> m_coverage;
    std::uint64_t m_total = 0;
};

} // namespace gpuledger::prometheus
