// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/fleet/fleetplan.h"

#include "connectors/demo/fleet/demorandom.h"

#include <algorithm>
#include <array>
#include <string>

namespace gpuledger::demo {

namespace {

constexpr GpuKind kH100{"NVIDIA H100 80GB HBM3", "nvidia", 81559, 70, 700, true};
constexpr GpuKind kA100{"NVIDIA A100-SXM4-40GB", "nvidia", 40960, 52, 400, true};
constexpr GpuKind kA100Large{"NVIDIA A100-SXM4-80GB", "nvidia", 81920, 60, 400, true};
constexpr GpuKind kA100Pcie{"NVIDIA A100 80GB PCIe", "nvidia", 81920, 45, 300, true};
constexpr GpuKind kV100{"Tesla V100-SXM2-32GB", "nvidia", 32510, 44, 300, true};
constexpr GpuKind kL4{"NVIDIA L4", "nvidia", 23034, 16, 72, true};
constexpr GpuKind kA10g{"NVIDIA A10G", "nvidia", 23028, 16, 300, true};
constexpr GpuKind kMi300{"AMD Instinct MI300X", "amd", 196592, 140, 750, false};
constexpr GpuKind kP40{"Tesla P40", "nvidia", 24576, 10, 250, false, false};

struct NodeKind {
    std::string_view cluster, prefix, pool;
    const GpuKind *gpu;
    int gpus;
    std::string_view cloud, region, zone, instanceType;
    int weight; // share of the ordinary nodes
};

constexpr std::array<NodeKind, 6> kOrdinary{
    {{"prod-us", "gpu-h100", "train-h100", &kH100, 8, "aws", "us-east-1", "us-east-1a", "p5.48xlarge", 10},
     {"prod-us", "gpu-a100", "train-a100", &kA100, 8, "aws", "us-east-1", "us-east-1b", "p4d.24xlarge", 12},
     {"research", "v100", "onprem-v100", &kV100, 8, "", "", "", "", 7},
     {"research", "a100", "onprem-a100", &kA100Large, 8, "", "", "", "", 5},
     {"inference", "l4", "serve-l4", &kL4, 8, "gcp", "us-central1", "us-central1-a", "g2-standard-96", 6},
     {"inference", "a2", "serve-a100", &kA100, 4, "gcp", "us-central1", "us-central1-b", "a2-highgpu-4g", 5}}};

struct SpecialNode {
    NodeKind kind;
    NodeRole role;
};

constexpr std::array<SpecialNode, 8> kSpecial{
    {{kOrdinary[1], NodeRole::LostTelemetry},
     {{"prod-us", "gpu-mig", "mig-a100", &kA100, 8, "aws", "us-east-1", "us-east-1b", "p4d.24xlarge", 0},
      NodeRole::Mig},
     {kOrdinary[2], NodeRole::FlakyExporter},
     {kOrdinary[3], NodeRole::Forgotten},
     {{"research", "mi300x", "onprem-amd", &kMi300, 8, "", "", "", "", 0}, NodeRole::Amd},
     {{"research", "p40", "onprem-old", &kP40, 4, "", "", "", "", 0}, NodeRole::Unpriced},
     {kOrdinary[4], NodeRole::ForgottenServing},
     {{"inference", "l4-shared", "serve-l4-shared", &kL4, 4, "gcp", "us-central1", "us-central1-a", "g2-standard-48",
       0},
      NodeRole::TimeSliced}}};

constexpr std::array<NodeKind, 3> kHeldWhole{
    {kOrdinary[1],
     {"prod-us", "gpu-a10g", "dev-a10g", &kA10g, 4, "aws", "us-east-1", "us-east-1a", "g5.12xlarge", 0},
     {"inference", "l4-old", "serve-l4-old", &kL4, 4, "gcp", "us-central1", "us-central1-a", "g2-standard-48", 0}}};

// In two pools of their own that are nearly always in use, so that no capacity can be given back.
constexpr NodeKind kTrainA10g{"prod-us", "gpu-a10g-train", "train-a10g", &kA10g,        4,
                              "aws",     "us-east-1",      "us-east-1a", "g5.12xlarge", 0};
constexpr std::array<SpecialNode, 3> kOneWorkload{
    {{kTrainA10g, NodeRole::Continual},
     {kTrainA10g, NodeRole::ContinualSpot},
     {{"inference", "a2-embed", "serve-embed", &kA100, 1, "gcp", "us-central1", "us-central1-b", "a2-highgpu-1g", 0},
      NodeRole::Oversized}}};

// Of a type of its own, so that no commitment for others of that type would have saved more.
constexpr NodeKind kBurst{"inference", "gpu-burst",   "batch-burst",   &kA100,          8,
                          "gcp",       "us-central1", "us-central1-b", "a2-highgpu-8g", 0};
constexpr int kGpusPerBurst = 100;

// One cluster each at accounts whose bills are those of connectors/demo/clouds.
constexpr std::array<NodeKind, 2> kElsewhere{
    {{"robotics-aks", "aks-nc96", "sim-a100", &kA100Pcie, 4, "azure", "eastus", "eastus-1", "Standard_NC96ads_A100_v4",
      0},
     {"llm-cks", "cks-h100", "long-h100", &kH100, 8, "coreweave", "US-EAST-04", "US-EAST-04A", "gd-8xh100ib-i128", 0}}};

std::string withDashes(std::string_view text)
{
    std::string out(text);
    std::replace(out.begin(), out.end(), ' ', '-');
    return out;
}

std::string providerId(const model::Node &node, std::uint64_t k)
{
    if (node.cloud == "aws")
        return "aws:///" + node.zone + "/i-0" + uuidText(k).substr(0, 8) + uuidText(k).substr(24, 8);
    if (node.cloud == "azure")
        return "azure:///subscriptions/0a1b2c3d-1111-2222-3333-444455556666/resourcegroups/mc_robotics/providers/"
               "microsoft.compute/virtualmachines/"
            + node.name;
    return node.cloud == "gcp" ? "gce://ml-serving/" + node.zone + '/' + node.name : std::string();
}

void addLabels(model::Node &node, const NodeKind &kind, NodeRole role)
{
    const std::string pool(kind.pool);
    if (kind.cloud == "aws")
        node.labels["eks_amazonaws_com_nodegroup"] = pool;
    else if (kind.cloud == "gcp")
        node.labels["cloud_google_com_gke_nodepool"] = pool;
    else if (kind.cloud == "azure")
        node.labels["kubernetes_azure_com_agentpool"] = pool;
    else
        node.labels["pool"] = pool;
    if (!node.instanceType.empty()) {
        node.labels["node_kubernetes_io_instance_type"] = node.instanceType;
        node.labels["topology_kubernetes_io_region"] = node.region;
        node.labels["topology_kubernetes_io_zone"] = node.zone;
    }
    if (role == NodeRole::ContinualSpot)
        node.labels["eks_amazonaws_com_capacityType"] = "SPOT";
    if (kind.gpu->vendor != "nvidia")
        return;
    node.labels["nvidia_com_gpu_count"] = std::to_string(kind.gpus);
    node.labels["nvidia_com_gpu_product"] =
        withDashes(kind.gpu->exporterModel) + (role == NodeRole::TimeSliced ? "-SHARED" : "");
    if (role == NodeRole::Mig)
        node.labels["nvidia_com_mig_strategy"] = "mixed";
    if (role == NodeRole::TimeSliced) {
        node.labels["nvidia_com_gpu_replicas"] = std::to_string(kReplicas);
        node.labels["nvidia_com_gpu_sharing_strategy"] = "time-slicing";
    }
}

class Builder {
public:
    explicit Builder(const Options &options)
        : m_options(options)
    {
    }

    void add(const NodeKind &kind, NodeRole role)
    {
        int number = 1;
        for (const PlannedNode &other : plan.nodes)
            number += other.node.cluster == kind.cluster && other.node.name.starts_with(kind.prefix)
                && other.node.name.size() == kind.prefix.size() + 5;
        PlannedNode planned;
        model::Node &node = planned.node;
        node.cluster = kind.cluster;
        const std::string digits = std::to_string(number);
        node.name =
            std::string(kind.prefix) + '-' + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
        node.cloud = kind.cloud;
        node.region = kind.region;
        node.zone = kind.zone;
        node.instanceType = kind.instanceType;
        node.sharedGpus = role == NodeRole::TimeSliced;
        node.gpuCapacity = role == NodeRole::TimeSliced ? kind.gpus * kReplicas : kind.gpus;
        // Of their own, so that the keys of those that come after them are the same without them.
        planned.key = role == NodeRole::Elsewhere ? key(m_options.seed, 0x636C6F75, plan.nodes.size())
                                                  : key(m_options.seed, 0x6E6F6465, m_keyed++);
        node.providerId = providerId(node, planned.key);
        addLabels(node, kind, role);
        planned.gpu = kind.gpu;
        planned.role = role;
        planned.gpus = kind.gpus;
        if (role == NodeRole::Burst)
            planned.until = m_options.burstUntil;
        planned.firstDevice = plan.devices.size();
        for (int i = 0; i < kind.gpus; ++i)
            plan.devices.push_back(device(planned, i));
        plan.nodes.push_back(std::move(planned));
    }

    FleetPlan plan;

private:
    static model::Device device(const PlannedNode &node, int index)
    {
        model::Device d;
        d.cluster = node.node.cluster;
        d.vendor = node.gpu->vendor;
        d.uuid =
            (d.vendor == "amd" ? "AMD-" : "GPU-") + uuidText(key(node.key, 0x677075, static_cast<unsigned>(index)));
        d.model = node.gpu->exporterModel;
        d.index = index;
        d.memoryMib = node.gpu->memoryMib;
        if (node.role == NodeRole::Mig)
            d.slices = {{"1", "3g.20gb", {3, 7}}, {"3", "2g.10gb", {2, 7}}, {"9", "1g.5gb", {1, 7}}};
        return d;
    }

    const Options &m_options;
    std::size_t m_keyed = 0; // nodes whose key says how many came before
};

NodeRole ordinaryRole(const NodeKind &kind, int ordinal)
{
    if (kind.cluster == "inference")
        return NodeRole::Serving;
    return kind.cluster == "research" && ordinal % 4 == 1 ? NodeRole::Notebooks : NodeRole::Training;
}

// In buckets.
struct Gap {
    std::int64_t start = 0, end = 0;
    bool contains(std::int64_t bucket) const { return bucket >= start && bucket < end; }
};

// One gap per period, whose position and length derive from the period's number.
Gap gapOf(std::uint64_t k, std::int64_t number, std::int64_t period, double shortest, double longest)
{
    const std::uint64_t chance = key(k, 0x676170, static_cast<std::uint64_t>(number));
    const auto length = static_cast<std::int64_t>(between(chance, shortest, longest));
    const auto start = static_cast<std::int64_t>(between(mixed(chance), 0, static_cast<double>(period - length)));
    return {number * period + start, number * period + start + length};
}

bool inGap(std::uint64_t k, std::int64_t bucket, std::int64_t period, double shortest, double longest)
{
    return gapOf(k, floorDiv(bucket, period), period, shortest, longest).contains(bucket);
}

// A spot machine is taken away once in three days, for 10 or 15 minutes. That is more often than most are, but a
// month then has enough of them to say how often.
constexpr std::int64_t kReclaimPeriod = 3 * std::int64_t{base::kBucketsPerDay};
constexpr double kShortestAway = 2, kLongestAway = 4;
constexpr std::uint64_t kReclaim = 0x73706F74;

Gap awayIn(std::uint64_t machine, std::int64_t period)
{
    return gapOf(key(machine, kReclaim), period, kReclaimPeriod, kShortestAway, kLongestAway);
}

} // namespace

FleetPlan FleetPlan::make(const Options &options)
{
    Builder builder(options);
    for (const SpecialNode &special : kSpecial)
        builder.add(special.kind, special.role);
    // The next node is always of the kind that is furthest below its weight.
    std::array<int, kOrdinary.size()> count{};
    while (static_cast<int>(builder.plan.devices.size()) < options.gpus) {
        std::size_t next = 0;
        for (std::size_t i = 1; i < kOrdinary.size(); ++i) {
            if ((count[i] + 1) * kOrdinary[next].weight < (count[next] + 1) * kOrdinary[i].weight)
                next = i;
        }
        builder.add(kOrdinary[next], ordinaryRole(kOrdinary[next], count[next]));
        ++count[next];
    }
    if (options.heldWhole) { // last, so that the others are the same without them
        for (const NodeKind &kind : kHeldWhole)
            builder.add(kind, NodeRole::HeldWhole);
        for (const SpecialNode &special : kOneWorkload)
            builder.add(special.kind, special.role);
    }
    if (options.clouds) {
        for (const NodeKind &kind : kElsewhere)
            builder.add(kind, NodeRole::Elsewhere);
    }
    for (int i = 0; options.burstUntil && i < options.gpus / kGpusPerBurst; ++i)
        builder.add(kBurst, NodeRole::Burst);
    return std::move(builder.plan);
}

std::vector<base::TimeRange> reclaimedTimes(std::uint64_t machine, base::TimeRange range)
{
    const std::int64_t bucket = base::kBucket.count();
    const std::int64_t first = floorDiv(floorDiv(base::toUnix(range.start), bucket), kReclaimPeriod);
    std::vector<base::TimeRange> out;
    for (std::int64_t number = first; number * kReclaimPeriod * bucket < base::toUnix(range.end); ++number) {
        const Gap gap = awayIn(machine, number);
        const base::TimeRange away{base::fromUnix(gap.start * bucket), base::fromUnix(gap.end * bucket)};
        if (!away.intersect(range).empty())
            out.push_back(away);
    }
    return out;
}

int observedSeconds(const PlannedNode &node, std::int64_t bucketNumber)
{
    constexpr std::int64_t kBucketsPerHour = 12;
    constexpr std::int64_t kFullBucket = 300, kOneScrapeLess = 270;
    const std::int64_t day = base::kBucketsPerDay;
    if (node.isReclaimed() && awayIn(node.key, floorDiv(bucketNumber, kReclaimPeriod)).contains(bucketNumber))
        return 0;
    // About one gap per node in ten days, as in the trace.
    if (inGap(node.key, bucketNumber, 10 * day, 3, 3.0 * kBucketsPerHour))
        return 0;
    if (node.role == NodeRole::LostTelemetry
        && inGap(mixed(node.key), bucketNumber, 7 * day, 5.0 * kBucketsPerHour, 9.0 * kBucketsPerHour))
        return 0;
    if (node.role == NodeRole::FlakyExporter && bucketNumber % kBucketsPerHour >= 8)
        return 0;
    const bool missed = unit(key(node.key, 0x73637261, static_cast<std::uint64_t>(bucketNumber))) < 0.002;
    return static_cast<int>(missed ? kOneScrapeLess : kFullBucket);
}

} // namespace gpuledger::demo
