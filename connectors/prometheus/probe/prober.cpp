// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/probe/prober.h"

#include "app/base/text/text.h"
#include "connectors/prometheus/probe/unitcheck.h"
#include "connectors/prometheus/query/discovery.h"
#include "connectors/prometheus/query/promql.h"

#include <algorithm>

namespace gpuledger::prometheus {

namespace {

using Level = ports::Finding::Level;
using Remedy = ports::FindingRemedy;
using Terms = std::vector<ports::FindingTerm>;
using Text = ports::FindingText;

constexpr base::Seconds kRecent{900};
constexpr base::Seconds kNames{2 * 86400};
constexpr base::Seconds kUnits{86400};
constexpr std::size_t kMaxNamed = 8; // labels listed in a message

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

// How to make this exporter export its best signal.
Remedy signalRemedy(const ExporterMapping &exporter)
{
    if (exporter.name == "dcgm")
        return Remedy::AddSmActivity;
    if (exporter.name == "amd")
        return Remedy::SwitchOnSmActivity;
    return exporter.vendor == "nvidia" ? Remedy::UseDcgm : Remedy::NameSmActivity;
}

Text signalText(Quantity best, bool onAll, bool isDcgm)
{
    switch (best) {
    case Quantity::SmActive:
        return onAll ? Text::SmActivity : Text::SmActivityOnSome;
    case Quantity::GraphicsEngine:
        return onAll ? Text::GraphicsEngine : Text::GraphicsEngineOnSome;
    case Quantity::GpuUtilization:
        if (isDcgm)
            return onAll ? Text::GpuUtilizationNoMig : Text::GpuUtilizationNoMigOnSome;
        return onAll ? Text::GpuUtilization : Text::GpuUtilizationOnSome;
    default:
        return onAll ? Text::DutyCycle : Text::DutyCycleOnSome;
    }
}

} // namespace

Prober::Prober(Connection &connection, const Mappings &mappings, ClusterNaming clusters, base::UtcTime now)
    : m_connection(connection)
    , m_mappings(mappings)
    , m_clusters(std::move(clusters))
    , m_now(now)
{
}

void Prober::add(Level level, Text text, Terms terms, Remedy remedy, Terms remedyTerms)
{
    m_report.findings.push_back({level, text, std::move(terms), remedy, std::move(remedyTerms)});
}

base::Result<ports::ProbeReport> Prober::run(std::stop_token stop)
{
    auto server = askServer(m_connection, stop);
    if (!server)
        return base::fail(std::move(server).error());
    m_connection.endpoint.product = server->product;
    m_report.product = server->title;
    GPULEDGER_TRY(askStores(m_connection, stop));
    auto names = askSomeNames(m_connection, {m_now - kNames, m_now}, stop);
    if (!names)
        return base::fail(std::move(names).error());
    m_names = std::move(*names);
    add(Level::Good, Text::Answers, {server->title, m_names.size()});
    const std::vector<ExporterMapping> exporters = presentExporters(m_mappings, m_names);
    if (exporters.empty())
        add(Level::Problem, Text::NoExporter, {}, Remedy::StartExporter);
    for (const ExporterMapping &exporter : exporters)
        GPULEDGER_TRY(probeExporter(exporter, stop));
    GPULEDGER_TRY(probeUnits(exporters, stop));
    GPULEDGER_TRY(probeKube(stop));
    for (const std::string &warning : m_connection.warnings)
        add(Level::Problem, Text::ServerWarning, {warning}, Remedy::RepairServer);
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
        return {}; // the server cannot compute it, but the metrics themselves were read
    }
    for (const UnitDoubt &doubt : *doubts)
        m_report.findings.push_back(doubt.finding());
    return {};
}

void Prober::describe(const ExporterMapping &exporter, const SeenSeries &seen)
{
    if (seen.devices.empty()) {
        describeSilence(exporter, seen);
        return;
    }
    m_report.usable = true;
    Terms terms{exporter.title, seen.devices.size(), seen.nodes.size()};
    if (!seen.mig.empty())
        terms.emplace_back(seen.mig.size());
    add(Level::Good, seen.mig.empty() ? Text::Devices : Text::DevicesAndSlices, std::move(terms));
    describeSignals(exporter, seen);
    if (seen.refused)
        add(Level::Problem, Text::SomeSeriesWithoutDevice, {std::uint64_t{seen.refused}, listed(exporter.uuid)},
            Remedy::KeepDeviceLabel, {exporter.name});
    describeHolders(exporter, seen);
}

void Prober::describeSilence(const ExporterMapping &exporter, const SeenSeries &seen)
{
    if (seen.refused) {
        add(Level::Problem, Text::NoSeriesWithDevice,
            {exporter.title, listed(exporter.uuid), listed(seen.strangeLabels)}, Remedy::KeepDeviceLabel,
            {exporter.name});
        return;
    }
    const bool signals = std::any_of(exporter.metrics.begin(), exporter.metrics.end(),
                                     [](const MetricMapping &m) { return isSignal(m.quantity); });
    if (!signals)
        add(Level::Problem, Text::NoActivityMetric, {exporter.title}, signalRemedy(exporter));
    else
        add(Level::Problem, Text::SilentExporter, {exporter.title}, Remedy::LookAtTargets);
}

void Prober::describeSignals(const ExporterMapping &exporter, const SeenSeries &seen)
{
    const auto &[best, devices] = *seen.bySignal.begin(); // ordered by quality
    const bool onAll = devices.size() == seen.devices.size(), isDcgm = exporter.name == "dcgm";
    const bool isBest = best == Quantity::SmActive && onAll;
    add(isBest ? Level::Good : Level::Missing, signalText(best, onAll, isDcgm),
        onAll ? Terms{} : Terms{devices.size(), seen.devices.size()}, isBest ? Remedy::None : signalRemedy(exporter));
    const bool memory = std::any_of(exporter.metrics.begin(), exporter.metrics.end(),
                                    [](const MetricMapping &m) { return m.quantity == Quantity::MemoryUsed; });
    if (!memory)
        add(Level::Missing, Text::NoMemory, {}, isDcgm ? Remedy::AddMemory : Remedy::SendMemory);
}

void Prober::describeHolders(const ExporterMapping &exporter, const SeenSeries &seen)
{
    if (seen.exported)
        add(Level::Good, Text::HoldersFromExported);
    else if (seen.withPod)
        add(Level::Good, Text::HoldersFromExporter);
    else if (!seen.podLabels.empty())
        add(Level::Missing, Text::HoldersInOtherLabels, {listed(seen.podLabels)}, Remedy::NamePodLabel,
            {exporter.name});
    else if (exporter.name == "dcgm")
        add(Level::Missing, Text::NoHolders, {}, Remedy::MapPodsOrJobs);
    else
        add(Level::Missing, Text::ExporterWithoutHolders, {exporter.title},
            m_names.contains("kube_pod_container_resource_requests") ? Remedy::HoldersWhereCertain
                                                                     : Remedy::StartKubeOrOther);
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
        add(Level::Missing, m_report.usable ? Text::NoKube : Text::NoKubeEither, {}, Remedy::StartKube);
        return {};
    }
    add(Level::Good, Text::Kube);
    GPULEDGER_TRY(probeOwners(std::move(stop)));
    if (!m_names.contains("kube_node_labels"))
        add(Level::Missing, Text::NoNodeLabels, {}, Remedy::AllowNodeLabels);
    if (!m_names.contains("kube_pod_status_phase"))
        add(Level::Missing, Text::NoPodPhase, {}, Remedy::KeepPodPhase);
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
    for (const std::string &label : m_report.ownerLabelCandidates)
        add(Level::Good, Text::LabelOnPods,
            {base::printable(label, 64), std::uint64_t{pods->coverage(label)}, std::uint64_t{pods->total()}});
    const std::vector<std::string> onSpaces = spaces->candidates();
    for (const std::string &label : onSpaces)
        add(Level::Good, Text::LabelOnNamespaces,
            {base::printable(label, 64), std::uint64_t{spaces->coverage(label)}, std::uint64_t{spaces->total()}});
    if (m_report.ownerLabelCandidates.empty() && onSpaces.empty())
        add(Level::Missing, pods->total() ? Text::NoTeamLabel : Text::NoPodLabels, {}, Remedy::AllowTeamLabels);
    return {};
}

} // namespace gpuledger::prometheus
