// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/telemetrysource.h"
#include "connectors/prometheus/probe/probevisitors.h"
#include "connectors/prometheus/query/queryrunner.h"

#include <set>
#include <string>
#include <vector>

namespace gpuledger::prometheus {

// The connection test: what this server offers, what is missing and how to fix it. Used once, on one thread.
class Prober {
public:
    Prober(Connection &connection, const Mappings &mappings, ClusterNaming clusters, base::UtcTime now);
    // Fails if the server cannot be reached or refuses the credential.
    [[nodiscard]] base::Result<ports::ProbeReport> run(std::stop_token stop);

private:
    base::Result<void> probeExporter(const ExporterMapping &exporter, std::stop_token stop);
    base::Result<void> probeUnits(const std::vector<ExporterMapping> &exporters, std::stop_token stop);
    base::Result<void> probeKube(std::stop_token stop);
    base::Result<void> probeOwners(std::stop_token stop);
    base::Result<CoverageVisitor> coverageOf(const char *metric, const std::string &condition, std::stop_token stop);
    void describe(const ExporterMapping &exporter, const SeenSeries &seen);
    void describeSilence(const ExporterMapping &exporter, const SeenSeries &seen);
    void describeSignals(const ExporterMapping &exporter, const SeenSeries &seen);
    void describeHolders(const ExporterMapping &exporter, const SeenSeries &seen);
    void add(ports::Finding::Level level, ports::FindingText text, std::vector<ports::FindingTerm> terms = {},
             ports::FindingRemedy remedy = ports::FindingRemedy::None,
             std::vector<ports::FindingTerm> remedyTerms = {});

    Connection &m_connection;
    const Mappings &m_mappings;
    ClusterNaming m_clusters;
    base::UtcTime m_now;
    std::set<std::string> m_names;
    ports::ProbeReport m_report;
};

} // namespace gpuledger::prometheus
