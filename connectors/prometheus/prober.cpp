// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/prober.h"

#include "app/base/text.h"
#include "connectors/prometheus/discovery.h"
#include "connectors/prometheus/promql.h"

#include <algorithm>
#include <array>

namespace gpuledger::prometheus {

namespace {

using Level = ports::Finding::Level;

constexpr base::Seconds kRecent{900};
constexpr base::Seconds kNames{2 * 86400};
// How teams are commonly named on workloads; the order decides between labels of equal coverage.
constexpr std::array<std::string_view, 10> kOwnerWords{"team",  "owner",      "cost_center", "costcenter", "squad",
                                                       "group", "department", "project",     "part_of",    "user"};

std::size_t ownerRank(std::string_view label)
{
    for (std::size_t i = 0; i < kOwnerWords.size(); ++i) {
        if (label.find(kOwnerWords[i]) != std::string_view::npos)
            return i;
    }
    return kOwnerWords.size();
}

std::string counted(std::size_t n, const char *what)
{
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

} // namespace

class Prober::DeviceVisitor final : public format::SeriesVisitor {
public:
    DeviceVisitor(const ExporterMapping &exporter, const ClusterNaming &clusters, Seen &seen)
        : m_exporter(exporter)
        , m_clusters(clusters)
        , m_seen(seen)
    {
    }
    void begin() override { m_seen = {}; }
    void refused(std::string_view) override { ++m_seen.refused; }
    void series(std::span<const format::Label> labels, std::span<const format::Sample>) override
    {
        std::string_view reason;
        const auto id = identify(m_exporter, m_clusters, labels, reason);
        if (!id) {
            m_seen.refused += reason.empty() ? 0 : 1;
            return;
        }
        ++m_seen.series;
        m_seen.devices.insert(id->cluster + '\n' + id->uuid);
        if (!id->nodes.empty())
            m_seen.nodes.insert(id->cluster + '\n' + id->nodes.front());
        if (!id->gpuInstance.empty())
            m_seen.mig.insert(id->uuid + '\n' + id->gpuInstance);
        m_seen.withPod += id->subjects.empty() ? 0 : 1;
        m_seen.exported += !id->subjects.empty() && id->subjects.front().exported ? 1 : 0;
    }

private:
    const ExporterMapping &m_exporter;
    const ClusterNaming &m_clusters;
    Seen &m_seen;
};

// Counts how many GPU pods carry each label.
class Prober::LabelVisitor final : public format::SeriesVisitor {
public:
    void begin() override
    {
        m_coverage.clear();
        m_pods = 0;
    }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample>) override
    {
        ++m_pods;
        for (const format::Label &label : labels) {
            if (label.name.starts_with("label_"))
                ++m_coverage[std::string(label.name.substr(6))];
        }
    }
    std::vector<std::string> candidates() const
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
    std::uint64_t pods() const { return m_pods; }
    std::uint64_t coverage(const std::string &label) const { return m_coverage.at(label); }

private:
    std::map<std::string, std::uint64_t> m_coverage;
    std::uint64_t m_pods = 0;
};

Prober::Prober(Connection &connection, const Mappings &mappings, ClusterNaming clusters, base::UtcTime now)
    : m_connection(connection)
    , m_mappings(mappings)
    , m_clusters(std::move(clusters))
    , m_now(now)
{
}

void Prober::add(Level level, std::string text, std::string remedy)
{
    m_report.findings.push_back({level, std::move(text), std::move(remedy)});
}

base::Result<ports::ProbeReport> Prober::run(std::stop_token stop)
{
    auto server = askServer(m_connection, stop);
    if (!server)
        return base::fail(std::move(server).error());
    m_connection.endpoint.product = server->product;
    m_report.product = server->title;
    auto names = askNames(m_connection, {m_now - kNames, m_now}, stop);
    if (!names)
        return base::fail(std::move(names).error());
    m_names = std::move(*names);
    add(Level::Good, server->title + " answers, " + counted(m_names.size(), "metric name"));
    const std::vector<ExporterMapping> exporters = presentExporters(m_mappings, m_names);
    if (exporters.empty()) {
        add(Level::Problem, "no metrics of a known GPU exporter in the last two days",
            "start dcgm-exporter (or the AMD device-metrics-exporter) and let this server scrape it; other exporters "
            "can "
            "be named in `exporters` of the configuration");
    }
    for (const ExporterMapping &exporter : exporters)
        GPULEDGER_TRY(probeExporter(exporter, stop));
    GPULEDGER_TRY(probeKube(stop));
    for (const std::string &warning : m_connection.warnings)
        add(Level::Problem, "the server warns: " + warning, "answers may be incomplete until this is repaired");
    return m_report;
}

base::Result<void> Prober::probeExporter(const ExporterMapping &exporter, std::stop_token stop)
{
    Seen seen;
    DeviceVisitor visitor(exporter, m_clusters, seen);
    for (const MetricMapping &metric : exporter.metrics) {
        if (!isSignal(metric.quantity) || !seen.devices.empty())
            continue;
        const Query query{instantQuery(promql::overTime("count_over_time", metric.name, "", kRecent), m_now), &visitor};
        GPULEDGER_TRY(QueryRunner(m_connection, {query}, stop).finish());
    }
    describe(exporter, seen);
    return {};
}

void Prober::describe(const ExporterMapping &exporter, const Seen &seen)
{
    if (seen.devices.empty()) {
        add(Level::Problem, exporter.title + " is known here but sent no activity in the last 15 minutes",
            "look at the targets page of the server: is the exporter up?");
        return;
    }
    m_report.usable = true;
    std::string text =
        exporter.title + ": " + counted(seen.devices.size(), "device") + " on " + counted(seen.nodes.size(), "node");
    if (!seen.mig.empty())
        text += ", " + counted(seen.mig.size(), "MIG instance");
    add(Level::Good, std::move(text));
    describeSignals(exporter);
    if (seen.refused)
        add(Level::Problem, std::to_string(seen.refused) + " series name no device",
            "keep the exporter's UUID label when relabelling");
    if (seen.exported)
        add(Level::Good, "holders are read from exported_pod: the exporter is scraped with honor_labels false");
    else if (!seen.withPod && exporter.slurmJob.empty())
        add(Level::Missing, exporter.title + " does not say which pod holds a device",
            "holders come from the scheduler's records where a node makes that unambiguous");
    else if (!seen.withPod)
        add(Level::Missing, "no series names the pod or job that holds a device",
            "set DCGM_EXPORTER_KUBERNETES=true at dcgm-exporter, or --hpc-job-mapping-dir with Slurm");
}

void Prober::describeSignals(const ExporterMapping &exporter)
{
    const auto has = [&](Quantity q) {
        return std::any_of(exporter.metrics.begin(), exporter.metrics.end(),
                           [q](const MetricMapping &m) { return m.quantity == q; });
    };
    if (has(Quantity::SmActive))
        add(Level::Good, "activity is SM activity, the best signal there is");
    else if (has(Quantity::GraphicsEngine))
        add(Level::Missing, "activity is that of the graphics engine: SM activity is not exported",
            "add DCGM_FI_PROF_SM_ACTIVE to the exporter's metrics file");
    else if (has(Quantity::GpuUtilization))
        add(Level::Missing, "activity is GPU utilization, which is high for a hung job and absent on MIG instances",
            exporter.name == "dcgm" ? "add DCGM_FI_PROF_SM_ACTIVE and DCGM_FI_PROF_GR_ENGINE_ACTIVE to the exporter's "
                                      "metrics file"
                                    : "");
    if (!has(Quantity::MemoryUsed))
        add(Level::Missing, "memory in use is not exported", "without it idle devices can't be told loaded from empty");
}

base::Result<void> Prober::probeKube(std::stop_token stop)
{
    if (!m_names.contains("kube_pod_container_resource_requests")) {
        add(Level::Missing, "no kube-state-metrics: who holds a device is known from the exporter's labels only",
            "start kube-state-metrics and let this server scrape it with honor_labels: true");
        return {};
    }
    add(Level::Good, "kube-state-metrics tells which pods request GPUs");
    const std::string gpu = promql::overTime("max_over_time", "kube_pod_container_resource_requests",
                                             "resource=~" + promql::quoted(m_mappings.kube.gpuResources), kRecent);
    LabelVisitor labels;
    if (m_names.contains("kube_pod_labels")) {
        const Query query{instantQuery(promql::overTime("count_over_time", "kube_pod_labels", "", kRecent)
                                           + " and on(namespace,pod,exported_namespace,exported_pod) " + gpu,
                                       m_now),
                          &labels};
        GPULEDGER_TRY(QueryRunner(m_connection, {query}, stop).finish());
    }
    m_report.ownerLabelCandidates = labels.candidates();
    if (m_report.ownerLabelCandidates.empty()) {
        add(Level::Missing, "kube_pod_labels has no label_team or another label that could name an owner",
            "start kube-state-metrics with --metric-labels-allowlist=pods=[team]; until then the namespace names the "
            "owner");
    } else {
        const std::string &best = m_report.ownerLabelCandidates.front();
        add(Level::Good,
            "label " + base::printable(best, 64) + " is on " + std::to_string(labels.coverage(best)) + " of "
                + counted(labels.pods(), "GPU pod"));
    }
    if (!m_names.contains("kube_node_labels"))
        add(Level::Missing,
            "kube_node_labels is missing: instance types and regions are unknown, so prices can't be found",
            "start kube-state-metrics with --metric-labels-allowlist=nodes=[*]");
    if (!m_names.contains("kube_pod_status_phase"))
        add(Level::Missing, "kube_pod_status_phase is missing: finished pods count as holders until they are deleted",
            "keep this metric in kube-state-metrics");
    return {};
}

} // namespace gpuledger::prometheus
