// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace gpuledger::ports {

// The possible findings of a connection test. ui/format has the sentences; parentheses list their arguments, in this
// order. Names are external text, printable.
enum class FindingText {
    Answers, // (product, metric names)
    NoExporter,
    Devices, // (exporter, devices, nodes)
    DevicesAndSlices, // (exporter, devices, nodes, MIG instances)
    SomeSeriesWithoutDevice, // (series, labels)
    NoSeriesWithDevice, // (exporter, label, labels that exist)
    NoActivityMetric, // (exporter)
    SilentExporter, // (exporter)
    SmActivity,
    SmActivityOnSome, // (devices, all devices)
    GraphicsEngine,
    GraphicsEngineOnSome, // (devices, all devices)
    GpuUtilization,
    GpuUtilizationOnSome, // (devices, all devices)
    GpuUtilizationNoMig, // the exporter has none for MIG instances
    GpuUtilizationNoMigOnSome, // (devices, all devices)
    DutyCycle,
    DutyCycleOnSome, // (devices, all devices)
    NoMemory,
    HoldersFromExported,
    HoldersFromExporter,
    HoldersInOtherLabels, // (labels)
    NoHolders,
    ExporterWithoutHolders, // (exporter)
    NoKube, // besides a usable exporter
    NoKubeEither,
    Kube,
    NoNodeLabels,
    NoPodPhase,
    LabelOnPods, // (label, pods, all pods)
    LabelOnNamespaces, // (label, namespaces, all namespaces)
    NoTeamLabel,
    NoPodLabels,
    PercentNamedRatio, // (metric, greatest value, targets)
    RatioNamedPercent, // (metric, greatest value)
    PercentNamedShare, // (metric, greatest value, targets)
    ServerWarning, // (warning)
    DemoFleet, // (devices, nodes, clusters, days)
    DemoWithoutProfiling, // (nodes)
    BillFiles, // (files)
    BillFilesNotReady, // (files): still being written
    NoBillFiles, // (path)
    BillVersion, // (version of FOCUS); () for a Cost and Usage Report of AWS
    BillRows, // (file, rows)
    BillRowsRefused, // (file, rows, refused rows)
    AllocatedNodes, // (product, nodes, nodes with GPUs)
    NoAllocatedNodes, // (product)
    NoAllocatedGpus, // (product, nodes)
    AllocatedWithoutPrice, // (nodes)
    AllocatedPods, // (pods)
    NoAllocatedPods,
    NoAllocatorGpuMetrics, // (product)
    AllocatorCurrency, // (currency)
    AllocatorHasLess, // (days): for which it reported more before
    PlatformAnswers, // (product)
    RightGiven, // (right)
    RightMissing, // (right)
    RightsPerMachine,
    ReadsOnly,
    CostsRefused, // (right)
    PricesWithheld, // (right, words for the prices that are not shown without it)
    PricesUnread, // (why)
    MachinesWithheld, // (right): without which no machine is listed
    MachinesUnread, // (why)
    UsageWithheld, // (right): without which nothing is known of what its machines do
    NoUsageMetrics, // (metric, the agent that reports it): none of its machines does
    RunsUnread, // (right or why): when machines were started
    OwnersUnread, // (what they own, right or why)
    StopsUnready, // (why)
    NodesCounted, // (nodes, instance types): that the provider counts now
    NoNodesCounted, // (metric)
    TypesWithoutPrice, // (instance types that run)
    ClaimsFound, // (claims, tools)
    PlansFound, // (files, groups of machines in them)
    BudgetsFound, // (budgets)
    BudgetsUnread, // (right or why)
    CommitmentsFound, // (commitments)
    CommitmentsUnread, // (right or why)
    PaidRequests, // (cost of this test, of the first sync, of each refresh, of the refreshes of a month)
};

// How to fix it.
enum class FindingRemedy {
    None,
    StartExporter,
    KeepDeviceLabel, // (exporter's name in the configuration)
    LookAtTargets,
    AddSmActivity,
    SwitchOnSmActivity,
    UseDcgm,
    NameSmActivity,
    AddMemory,
    SendMemory,
    NamePodLabel, // (exporter's name in the configuration)
    MapPodsOrJobs,
    HoldersWhereCertain,
    StartKubeOrOther,
    StartKube,
    AllowNodeLabels,
    KeepPodPhase,
    AllowTeamLabels,
    SetFactor, // (factor)
    RepairServer,
    PutBillFiles,
    WaitForFiles,
    LookAtRows,
    LookAtAllocator,
    LookAtGpuNodes,
    LookAtPricing,
    AcceptGone, // (source)
    HeldByTelemetry,
    UseByTelemetry,
    GiveRight,
    AllowStop,
};

using FindingTerm = std::variant<std::string, std::uint64_t>;

// One line of a connection test's result.
struct Finding {
    enum class Level { Good, Missing, Problem };
    Level level = Level::Good;
    FindingText text{};
    std::vector<FindingTerm> terms; // of the text
    FindingRemedy remedy = FindingRemedy::None;
    std::vector<FindingTerm> remedyTerms;
};

} // namespace gpuledger::ports
