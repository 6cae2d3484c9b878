// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/fleet/workloadplan.h"

#include "connectors/demo/fleet/demorandom.h"

#include <algorithm>

namespace gpuledger::demo {

namespace {

constexpr std::int64_t kHourSeconds = 3600, kDaySeconds = 86400;

// Describes how a pattern fills its frames.
struct Shape {
    double weekday = 1, weekend = 1; // probability that anything runs in a frame
    double shortest = 0.6, longest = 0.99; // fraction of the frame
    double latestStart = 1; // fraction of the time that the run leaves of the frame
};

// Jobs that run on their own, by the local time of the middle of their frame. Long training runs go on over nights and
// weekends, short ones are experiments of people at work, and batch jobs fill the nights.
Shape jobShape(const Lane &lane, const LocalTime &middle)
{
    const bool isNight = middle.hour < 7 || middle.hour >= 20;
    if (lane.pattern == Pattern::Batch)
        return isNight ? Shape{0.97, 0.6, 0.55, 0.95, 1} : Shape{0.42, 0.2, 0.3, 0.95, 1};
    if (lane.frame < kDaySeconds)
        return isNight ? Shape{0.88, 0.4, 0.62, 0.99, 1} : Shape{0.97, 0.3, 0.7, 0.99, 1};
    return lane.frame == kDaySeconds ? Shape{0.96, 0.45, 0.62, 0.99, 1} : Shape{0.96, 0.85, 0.65, 0.99, 1};
}

Shape shapeOf(const Lane &lane, const LocalTime &middle)
{
    switch (lane.pattern) {
    case Pattern::Training:
    case Pattern::Batch:
        return jobShape(lane, middle);
    case Pattern::Notebook:
    case Pattern::Development:
        return {0.85, 0.12, 0.3, 0.55, 0.25};
    case Pattern::Serving:
        return {1, 1, 0.999, 0.9999, 0.1};
    case Pattern::Continual:
        return {1, 1, 0.99, 0.998, 0.5};
    case Pattern::SmallServing:
        return {1, 1, 0.88, 0.99, 0};
    case Pattern::ElasticServing:
        return {0.98, 0.35, 0.5, 0.6, 0.3};
    case Pattern::IdleLoaded:
    case Pattern::IdleNotebook:
    case Pattern::ForgottenEndpoint:
    case Pattern::Trickle:
    case Pattern::Sleeping:
        return {1, 1, 0.995, 0.999, 0.1};
    case Pattern::HungJob:
        return {1, 1, 0.985, 0.995, 0.5};
    }
    return {};
}

// The parts of a run between the times that its machine was taken away.
std::vector<Run> partsOf(const Lane &lane, const Run &run)
{
    if (!lane.spotMachine)
        return {run};
    std::vector<Run> parts;
    Run rest = run;
    for (const base::TimeRange &away : reclaimedTimes(*lane.spotMachine, run.range)) {
        Run part = rest;
        part.range.end = std::min(away.start, rest.range.end);
        part.isCut = true;
        if (!part.range.empty()) {
            parts.push_back(part);
            ++rest.attempt;
        }
        rest.range.start = std::max(rest.range.start, away.end);
    }
    if (!rest.range.empty())
        parts.push_back(rest);
    return parts;
}

// A notebook that was not shut down in the evening stays until the next morning.
constexpr double kLeftOverNight = 0.3;

} // namespace

LocalTime localTime(const Team &team, std::int64_t unixSeconds)
{
    const std::int64_t local = unixSeconds + team.utcOffsetHours * kHourSeconds;
    const std::int64_t day = floorDiv(local, kDaySeconds); // day 0 was a Thursday
    const std::int64_t weekday = ((day + 3) % 7 + 7) % 7;
    return {static_cast<double>(local - day * kDaySeconds) / kHourSeconds, weekday >= 5};
}

std::vector<Run> runsIn(const Lane &lane, base::TimeRange range)
{
    std::vector<Run> runs;
    const base::UtcTime last = std::min(range.end, lane.until.value_or(range.end));
    const std::int64_t from = base::toUnix(range.start), to = base::toUnix(last);
    for (std::int64_t n = floorDiv(from - lane.phase, lane.frame); n * lane.frame + lane.phase < to; ++n) {
        const std::int64_t frameStart = n * lane.frame + lane.phase;
        const std::uint64_t k = key(lane.key, static_cast<std::uint64_t>(n));
        const LocalTime middle = localTime(*lane.team, frameStart + std::min(lane.frame / 2, kDaySeconds / 2));
        const Shape shape = shapeOf(lane, middle);
        if (unit(key(k, 1)) >= (middle.weekend ? shape.weekend : shape.weekday))
            continue;
        const auto frame = static_cast<double>(lane.frame);
        double length = frame * between(key(k, 2), shape.shortest, shape.longest);
        double start = (frame - length) * shape.latestStart * unit(key(k, 3));
        if (lane.pattern == Pattern::Notebook || lane.pattern == Pattern::Development
            || lane.pattern == Pattern::ElasticServing) { // the working day
            start = between(key(k, 3), 7.5 * kHourSeconds, 10.5 * kHourSeconds);
            length = std::min(length, frame - start);
            if (lane.pattern == Pattern::Notebook && unit(key(k, 4)) < kLeftOverNight)
                length = frame - start;
        }
        constexpr std::int64_t kStep = 30;
        const std::int64_t begin = frameStart + static_cast<std::int64_t>(start) / kStep * kStep;
        const std::int64_t end = begin + std::max<std::int64_t>(static_cast<std::int64_t>(length) / kStep, 2) * kStep;
        Run run{k, {base::fromUnix(begin), base::fromUnix(std::min(end, frameStart + lane.frame))}};
        run.range.end = std::min(run.range.end, lane.until.value_or(run.range.end));
        for (const Run &part : partsOf(lane, run)) {
            if (part.range.start < last && range.start < part.range.end)
                runs.push_back(part);
        }
    }
    return runs;
}

namespace {

// kube-state-metrics' name of the resource that a member requests, and its amount.
std::pair<std::string, std::int64_t> requestOf(const Lane &lane, const Lane::Member &member, const FleetPlan &plan)
{
    const Slot &first = member.slots.front();
    const model::Device &device = plan.devices[first.device];
    const auto count = static_cast<std::int64_t>(member.slots.size());
    if (device.vendor == "amd")
        return {"amd_com_gpu", count};
    if (first.slice >= 0) {
        std::string profile = device.slices[static_cast<std::size_t>(first.slice)].profile;
        std::replace(profile.begin(), profile.end(), '.', '_');
        return {"nvidia_com_mig_" + profile, count};
    }
    return {lane.shared ? "nvidia_com_gpu_shared" : "nvidia_com_gpu", count};
}

struct Naming {
    std::string pod, ownerKind, ownerName;
};

Naming namingOf(const Lane &lane, std::size_t member, const Run &run)
{
    const std::string tail = suffixText(run.key, 5);
    const std::string rank = lane.members.size() > 1 ? "-worker-" + std::to_string(member) : "";
    switch (lane.pattern) {
    case Pattern::Training:
    case Pattern::Continual:
    case Pattern::HungJob:
        if (lane.members.size() > 1)
            return {lane.workload + '-' + tail + rank, "PyTorchJob", lane.workload + '-' + tail};
        return {lane.workload + '-' + tail + '-' + suffixText(mixed(run.key + run.attempt), 5), "Job",
                lane.workload + '-' + tail};
    case Pattern::Batch:
        return {lane.workload + '-' + tail, "CronJob", lane.workload};
    case Pattern::Notebook:
    case Pattern::IdleNotebook:
    case Pattern::Development:
    case Pattern::Sleeping:
        return {lane.workload + "-0", "StatefulSet", lane.workload};
    case Pattern::Serving:
    case Pattern::ElasticServing:
    case Pattern::SmallServing:
    case Pattern::ForgottenEndpoint:
    case Pattern::Trickle:
        return {lane.workload + '-' + suffixText(key(run.key, 9), 9) + '-' + tail, "Deployment", lane.workload};
    case Pattern::IdleLoaded:
        return {lane.workload, "", ""};
    }
    return {};
}

} // namespace

model::Holder holderOf(const Lane &lane, std::size_t member, const Run &run, const FleetPlan &plan)
{
    const Lane::Member &place = lane.members[member];
    const PlannedNode &node = plan.nodes[place.node];
    const Naming naming = namingOf(lane, member, run);
    model::Holder h;
    h.cluster = node.node.cluster;
    h.nameSpace = lane.team->nameSpace;
    h.name = naming.pod;
    h.uid = uuidText(key(run.attempt == 0 ? run.key : key(run.key, 0x72657472, run.attempt), 0x756964, member));
    h.node = node.node.name;
    h.ownerKind = naming.ownerKind;
    h.ownerName = naming.ownerName;
    h.labels["app"] = lane.workload;
    if (lane.team->podLabel)
        h.labels["team"] = lane.team->name;
    if (!lane.environment.empty())
        h.labels["env"] = lane.environment;
    if (lane.pattern == Pattern::Notebook || lane.pattern == Pattern::IdleNotebook)
        h.labels["notebook_name"] = lane.workload;
    if (naming.ownerKind == "PyTorchJob")
        h.labels["training_kubeflow_org_job_name"] = naming.ownerName;
    if (!lane.checkpointEvery.empty())
        h.labels["gpu_ledger_io_checkpoint_every"] = lane.checkpointEvery;
    if (lane.protectedByLabel)
        h.labels["gpuledger_io_protect"] = "true";
    h.namespaceLabels["kubernetes_io_metadata_name"] = h.nameSpace;
    if (lane.team->namespaceLabel)
        h.namespaceLabels["team"] = lane.team->name;
    h.gpuRequests.insert(requestOf(lane, place, plan));
    h.startedAt = run.range.start;
    return h;
}

} // namespace gpuledger::demo
