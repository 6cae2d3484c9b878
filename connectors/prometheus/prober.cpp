// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/prober.h"

#include "app/base/text.h"
#include "connectors/prometheus/discovery.h"
#include "connectors/prometheus/promql.h"
#include "connectors/prometheus/unitcheck.h"

#include <algorithm>

namespace gpuledger::prometheus {

namespace {

using Level = ports::Finding::Level;

constexpr base::Seconds kRecent{900};
constexpr base::Seconds kNames{2 * 86400};
constexpr base::Seconds kUnits{86400};
constexpr std::size_t kMaxNamed = 8; // labels listed in a sentence

std::string counted(std::size_t n, const char *what)
{
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

template <typename Names> std::string listed(const Names &names)
{
    std::string out;
    std::size_t n = 0;
    for (const std::string &name : names) {
        if (n++ == kMaxNamed)
            return out + ", …";
        out += (out.empty() ? "" : ", ") + base::printable(name, 64);
    }
    return out;
}

const char *nameOf(Quantity signal)
{
    switch (signal) {
    case Quantity::SmActive:
        return "SM activity";
    case Quantity::GraphicsEngine:
        return "activity of the graphics engine";
    case Quantity::GpuUtilization:
        return "GPU utilization";
    default:
        return "a duty cycle";
    }
}

// How the best signal comes into the metrics of this exporter.
std::string signalRemedy(const ExporterMapping &exporter)
{
    if (exporter.name == "dcgm")
        return "add DCGM_FI_PROF_SM_ACTIVE to the metrics file of dcgm-exporter";
    if (exporter.name == "amd")
        return "switch on gpu_prof_sm_active in the configuration of the exporter";
    if (exporter.vendor == "nvidia")
        return "dcgm-exporter with DCGM_FI_PROF_SM_ACTIVE tells more";
    return "name a metric of SM activity for it in `exporters` of the configuration, if there is one";
}

} // namespace

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
            "start dcgm-exporter (or the AMD device-metrics-exporter) and let this server scrape it; another exporter "
            "can be named in `exporters` of the configuration");
    }
    for (const ExporterMapping &exporter : exporters)
        GPULEDGER_TRY(probeExporter(exporter, stop));
    GPULEDGER_TRY(probeUnits(exporters, stop));
    GPULEDGER_TRY(probeKube(stop));
    for (const std::string &warning : m_connection.warnings)
        add(Level::Problem, "the server warns: " + warning, "answers may be incomplete until this is repaired");
    return m_report;
}

base::Result<void> Prober::probeExporter(const ExporterMapping &exporter, std::stop_token stop)
{
    SeenSeries seen;
    for (const MetricMapping &metric : exporter.metrics) {
        if (!isSignal(metric.quantity))
            continue;
        DeviceVisitor visitor(exporter, metric.quantity, m_clusters, seen);
        const Query query{instantQuery(promql::overTime("count_over_time", metric.name, "", kRecent), m_now), &visitor};
        GPULEDGER_TRY(QueryRunner(m_connection, {query}, stop).finish());
    }
    describe(exporter, seen);
    return {};
}

base::Result<void> Prober::probeUnits(const std::vector<ExporterMapping> &exporters, std::stop_token stop)
{
    auto doubts = checkUnits(m_connection, exporters, {m_now - kUnits, m_now}, std::move(stop));
    if (!doubts) {
        if (doubts.error().code == base::ErrorCode::Cancelled)
            return base::fail(std::move(doubts).error());
        return {}; // the server can't compute it; the metrics themselves were read
    }
    for (const UnitDoubt &doubt : *doubts)
        add(doubt.remedy().empty() ? Level::Good : Level::Problem, doubt.text(), doubt.remedy());
    return {};
}

void Prober::describe(const ExporterMapping &exporter, const SeenSeries &seen)
{
    if (seen.devices.empty()) {
        describeSilence(exporter, seen);
        return;
    }
    m_report.usable = true;
    std::string text =
        exporter.title + ": " + counted(seen.devices.size(), "device") + " on " + counted(seen.nodes.size(), "node");
    if (!seen.mig.empty())
        text += ", " + counted(seen.mig.size(), "MIG instance");
    add(Level::Good, std::move(text));
    describeSignals(exporter, seen);
    if (seen.refused) {
        add(Level::Problem,
            std::to_string(seen.refused) + " series name no device: they have none of the labels "
                + listed(exporter.uuid),
            "keep this label when relabelling, or name yours as labels.uuid of \"" + exporter.name
                + "\" in `exporters` of the configuration");
    }
    describeHolders(exporter, seen);
}

void Prober::describeSilence(const ExporterMapping &exporter, const SeenSeries &seen)
{
    if (seen.refused) {
        add(Level::Problem,
            exporter.title + ": no series names a device, because the label " + listed(exporter.uuid)
                + " is missing; there are " + listed(seen.strangeLabels),
            "keep this label when relabelling, or name yours as labels.uuid of \"" + exporter.name
                + "\" in `exporters` of the configuration");
        return;
    }
    const bool signals = std::any_of(exporter.metrics.begin(), exporter.metrics.end(),
                                     [](const MetricMapping &m) { return isSignal(m.quantity); });
    if (!signals)
        add(Level::Problem, exporter.title + " exports no metric of activity", signalRemedy(exporter));
    else
        add(Level::Problem, exporter.title + " was here in the last two days, but sent nothing in the last 15 minutes",
            "look at the targets page of the server: is the exporter up?");
}

void Prober::describeSignals(const ExporterMapping &exporter, const SeenSeries &seen)
{
    const auto &[best, devices] = *seen.bySignal.begin(); // in the order of their worth
    std::string text = "activity is " + std::string(nameOf(best));
    if (devices.size() < seen.devices.size())
        text += " on " + std::to_string(devices.size()) + " of " + counted(seen.devices.size(), "device");
    if (best == Quantity::SmActive && devices.size() == seen.devices.size())
        add(Level::Good, text + ", the best signal there is");
    else if (best == Quantity::SmActive)
        add(Level::Missing, text + ", a weaker signal on the others", signalRemedy(exporter));
    else if (best == Quantity::GpuUtilization)
        add(Level::Missing,
            text + ", which is high for a hung job" + (exporter.name == "dcgm" ? " and absent on MIG instances" : ""),
            signalRemedy(exporter));
    else
        add(Level::Missing, text + ": SM activity is not exported", signalRemedy(exporter));
    const bool memory = std::any_of(exporter.metrics.begin(), exporter.metrics.end(),
                                    [](const MetricMapping &m) { return m.quantity == Quantity::MemoryUsed; });
    if (!memory)
        add(Level::Missing, "memory in use is not exported: an idle device that holds a model looks like an empty one",
            exporter.name == "dcgm" ? "add DCGM_FI_DEV_FB_USED to the metrics file of dcgm-exporter"
                                    : "let the exporter send its memory metrics");
}

void Prober::describeHolders(const ExporterMapping &exporter, const SeenSeries &seen)
{
    if (seen.exported) {
        add(Level::Good, "holders are read from exported_pod: the exporter is scraped with honor_labels false");
        return;
    }
    if (seen.withPod) {
        add(Level::Good, "holders are read from the exporter's own labels");
        return;
    }
    if (!seen.podLabels.empty()) {
        add(Level::Missing, "no series names its holder in a known label, but there is " + listed(seen.podLabels),
            "undo the relabelling, or name the label as labels.pod of \"" + exporter.name
                + "\" in `exporters` of the configuration");
    } else if (exporter.name == "dcgm") {
        add(Level::Missing, "no series names the pod or job that holds a device",
            "set DCGM_EXPORTER_KUBERNETES=true at dcgm-exporter, or --hpc-job-mapping-dir with Slurm");
    } else {
        add(Level::Missing, exporter.title + " does not say which pod holds a device",
            m_names.contains("kube_pod_container_resource_requests")
                ? "holders are told from kube-state-metrics where one pod holds all that it could be; dcgm-exporter "
                  "names them always"
                : "start kube-state-metrics, or an exporter that names the pod");
    }
}

base::Result<CoverageVisitor> Prober::coverageOf(const char *metric, const std::string &condition, std::stop_token stop)
{
    CoverageVisitor coverage;
    if (m_names.contains(metric)) {
        const Query query{instantQuery(promql::overTime("count_over_time", metric, "", kRecent) + condition, m_now),
                          &coverage};
        GPULEDGER_TRY(QueryRunner(m_connection, {query}, std::move(stop)).finish());
    }
    return coverage;
}

base::Result<void> Prober::probeKube(std::stop_token stop)
{
    if (!m_names.contains("kube_pod_container_resource_requests")) {
        add(Level::Missing,
            m_report.usable ? "no kube-state-metrics: who holds a device is known from the exporter's labels only, and "
                              "the namespace stands for the team"
                            : "no kube-state-metrics either",
            "start kube-state-metrics and let this server scrape it with honor_labels: true");
        return {};
    }
    add(Level::Good, "kube-state-metrics tells which pods request GPUs");
    GPULEDGER_TRY(probeOwners(std::move(stop)));
    if (!m_names.contains("kube_node_labels"))
        add(Level::Missing,
            "kube_node_labels is missing: instance types and regions are unknown, so prices go by the GPU model alone",
            "start kube-state-metrics with --metric-labels-allowlist=nodes=[*]");
    if (!m_names.contains("kube_pod_status_phase"))
        add(Level::Missing, "kube_pod_status_phase is missing: finished pods count as holders until they are deleted",
            "keep this metric in kube-state-metrics");
    return {};
}

base::Result<void> Prober::probeOwners(std::stop_token stop)
{
    const std::string resources = m_mappings.kube.matcher();
    std::string gpu = promql::overTime("max_over_time", "kube_pod_container_resource_requests", resources, kRecent);
    if (m_names.contains("kube_pod_init_container_resource_requests"))
        gpu +=
            " or " + promql::overTime("max_over_time", "kube_pod_init_container_resource_requests", resources, kRecent);
    if (m_names.contains("kube_pod_resourceclaim_info"))
        gpu += " or " + promql::overTime("max_over_time", "kube_pod_resourceclaim_info", "", kRecent);
    auto pods =
        coverageOf("kube_pod_labels", " and on(namespace,pod,exported_namespace,exported_pod) (" + gpu + ')', stop);
    if (!pods)
        return base::fail(std::move(pods).error());
    auto spaces = coverageOf("kube_namespace_labels", "", std::move(stop));
    if (!spaces)
        return base::fail(std::move(spaces).error());
    m_report.ownerLabelCandidates = pods->candidates();
    for (const std::string &label : m_report.ownerLabelCandidates) {
        add(Level::Good,
            "label " + base::printable(label, 64) + " is on " + std::to_string(pods->coverage(label)) + " of "
                + counted(pods->total(), "GPU pod"));
    }
    const std::vector<std::string> onSpaces = spaces->candidates();
    for (const std::string &label : onSpaces) {
        add(Level::Good,
            "label " + base::printable(label, 64) + " is on " + std::to_string(spaces->coverage(label)) + " of "
                + counted(spaces->total(), "namespace"));
    }
    if (!m_report.ownerLabelCandidates.empty() || !onSpaces.empty())
        return {};
    add(Level::Missing,
        pods->total() ? "no label of the GPU pods could name a team: the namespace stands for it"
                      : "no labels of GPU pods are known: the namespace stands for the team",
        "start kube-state-metrics with --metric-labels-allowlist=pods=[team],namespaces=[team], or the label that you "
        "use");
    return {};
}

} // namespace gpuledger::prometheus
