// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/activity.h"
#include "connectors/format/seriesreader.h"
#include "connectors/prometheus/series/exportermapping.h"
#include "connectors/prometheus/series/seriesnormalizer.h"

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace gpuledger::prometheus {

// Collects the raw samples of activity signals and request counters, series by series. Used for one answer on one
// thread; the mappings and the naming must outlive it.
class ActivityAssembler {
public:
    ActivityAssembler(const ClusterNaming &clusters, base::UtcTime since)
        : m_clusters(clusters)
        , m_since(since)
    {
    }

    // Reads the answers to `metric[window]`. Owned by this object.
    format::SeriesVisitor &visitor(const ExporterMapping &exporter, const MetricMapping &metric);
    format::SeriesVisitor &requestVisitor(const RequestMetric &metric);

    // Whether some values could be either percentages or ratios, and the choice decides whether a device counts as
    // active.
    bool isUnitInDoubt(double threshold) const;
    // `percentTargets`: UsageAssembler::percentKey() of the targets known to export percentages under the name of a
    // ratio. Fails with Parse if a series could not be read, because it might have been an active one.
    [[nodiscard]] base::Result<ports::ActivityAnswer> take(const std::set<std::string> &percentTargets);

private:
    class Visitor;
    class RequestVisitor;
    // The same samples, read in the unit that the metric's name promises and as percentages.
    enum Unit { Promised, Percent };
    struct Read {
        std::optional<ports::ActivityReading::Sample> newest, most;
    };
    struct Row {
        ports::ActivityReading reading;
        const MetricMapping *metric = nullptr;
        std::string instance;
        std::array<Read, 2> as;
        bool isPercent = false; // a sample proves it
    };

    Row rowOf(const MetricMapping &metric, SeriesIdentity identity, std::span<const format::Sample> samples) const;
    Read readAs(const MetricMapping &metric, Unit unit, std::span<const format::Sample> samples,
                ports::SampleTime from) const;
    std::set<std::string> percentKeys() const;

    const ClusterNaming &m_clusters;
    const base::UtcTime m_since;
    std::vector<Row> m_rows;
    std::vector<ports::RequestReading> m_requests;
    std::vector<std::unique_ptr<format::SeriesVisitor>> m_visitors;
    std::string m_refused; // why a series could not be read
};

} // namespace gpuledger::prometheus
