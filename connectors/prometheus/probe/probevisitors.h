// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/series/seriesnormalizer.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::prometheus {

// The common properties of the series of one exporter. Value type.
struct SeenSeries {
    std::set<std::string> devices, nodes, mig; // including their cluster
    std::map<Quantity, std::set<std::string>> bySignal; // devices
    std::uint64_t withPod = 0, exported = 0, refused = 0;
    std::set<std::string> strangeLabels; // from series that name no device
    std::set<std::string> podLabels; // that look like pod names, from series without a known pod

    void add(SeenSeries &&other);
};

// Reads the series of one metric into `seen`; an answer that is read twice counts once. One thread.
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

// Counts the pods or namespaces that carry each label. One thread.
class CoverageVisitor final : public format::SeriesVisitor {
public:
    void begin() override
    {
        m_coverage.clear();
        m_total = 0;
    }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample>) override;
    // Labels whose name may stand for a team, highest coverage first.
    std::vector<std::string> candidates() const;
    std::uint64_t total() const { return m_total; }
    std::uint64_t coverage(const std::string &label) const { return m_coverage.at(label); }

private:
    std::map<std::string, std::uint64_t> m_coverage;
    std::uint64_t m_total = 0;
};

} // namespace gpuledger::prometheus
