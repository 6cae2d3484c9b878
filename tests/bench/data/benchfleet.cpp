// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/data/benchfleet.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gpuledger::bench {

using ports::FactBatch;

namespace {

constexpr int kTeams = 12;
constexpr const char *kTeamNames[kTeams] = {"research", "llm-platform", "speech", "vision", "recsys", "robotics",
                                            "ads",      "search",       "maps",   "safety", "infra",  "genomics"};

std::uint64_t mix(std::uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

double unit(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0)
{
    return static_cast<double>(mix(a * 0x1000003D + b * 0x10001 + c) >> 11) / 9007199254740992.0;
}

// The jobs of a device follow each other in slots, whose length differs from device to device: the number of the job at
// a bucket, and whether the device is held.
struct Slot {
    std::int64_t job = 0;
    bool held = false;
    bool idle = false;
};

Slot slotAt(int device, std::int64_t bucket, Jobs jobs)
{
    constexpr double kUsual = 456, kShort = 72; // buckets
    const std::int64_t length = 24
        + static_cast<std::int64_t>(unit(static_cast<std::uint64_t>(device), 7)
                                    * (jobs == Jobs::Usual ? kUsual : kShort));
    Slot s;
    s.job = (bucket + device * 37) / length;
    s.held = unit(static_cast<std::uint64_t>(device), static_cast<std::uint64_t>(s.job), 1) < 0.7;
    s.idle = unit(static_cast<std::uint64_t>(device), static_cast<std::uint64_t>(s.job), 2) < 0.15;
    return s;
}

// Whole percents, as exporters report them: three of four slots repeat the previous one, and most of the others are
// close to it.
double activityOf(std::uint64_t device, std::int64_t bucket)
{
    constexpr int kLongestRepeat = 48;
    for (int back = 0; back < kLongestRepeat && unit(device, static_cast<std::uint64_t>(bucket), 3) < 0.75; ++back)
        --bucket;
    const double draw = unit(device, static_cast<std::uint64_t>(bucket), 6);
    constexpr double kNearFull = 0.85;
    return draw < kNearFull ? 1.0 - std::floor(draw / kNearFull * 3) / 100
                            : 0.6 + std::floor((draw - kNearFull) / (1 - kNearFull) * 38) / 100;
}

// Power: a fixed share of the range while the device is held, the rest proportional to activity, plus the two watts by
// which the power of a card at rest varies.
model::UsageBucket bucketFor(int device, std::int64_t bucket, const Slot &slot)
{
    const auto d = static_cast<std::uint64_t>(device);
    model::UsageBucket b;
    b.observed = 300;
    b.signal = model::ActivitySignal::GpuUtilization;
    const double activity = slot.held && !slot.idle ? activityOf(d, bucket) : 0;
    b.activity = model::toShare(activity);
    b.memoryMeanMib =
        slot.held ? 4096 + static_cast<std::uint32_t>(unit(d, static_cast<std::uint64_t>(slot.job), 4) * 70000) : 0;
    b.memoryMaxMib = b.memoryMeanMib;
    constexpr double kRest = 430, kLimit = 3000, kWander = 20; // deciwatt
    const double work = (slot.held ? 0.15 : 0.0) + 0.85 * activity;
    b.powerDeciwatt = static_cast<std::uint16_t>(kRest + (kLimit - kRest) * work
                                                 + kWander * unit(d, static_cast<std::uint64_t>(bucket), 5));
    return b;
}

model::Node nodeFor(int number)
{
    model::Node node;
    node.cluster = number % 5 == 0 ? "edge" : "prod";
    node.name = "node-" + std::to_string(number);
    node.instanceType = number % 5 == 0 ? "g6.48xlarge" : "p4d.24xlarge";
    node.cloud = "aws";
    node.region = "us-east-1";
    node.gpuCapacity = 8;
    node.labels["node_kubernetes_io_instance_type"] = node.instanceType;
    return node;
}

} // namespace

FactBatch fleetDay(int gpus, base::Day day, Jobs jobs)
{
    FactBatch batch;
    batch.covered = {day.start(), day.end()};
    const std::int64_t first = base::toUnix(day.start()) / base::kBucket.count();
    std::map<std::pair<int, std::int64_t>, std::uint32_t> pods;
    for (int g = 0; g < gpus; ++g) {
        const int n = g / 8;
        if (g % 8 == 0) {
            batch.nodes.push_back(nodeFor(n));
            batch.nodeSpans.push_back({static_cast<std::uint32_t>(n), batch.covered});
        }
        model::Device device;
        device.cluster = batch.nodes.back().cluster;
        device.uuid = "GPU-" + std::to_string(1000000 + g);
        device.model = n % 5 == 0 ? "NVIDIA L4" : "NVIDIA A100-SXM4-40GB";
        device.vendor = "nvidia";
        device.index = g % 8;
        device.memoryMib = n % 5 == 0 ? 24576 : 40960;
        batch.devices.push_back(device);
        for (std::int64_t b = first; b < first + base::kBucketsPerDay;) {
            const Slot slot = slotAt(g, b, jobs);
            FactBatch::Series series;
            series.device = static_cast<std::uint32_t>(g);
            series.node = static_cast<std::uint32_t>(n);
            const std::int64_t from = b;
            for (; b < first + base::kBucketsPerDay && slotAt(g, b, jobs).job == slot.job; ++b) {
                series.bucketNumbers.push_back(b);
                series.buckets.push_back(bucketFor(g, b, slot));
            }
            if (slot.held) {
                const std::string name = "job-" + std::to_string(g) + '-' + std::to_string(slot.job);
                model::Subject subject;
                subject.cluster = device.cluster;
                subject.nameSpace = std::string("team-") + kTeamNames[n % kTeams];
                subject.name = name;
                series.subject = static_cast<std::uint32_t>(batch.subjects.size());
                batch.subjects.push_back(subject);
                model::Holder holder;
                holder.cluster = device.cluster;
                holder.nameSpace = subject.nameSpace;
                holder.name = name;
                holder.uid = "uid-" + name;
                holder.node = batch.nodes.back().name;
                holder.ownerKind = slot.idle ? "Notebook" : "Job";
                holder.ownerName = name;
                holder.labels["team"] = kTeamNames[n % kTeams];
                holder.labels["env"] = n % 3 == 0 ? "prod" : "dev";
                holder.gpuRequests["nvidia_com_gpu"] = 1;
                batch.holderSpans.push_back({static_cast<std::uint32_t>(batch.holders.size()),
                                             {base::fromUnix(from * 300), base::fromUnix(b * 300)}});
                batch.holders.push_back(std::move(holder));
            }
            batch.acceptedSamples += series.buckets.size();
            batch.series.push_back(std::move(series));
        }
    }
    return batch;
}

} // namespace gpuledger::bench
