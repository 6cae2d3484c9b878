// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/activity/queueplan.h"

#include "connectors/demo/fleet/demorandom.h"
#include "connectors/demo/fleet/teams.h"

#include <algorithm>
#include <array>
#include <set>

namespace gpuledger::demo {

namespace {

using model::NodeRoom;
using model::WaitingFacts;
using model::WaitingWork;

constexpr std::int64_t kGib = std::int64_t{1} << 30, kHourLong = 3600, kCore = 1000;
constexpr std::int64_t kCoresPerGpu = 12, kCoresAsked = 8, kMemoryPerGpu = 128 * kGib, kMemoryAsked = 64 * kGib;
constexpr const char *kProduct = "nvidia_com_gpu_product";
constexpr const char *kTier = "tier", *kDesk = "desk", *kNotebooks = "notebooks"; // a node label
constexpr const char *kReserved = "dedicated"; // taint of the nodes for notebooks

struct Request {
    std::string_view cluster;
    TeamIndex team;
    std::string_view job, resource, label, value; // label: of the nodes that the job may run on
    std::int64_t gpus, cores, memory;
    std::int64_t period, phase; // it starts to wait every `period` hours and never waits longer than that
};

// One for each reason why a job can be waiting.
constexpr std::array<Request, 9> kWishes{{
    {"research", Research, "ssl-pretrain", "nvidia_com_gpu", kTier, kDesk, 2, 16, 128 * kGib, 120, 70},
    {"research", Speech, "asr-finetune", "nvidia_com_gpu", kTier, kDesk, 1, 8, 64 * kGib, 72, 10},
    {"research", Llm, "eval-suite", "nvidia_com_gpu", kTier, kDesk, 3, 24, 192 * kGib, 96, 80},
    {"research", Robotics, "sim-rollouts", "nvidia_com_gpu", kProduct, "NVIDIA-H100-80GB-HBM3", 1, 8, 64 * kGib, 96,
     30},
    {"research", Robotics, "grasp-net", "nvidia_com_gpu", kTier, kNotebooks, 1, 8, 64 * kGib, 144, 100},
    {"inference", Ads, "embed-backfill", "nvidia_com_gpu", kProduct, "NVIDIA-L4", 1, 96, 32 * kGib, 36, 5},
    {"inference", Recsys, "index-rebuild", "nvidia_com_gpu", kProduct, "NVIDIA-L4", 1, 4, 2048 * kGib, 48, 20},
    {"prod-us", Vision, "detector-train", "nvidia_com_mig_7g_40gb", "", "", 1, 8, 64 * kGib, 60, 12},
    {"prod-us", Llm, "long-context", "nvidia_com_gpu", "", "", 16, 64, 512 * kGib, 168, 40}, // larger than any node
}};

base::UtcTime sinceOf(const Request &wish, base::UtcTime at)
{
    const std::int64_t period = wish.period * kHourLong;
    const std::int64_t frame = floorDiv(base::toUnix(at) - wish.phase * kHourLong, period);
    return base::fromUnix(frame * period + wish.phase * kHourLong);
}

WaitingWork workOf(const Request &wish, const Options &options, std::size_t number, base::UtcTime at)
{
    const Team &team = kTeams[wish.team];
    WaitingWork work;
    const base::UtcTime since = sinceOf(wish, at);
    const std::uint64_t k = key(options.seed, 0x77616974 + number, static_cast<std::uint64_t>(base::toUnix(since)));
    work.cluster = wish.cluster;
    work.nameSpace = team.nameSpace;
    work.ownerKind = "Job";
    work.ownerName = std::string(wish.job) + '-' + uuidText(k).substr(0, 5);
    work.name = work.ownerName + '-' + uuidText(mixed(k)).substr(0, 5);
    work.uid = uuidText(key(k, 0x756964));
    work.labels["team"] = team.name;
    work.namespaceLabels["kubernetes_io_metadata_name"] = work.nameSpace;
    work.resource = wish.resource;
    work.gpus = wish.gpus;
    work.cpuMilli = wish.cores * kCore;
    work.memoryBytes = wish.memory;
    work.since = since;
    work.selector.emplace();
    if (!wish.label.empty())
        work.selector->emplace(wish.label, wish.value);
    work.tolerations = {{"nvidia.com/gpu", "Exists", "", ""}};
    return work;
}

// What the scheduler calls the parts of the node's devices.
void addGpus(NodeRoom &room, const PlannedNode &node, const FleetPlan &plan)
{
    for (int i = 0; i < node.gpus; ++i) {
        const model::Device &device = plan.devices[node.firstDevice + static_cast<std::size_t>(i)];
        for (const model::MigSlice &slice : device.slices) {
            std::string profile = slice.profile;
            std::replace(profile.begin(), profile.end(), '.', '_');
            ++room.gpus["nvidia_com_mig_" + profile];
        }
        if (node.role == NodeRole::TimeSliced)
            room.gpus["nvidia_com_gpu_shared"] += kReplicas;
        else if (device.slices.empty())
            ++room.gpus[device.vendor == "amd" ? "amd_com_gpu" : "nvidia_com_gpu"];
    }
}

NodeRoom roomOf(const PlannedNode &node, const FleetPlan &plan)
{
    NodeRoom room;
    room.cluster = node.node.cluster;
    room.name = node.node.name;
    room.labels = node.node.labels;
    (*room.labels)[kTier] = node.role == NodeRole::Forgotten ? kDesk
        : node.role == NodeRole::Notebooks                   ? kNotebooks
                                                             : "batch";
    addGpus(room, node, plan);
    room.cpuMilli = node.gpus * kCoresPerGpu * kCore;
    room.memoryBytes = node.gpus * kMemoryPerGpu;
    room.cpuMilliUsed = 2 * kCore; // what runs on every node
    room.memoryBytesUsed = 8 * kGib;
    room.taints.push_back({"nvidia.com/gpu", "present", "NoSchedule"});
    if (node.role == NodeRole::Notebooks)
        room.taints.push_back({kReserved, kNotebooks, "NoSchedule"});
    return room;
}

void addHolders(WaitingFacts &facts, const ports::FactBatch &batch)
{
    std::set<std::uint32_t> running;
    for (const auto &span : batch.holderSpans) {
        if (span.range.end >= batch.covered.end)
            running.insert(span.holder);
    }
    for (const std::uint32_t index : running) {
        const model::Holder &h = batch.holders[index];
        const auto node = std::find_if(facts.nodes.begin(), facts.nodes.end(), [&](const NodeRoom &room) {
            return room.name == h.node && room.cluster == h.cluster;
        });
        if (node == facts.nodes.end())
            continue;
        model::HeldRoom held{h.cluster, h.nameSpace, h.name, h.uid, h.node, h.gpuRequests, 0, 0};
        for (const auto &[resource, count] : h.gpuRequests) {
            const bool isWhole = resource == "nvidia_com_gpu" || resource == "amd_com_gpu";
            held.cpuMilli += count * (isWhole ? kCoresAsked : 2) * kCore;
            held.memoryBytes += count * (isWhole ? kMemoryAsked : 8 * kGib);
            node->gpusUsed[resource] += count;
        }
        *node->cpuMilliUsed += held.cpuMilli;
        *node->memoryBytesUsed += held.memoryBytes;
        facts.holders.push_back(std::move(held));
    }
}

// Workloads that Kueue holds back because their queue has used up its quota.
void addQueue(WaitingFacts &facts)
{
    WaitingWork work;
    work.kind = WaitingWork::Kind::Queue;
    work.cluster = "prod-us";
    work.name = work.queue = "vision-batch";
    work.count = 3;
    facts.works.push_back(std::move(work));
    facts.quotas.push_back({"prod-us", "vision-batch", "a100-40gb", "nvidia_com_gpu", 16, 16});
}

} // namespace

WaitingFacts queueAt(const FleetPlan &plan, const Options &options, const ports::FactBatch &batch, base::UtcTime at)
{
    WaitingFacts facts;
    facts.isKnown = true;
    for (const PlannedNode &node : plan.nodes) {
        if (node.existsAt(at - base::Seconds{1}))
            facts.nodes.push_back(roomOf(node, plan));
    }
    addHolders(facts, batch);
    for (std::size_t i = 0; i < kWishes.size(); ++i)
        facts.works.push_back(workOf(kWishes[i], options, i, at));
    addQueue(facts);
    return facts;
}

void addPastWaits(const Options &options, ports::FactBatch &batch)
{
    std::set<std::string> clusters;
    for (const model::Device &device : batch.devices)
        clusters.insert(device.cluster);
    std::erase_if(clusters, [](const std::string &cluster) {
        return std::none_of(kWishes.begin(), kWishes.end(),
                            [&](const Request &wish) { return wish.cluster == cluster; });
    });
    for (const std::string &cluster : clusters)
        batch.waitingKnown.push_back({cluster, batch.covered});
    for (std::size_t i = 0; i < kWishes.size(); ++i) {
        const base::Seconds period{kWishes[i].period * kHourLong};
        if (!clusters.contains(std::string(kWishes[i].cluster)))
            continue;
        for (auto at = sinceOf(kWishes[i], batch.covered.start); at < batch.covered.end; at += period) {
            const WaitingWork work = workOf(kWishes[i], options, i, at);
            batch.waits.push_back({work.cluster, work.nameSpace, work.name, work.uid, work.resource,
                                   work.gpus.value_or(1), "",
                                   base::TimeRange{at, at + period}.intersect(batch.covered)});
        }
    }
}

} // namespace gpuledger::demo
