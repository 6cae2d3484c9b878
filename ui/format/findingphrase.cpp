// SPDX-License-Identifier: GPL-3.0-or-later
// Phrases for the findings of a connection test.
#include "app/ports/telemetrysource.h"
#include "ui/format/phrase.h"

#include <initializer_list>

// Mark the text for lupdate; this library does not link Qt.
#define QT_TRANSLATE_NOOP(context, text) text
#define QT_TRANSLATE_N_NOOP(context, text) text

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
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 answers, %2"), t, {As::Product, As::MetricNames});
    case FindingText::NoExporter:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no metrics of a known GPU exporter in the last two days"), t);
    case FindingText::Devices:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1: %2 on %3"), t, {As::Text, As::Devices, As::Nodes});
    case FindingText::DevicesAndSlices:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1: %2 on %3, %4"), t,
                   {As::Text, As::Devices, As::Nodes, As::Slices});
    case FindingText::SomeSeriesWithoutDevice:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 series name no device: they have none of the labels %2"), t,
            {As::Count, As::Text});
    case FindingText::NoSeriesWithDevice:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "%1: no series names a device, because the label %2 is missing; there are %3"),
                   t);
    case FindingText::NoActivityMetric:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 exports no metric of activity"), t);
    case FindingText::SilentExporter:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "%1 was seen in the last two days, but sent nothing in the last 15 minutes"),
                   t);
    case FindingText::SmActivity:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "activity is SM activity, the best available signal"), t);
    case FindingText::SmActivityOnSome:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is SM activity on %1 of %2, a weaker signal on the others"),
                   t, {As::Count, As::Devices});
    case FindingText::GraphicsEngine:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is graphics engine activity: SM activity is not exported"),
                   t);
    case FindingText::GraphicsEngineOnSome:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is graphics engine activity on %1 of %2: SM activity is not exported"),
                   t, {As::Count, As::Devices});
    case FindingText::GpuUtilization:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "activity is GPU utilization, which is high for a hung job"), t);
    case FindingText::GpuUtilizationOnSome:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is GPU utilization on %1 of %2, which is high for a hung job"),
                   t, {As::Count, As::Devices});
    case FindingText::GpuUtilizationNoMig:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                              "activity is GPU utilization, which is high for a hung job and absent on MIG instances"),
            t);
    case FindingText::GpuUtilizationNoMigOnSome:
        return say(
            QT_TRANSLATE_NOOP(
                "gpuledger::ui::Phrase",
                "activity is GPU utilization on %1 of %2, which is high for a hung job and absent on MIG instances"),
            t, {As::Count, As::Devices});
    case FindingText::DutyCycle:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "activity is a duty cycle: SM activity is not exported"),
                   t);
    case FindingText::DutyCycleOnSome:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "activity is a duty cycle on %1 of %2: SM activity is not exported"),
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
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no series names its holder in a known label, but there is %1"),
            t);
    case FindingText::NoHolders:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no series names the pod or job that holds a device"), t);
    case FindingText::ExporterWithoutHolders:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 does not say which pod holds a device"), t);
    case FindingText::NoKube:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "no kube-state-metrics: who holds a device is known from the exporter's labels "
                                     "only, and the namespace stands in for the team"),
                   t);
    case FindingText::NoKubeEither:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no kube-state-metrics either"), t);
    case FindingText::Kube:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "kube-state-metrics reports which pods request GPUs"), t);
    case FindingText::NoNodeLabels:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "kube_node_labels is missing: instance types and regions are unknown, so prices "
                                     "go by the GPU model alone"),
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
                                     "no label of the GPU pods could name a team: the namespace stands in for it"),
                   t);
    case FindingText::NoPodLabels:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "no labels of GPU pods are known: the namespace stands in for the team"),
                   t);
    case FindingText::PercentNamedRatio:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "%1 goes up to %2 on %3: it is percent under the name of a ratio, and is read as percent there"),
                   t, {As::Text, As::Text, As::Targets});
    case FindingText::RatioNamedPercent:
        return say(
            QT_TRANSLATE_NOOP(
                "gpuledger::ui::Phrase",
                "%1 is percent by its name, but never exceeds %2: it is probably a ratio, and busy devices look idle"),
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
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no SM activity on %1: their utilization is used"), t,
                   {As::Nodes});
    case FindingText::BillFiles:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 of bills"), t, {As::Files});
    case FindingText::BillFilesNotReady:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 that may still be being written"), t, {As::Files});
    case FindingText::NoBillFiles:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "no CSV file of bills in %1"), t);
    case FindingText::BillVersion:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "FOCUS version %1, by its columns"), t);
    case FindingText::AllocatedNodes:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 prices %2, %3 of them with GPUs"), t,
                   {As::Text, As::Nodes, As::Count});
    case FindingText::NoAllocatedNodes:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 answers, but has no price for any of yesterday's nodes"), t);
    case FindingText::NoAllocatedGpus:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 prices %2, but knows no GPU in any of them"), t,
                   {As::Text, As::Nodes});
    case FindingText::AllocatedWithoutPrice:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 with GPUs without a price"), t, {As::Nodes});
    case FindingText::AllocatedPods:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it assigns GPU cost or GPU time to %1"), t, {As::Pods});
    case FindingText::NoAllocatedPods:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "it assigns no GPU cost to any pod"), t);
    case FindingText::NoAllocatorGpuMetrics:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "%1 has no GPU metrics: it knows what GPUs cost, not what was done with them"),
                   t);
    case FindingText::AllocatorCurrency:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "its amounts are read as %1, because no answer names a currency; `currency` of "
                                     "the source says another"),
                   t);
    case FindingText::AllocatorHasLess:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "it reports less for %1 now than before; the earlier figures were kept"),
                   t, {As::Days});
    case FindingText::PlatformAnswers:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "%1 answers, and accepts the login"), t);
    case FindingText::RightGiven:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "may %1"), t);
    case FindingText::RightMissing:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "may not %1"), t);
    case FindingText::RightsPerMachine:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "machines can be read; whether one may be stopped is checked when it is selected"),
                   t);
    case FindingText::ReadsOnly:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "the configuration does not allow stopping here"), t);
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
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "start dcgm-exporter (or the AMD device-metrics-exporter) and let this server "
                                     "scrape it; another exporter can be named in `exporters` of the configuration"),
                   t);
    case FindingRemedy::KeepDeviceLabel:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "keep this label when relabelling, or name yours as labels.uuid of \"%1\" in "
                                     "`exporters` of the configuration"),
                   t);
    case FindingRemedy::LookAtTargets:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "look at the targets page of the server: is the exporter up?"),
            t);
    case FindingRemedy::AddSmActivity:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "add DCGM_FI_PROF_SM_ACTIVE to the metrics file of dcgm-exporter"),
                   t);
    case FindingRemedy::SwitchOnSmActivity:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "switch on gpu_prof_sm_active in the configuration of the exporter"),
                   t);
    case FindingRemedy::UseDcgm:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "dcgm-exporter with DCGM_FI_PROF_SM_ACTIVE reports more"),
                   t);
    case FindingRemedy::NameSmActivity:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "name a metric of SM activity for it in `exporters` of the configuration, if there is one"),
                   t);
    case FindingRemedy::AddMemory:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "add DCGM_FI_DEV_FB_USED to the metrics file of dcgm-exporter"),
            t);
    case FindingRemedy::SendMemory:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "let the exporter send its memory metrics"), t);
    case FindingRemedy::NamePodLabel:
        return say(
            QT_TRANSLATE_NOOP(
                "gpuledger::ui::Phrase",
                "undo the relabelling, or name the label as labels.pod of \"%1\" in `exporters` of the configuration"),
            t);
    case FindingRemedy::MapPodsOrJobs:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "set DCGM_EXPORTER_KUBERNETES=true at dcgm-exporter, or --hpc-job-mapping-dir with Slurm"),
                   t);
    case FindingRemedy::HoldersWhereCertain:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "holders are derived from kube-state-metrics where only one pod is possible; "
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
        return say(
            QT_TRANSLATE_NOOP(
                "gpuledger::ui::Phrase",
                "remove what rescales it, or name the metric in `exporters` of the configuration with factor %1"),
            t);
    case FindingRemedy::RepairServer:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "answers may be incomplete until this is repaired"), t);
    case FindingRemedy::PutBillFiles:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "put FOCUS exports there, as CSV, .csv.gz or .csv.zst, or correct the path"),
                   t);
    case FindingRemedy::WaitForFiles:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "they are read when they are whole"), t);
    case FindingRemedy::LookAtAllocator:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "is it connected to a Prometheus that scrapes it with honor_labels: true?"),
                   t);
    case FindingRemedy::LookAtGpuNodes:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "do the nodes offer nvidia.com/gpu? It knows neither AMD nor MIG resources; the "
                                     "price book prices such nodes"),
                   t);
    case FindingRemedy::LookAtPricing:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "check its pricing of these nodes; until then the price book applies"),
                   t);
    case FindingRemedy::AcceptGone:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase",
                                     "did it lose data? If it is right: sync --source %1 --accept-gone"),
                   t);
    case FindingRemedy::HeldByTelemetry:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "nothing is lost: telemetry shows who held a GPU, and the node's price is split accordingly"),
                   t);
    case FindingRemedy::UseByTelemetry:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "nothing is lost: the Prometheus source reports what GPUs did"),
            t);
    case FindingRemedy::GiveRight:
        return say(QT_TRANSLATE_NOOP(
                       "gpuledger::ui::Phrase",
                       "grant it, or grant it in the namespaces where workloads may be stopped: each plan checks them"),
                   t);
    case FindingRemedy::AllowStop:
        return say(QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "add stop to the rights of the source"), t);
    case FindingRemedy::LookAtRows:
        return say(
            QT_TRANSLATE_NOOP("gpuledger::ui::Phrase", "their line numbers and reasons are shown by sync --verbose"),
            t);
    }
    return {};
}

} // namespace gpuledger::ui
