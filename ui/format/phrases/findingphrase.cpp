// SPDX-License-Identifier: GPL-3.0-or-later
// Phrases for the findings of a connection test.
#include "app/ports/telemetrysource.h"
#include "ui/format/phrases/marked.h"
#include "ui/format/phrases/phrase.h"

namespace gpuledger::ui {

namespace {

using ports::FindingRemedy;
using ports::FindingText;
using Kind = Phrase::Term::Kind;
using Terms = std::vector<ports::FindingTerm>;

// The unit or format of a term.
enum class As {
    Text,
    Product,
    Count,
    Devices,
    Nodes,
    Slices,
    MetricNames,
    Pods,
    Namespaces,
    Targets,
    MadeUp,
    Clusters,
    Days,
    Files,
    Rows
};

Phrase counted(As as, std::uint64_t n)
{
    switch (as) {
    case As::Text:
    case As::Product:
    case As::Count:
        break;
    case As::Devices:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n devices"), "1 device", n, {}};
    case As::Nodes:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n nodes"), "1 node", n, {}};
    case As::Slices:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n MIG instances"), "1 MIG instance", n, {}};
    case As::MetricNames:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n metric names"), "1 metric name", n, {}};
    case As::Pods:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n GPU pods"), "1 GPU pod", n, {}};
    case As::Namespaces:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n namespaces"), "1 namespace", n, {}};
    case As::Targets:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n targets"), "1 target", n, {}};
    case As::MadeUp:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n made-up GPUs"), "1 made-up GPU", n, {}};
    case As::Clusters:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n clusters"), "1 cluster", n, {}};
    case As::Days:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n days"), "1 day", n, {}};
    case As::Files:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n files"), "1 file", n, {}};
    case As::Rows:
        return {QT_TRANSLATE_N_NOOP("gpuledger::ui::Phrase", "%n rows"), "1 row", n, {}};
    }
    return {};
}

Phrase product(const std::string &name)
{
    if (name.empty())
        return {QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "a Prometheus-compatible server"), nullptr, 0, {}};
    return {"%1", nullptr, 0, {{Kind::Text, name, 0, {}}}};
}

Phrase::Term termOf(As as, const ports::FindingTerm &term)
{
    if (const auto *text = std::get_if<std::string>(&term))
        return as == As::Product ? Phrase::Term{Kind::Phrase, {}, 0, {product(*text)}}
                                 : Phrase::Term{Kind::Text, *text, 0, {}};
    const std::uint64_t n = std::get<std::uint64_t>(term);
    if (as == As::Count || as == As::Text || as == As::Product)
        return {Kind::Count, {}, static_cast<double>(n), {}};
    return {Kind::Phrase, {}, 0, {counted(as, n)}};
}

Phrase say(const char *pattern, const Terms &terms, std::initializer_list<As> as = {})
{
    Phrase out{pattern, nullptr, 0, {}};
    for (std::size_t i = 0; i < terms.size(); ++i)
        out.terms.push_back(termOf(i < as.size() ? as.begin()[i] : As::Text, terms[i]));
    return out;
}

} // namespace

Phrase productOf(const ports::ProbeReport &report)
{
    return product(report.product);
}

Phrase textOf(const ports::Finding &finding)
{
    const Terms &t = finding.terms;
    switch (finding.text) {
    case FindingText::Answers:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 responds, %2"), t, {As::Product, As::MetricNames});
    case FindingText::NoExporter:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no metrics of a known GPU exporter in the last two days"), t);
    case FindingText::Devices:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1: %2 on %3"), t, {As::Text, As::Devices, As::Nodes});
    case FindingText::DevicesAndSlices:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1: %2 on %3, %4"), t,
                   {As::Text, As::Devices, As::Nodes, As::Slices});
    case FindingText::SomeSeriesWithoutDevice:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "%1 series do not identify a device: they have none of the labels %2"),
                   t, {As::Count, As::Text});
    case FindingText::NoSeriesWithDevice:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "%1: no series identifies a device, because label %2 is missing; the labels are %3"),
            t);
    case FindingText::NoActivityMetric:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 exports no activity metric"), t);
    case FindingText::SilentExporter:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "%1 sent data in the last two days, but none in the last 15 minutes"),
                   t);
    case FindingText::SmActivity:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is measured as SM activity, the best available signal"),
                   t);
    case FindingText::SmActivityOnSome:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "activity is measured as SM activity on %1 of %2, and by a weaker signal on the others"),
            t, {As::Count, As::Devices});
    case FindingText::GraphicsEngine:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is measured on the graphics engine: SM activity is not exported"),
                   t);
    case FindingText::GraphicsEngineOnSome:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "activity is measured on the graphics engine on %1 of %2: SM activity is not exported"),
            t, {As::Count, As::Devices});
    case FindingText::GpuUtilization:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is measured as GPU utilization, which stays high when a job hangs"),
                   t);
    case FindingText::GpuUtilizationOnSome:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "activity is measured as GPU utilization on %1 of %2, which stays high when a job hangs"),
            t, {As::Count, As::Devices});
    case FindingText::GpuUtilizationNoMig:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is measured as GPU utilization, which stays high when a job hangs and "
                                     "is absent on MIG instances"),
                   t);
    case FindingText::GpuUtilizationNoMigOnSome:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is measured as GPU utilization on %1 of %2, which stays high when a job "
                                     "hangs and is absent on MIG instances"),
                   t, {As::Count, As::Devices});
    case FindingText::DutyCycle:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is measured as a duty cycle: SM activity is not exported"),
                   t);
    case FindingText::DutyCycleOnSome:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is measured as a duty cycle on %1 of %2: SM activity is not exported"),
                   t, {As::Count, As::Devices});
    case FindingText::NoMemory:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "memory in use is not exported: an idle device that holds a model looks like an empty one"),
                   t);
    case FindingText::HoldersFromExported:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "holders are read from exported_pod: the exporter is scraped with honor_labels false"),
            t);
    case FindingText::HoldersFromExporter:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "holders are read from the exporter's own labels"), t);
    case FindingText::HoldersInOtherLabels:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "no series names its holder in a known label, but these labels exist: %1"),
                   t);
    case FindingText::NoHolders:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no series names the pod or job that holds a device"), t);
    case FindingText::ExporterWithoutHolders:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 does not report which pod holds a device"), t);
    case FindingText::NoKube:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "no kube-state-metrics: the holder of a device is known only from the exporter's "
                                     "labels, and the namespace is used as the team"),
                   t);
    case FindingText::NoKubeEither:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no kube-state-metrics either"), t);
    case FindingText::Kube:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "kube-state-metrics reports which pods request GPUs"), t);
    case FindingText::NoNodeLabels:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "kube_node_labels is missing: instance types and regions are unknown, so prices "
                                     "depend on the GPU model alone"),
                   t);
    case FindingText::NoPodPhase:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "kube_pod_status_phase is missing: finished pods count as holders until they are deleted"),
                   t);
    case FindingText::LabelOnPods:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "label %1 is on %2 of %3"), t,
                   {As::Text, As::Count, As::Pods});
    case FindingText::LabelOnNamespaces:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "label %1 is on %2 of %3"), t,
                   {As::Text, As::Count, As::Namespaces});
    case FindingText::NoTeamLabel:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "no label of the GPU pods could be a team: the namespace is used instead"),
                   t);
    case FindingText::NoPodLabels:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "no labels of GPU pods are known: the namespace is used as the team"),
                   t);
    case FindingText::PercentNamedRatio:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "%1 goes up to %2 on %3: it is a percentage, although its name says ratio, and is "
                                     "read as a percentage there"),
                   t, {As::Text, As::Text, As::Targets});
    case FindingText::RatioNamedPercent:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "%1 is a percentage by its name, but never exceeds %2: it is probably a ratio, "
                                     "and busy devices look idle"),
                   t);
    case FindingText::PercentNamedShare:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "%1 should lie between 0 and 1, but goes up to %2 on %3: these values are not used"),
            t, {As::Text, As::Text, As::Targets});
    case FindingText::ServerWarning:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the server warns: %1"), t);
    case FindingText::DemoFleet:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 on %2 in %3, %4"), t,
                   {As::MadeUp, As::Nodes, As::Clusters, As::Days});
    case FindingText::DemoWithoutProfiling:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no SM activity on %1: utilization is used instead"), t,
                   {As::Nodes});
    case FindingText::BillFiles:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 with billing data"), t, {As::Files});
    case FindingText::BillFilesNotReady:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 that may still be being written"), t, {As::Files});
    case FindingText::NoBillFiles:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no CSV file with billing data in %1"), t);
    case FindingText::AllocatedNodes:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 prices %2, %3 of them with GPUs"), t,
                   {As::Text, As::Nodes, As::Count});
    case FindingText::NoAllocatedNodes:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 responds, but has no prices for yesterday's nodes"),
                   t);
    case FindingText::NoAllocatedGpus:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 prices %2, but reports no GPU in any of them"), t,
                   {As::Text, As::Nodes});
    case FindingText::AllocatedWithoutPrice:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 with GPUs, but without a price"), t, {As::Nodes});
    case FindingText::AllocatedPods:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it assigns GPU cost or GPU time to %1"), t, {As::Pods});
    case FindingText::AllocatorHasLess:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "it now has less data for %1 than before; the earlier data was kept"),
                   t, {As::Days});
    case FindingText::PlatformAnswers:
    case FindingText::RightGiven:
    case FindingText::RightMissing:
    case FindingText::RightsPerMachine:
    case FindingText::NodesCounted:
    case FindingText::NoNodesCounted:
    case FindingText::TypesWithoutPrice:
    case FindingText::ClaimsFound:
    case FindingText::PlansFound:
    case FindingText::BudgetsFound:
    case FindingText::BudgetsUnread:
    case FindingText::CommitmentsFound:
    case FindingText::CommitmentsUnread:
    case FindingText::NoAllocatorGpuMetrics:
    case FindingText::NoAllocatedPods:
    case FindingText::AllocatorCurrency:
    case FindingText::ReadsOnly:
    case FindingText::BillVersion:
    case FindingText::CostsRefused:
    case FindingText::PricesWithheld:
    case FindingText::PricesUnread:
    case FindingText::MachinesWithheld:
    case FindingText::MachinesUnread:
    case FindingText::UsageWithheld:
    case FindingText::NoUsageMetrics:
    case FindingText::RunsUnread:
    case FindingText::OwnersUnread:
    case FindingText::StopsUnready:
    case FindingText::PaidRequests:
        return cloudTextOf(finding);
    case FindingText::BillRows:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1: %2, all of them readable"), t, {As::Text, As::Rows});
    case FindingText::BillRowsRefused:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1: %2, of which %3 can't be read"), t,
                   {As::Text, As::Rows, As::Count});
    }
    return {};
}

Phrase remedyOf(const ports::Finding &finding)
{
    const Terms &t = finding.remedyTerms;
    switch (finding.remedy) {
    case FindingRemedy::None:
        return {};
    case FindingRemedy::StartExporter:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "start dcgm-exporter (or the AMD device-metrics-exporter) and let this server scrape it; "
                              "other exporters can be described under `exporters` in the configuration"),
            t);
    case FindingRemedy::KeepDeviceLabel:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "keep this label when relabeling, or set labels.uuid of \"%1\" under `exporters` "
                                     "in the configuration to yours"),
                   t);
    case FindingRemedy::LookAtTargets:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "check on the targets page of the server that the exporter is up"),
                   t);
    case FindingRemedy::AddSmActivity:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "add DCGM_FI_PROF_SM_ACTIVE to the metrics file of dcgm-exporter"),
                   t);
    case FindingRemedy::SwitchOnSmActivity:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "enable gpu_prof_sm_active in the configuration of the exporter"),
                   t);
    case FindingRemedy::UseDcgm:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "use dcgm-exporter with DCGM_FI_PROF_SM_ACTIVE for a better signal"),
                   t);
    case FindingRemedy::NameSmActivity:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "if it has a metric of SM activity, map that metric under `exporters` in the configuration"),
                   t);
    case FindingRemedy::AddMemory:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "add DCGM_FI_DEV_FB_USED to the metrics file of dcgm-exporter"),
            t);
    case FindingRemedy::SendMemory:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "enable the memory metrics of the exporter"), t);
    case FindingRemedy::NamePodLabel:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "undo the relabeling, or set labels.pod of \"%1\" under `exporters` in the "
                                     "configuration to this label"),
                   t);
    case FindingRemedy::MapPodsOrJobs:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "set DCGM_EXPORTER_KUBERNETES=true for dcgm-exporter, or --hpc-job-mapping-dir with Slurm"),
                   t);
    case FindingRemedy::HoldersWhereCertain:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "kube-state-metrics identifies holders only where no other pod is possible; "
                                     "dcgm-exporter always names them"),
                   t);
    case FindingRemedy::StartKubeOrOther:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "start kube-state-metrics, or an exporter that names the pod"),
            t);
    case FindingRemedy::StartKube:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "start kube-state-metrics and let this server scrape it with honor_labels: true"),
                   t);
    case FindingRemedy::AllowNodeLabels:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "start kube-state-metrics with --metric-labels-allowlist=nodes=[*]"),
                   t);
    case FindingRemedy::KeepPodPhase:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "keep this metric in kube-state-metrics"), t);
    case FindingRemedy::AllowTeamLabels:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "start kube-state-metrics with --metric-labels-allowlist=pods=[team],namespaces=[team], "
                              "or the label that you use"),
            t);
    case FindingRemedy::SetFactor:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "remove the rule that rescales it, or map the metric under `exporters` in the "
                                     "configuration with factor %1"),
                   t);
    case FindingRemedy::RepairServer:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "responses may be incomplete until this is fixed"), t);
    case FindingRemedy::PutBillFiles:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "put FOCUS exports there, as CSV, .csv.gz or .csv.zst, or correct the path"),
                   t);
    case FindingRemedy::WaitForFiles:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "they are read once they are complete"), t);
    case FindingRemedy::LookAtAllocator:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "check that it is connected to a Prometheus server that scrapes it with honor_labels: true"),
                   t);
    case FindingRemedy::LookAtGpuNodes:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "check that the nodes offer nvidia.com/gpu; it supports neither AMD nor MIG "
                                     "resources, and the price book prices such nodes"),
                   t);
    case FindingRemedy::LookAtPricing:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "check its pricing of these nodes; until then, the price book is used"),
                   t);
    case FindingRemedy::AcceptGone:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "check whether it lost data; if it did not: sync --source %1 --accept-gone"),
                   t);
    case FindingRemedy::HeldByTelemetry:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "nothing is lost: telemetry shows who held a GPU, and the node's price is split accordingly"),
                   t);
    case FindingRemedy::UseByTelemetry:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "nothing is lost: the Prometheus source provides the activity of GPUs"),
                   t);
    case FindingRemedy::GiveRight:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "grant it, or grant it in the namespaces where workloads may be stopped; each plan checks this"),
                   t);
    case FindingRemedy::AllowStop:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "add stop to the rights of the source"), t);
    case FindingRemedy::LookAtRows:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "run sync --verbose to see their line numbers and the reasons"),
            t);
    }
    return {};
}

} // namespace gpuledger::ui
