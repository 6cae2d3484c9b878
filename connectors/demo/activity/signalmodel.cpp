// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/activity/signalmodel.h"

#include "connectors/demo/fleet/demorandom.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::demo {

namespace {

constexpr std::int64_t kHourBuckets = 12, kDayBuckets = 288;
constexpr std::int64_t kHeldByForgottenPod = 70 * 1024; // MiB

struct Level {
    double activity = 0;
    double memory = 0.4; // share of the device
    double spinning = 0; // power drawn without doing work, as by a job that waits for a peer
};

struct Moment {
    std::uint64_t lane = 0, run = 0;
    std::int64_t bucket = 0, sinceStart = 0; // in buckets
    double noise = 0; // of this slot and bucket, 0..1
    const Team *team = nullptr;
};

// Blocks of half an hour are stalls (checkpoints, validation, waiting for data), the rest is near full load: the
// training jobs in the trace are below 5 % for 12 % of their time and at 96 % or more for most of the rest; one day in
// ten is far worse. Every workload has such days, so that its past says something about its future.
Level training(const Moment &m)
{
    const double luck = unit(key(m.lane, 11, static_cast<std::uint64_t>(floorDiv(m.bucket, kDayBuckets))));
    const double carelessness = 1.0 - m.team->diligence;
    double stalled = 0.015 + 0.1 * carelessness, full = 0.985;
    if (luck < 0.02 + 0.05 * carelessness) {
        stalled = 0.85;
        full = 0.7;
    } else if (luck < 0.07 + 0.20 * carelessness) {
        stalled = 0.25;
        full = 0.82;
    }
    Level level;
    level.memory = between(key(m.run, 12), 0.35, 0.96);
    const bool stall = unit(key(m.run, 13, static_cast<std::uint64_t>(m.bucket / 6))) < stalled;
    if (stall)
        level.activity = 0.03 * m.noise;
    else
        level.activity = full * (m.noise < 0.05 ? 0.55 : 0.95 + 0.05 * m.noise) - 0.02 * wander(m.run, m.bucket, 36);
    return level;
}

Level batch(const Moment &m)
{
    Level level;
    level.memory = between(key(m.run, 12), 0.2, 0.7);
    const bool stall = unit(key(m.run, 13, static_cast<std::uint64_t>(m.bucket / 3))) < 0.18;
    level.activity = stall ? 0.02 * m.noise : 0.82 + 0.17 * m.noise;
    return level;
}

// Users compute in bursts of a quarter of an hour and read in between.
Level interactive(const Moment &m, double busyByDay)
{
    const LocalTime local = localTime(*m.team, m.bucket * base::kBucket.count());
    const bool working = local.hour >= 9 && local.hour < 19 && !local.weekend;
    const double busy = working ? busyByDay : 0.02;
    const bool burst = unit(key(m.run, 13, static_cast<std::uint64_t>(m.bucket / 3))) < busy;
    Level level;
    level.memory = between(key(m.run, 12), 0.08, 0.55);
    level.activity = burst ? 0.35 + 0.63 * m.noise : 0.012 * m.noise;
    return level;
}

// Requests follow the users' day: low at night, a shoulder at noon, the peak in the evening.
Level serving(const Moment &m)
{
    const LocalTime local = localTime(*m.team, m.bucket * base::kBucket.count());
    constexpr double kPi = 3.14159265358979323846;
    const double day = std::max(0.0, std::sin((local.hour - 6.5) / 17.5 * kPi));
    const double shape = local.hour < 6.5 ? 0.0 : day * (0.8 + 0.2 * std::sin((local.hour - 14) / 10 * kPi));
    const double size = between(key(m.lane, 12), 0.45, 0.98);
    Level level;
    level.memory = between(key(m.run, 14), 0.6, 0.92);
    level.activity = size * (0.08 + shape * (local.weekend ? 0.55 : 0.95)) * (0.85 + 0.3 * m.noise);
    return level;
}

// Requests all day and night, for a model that is small for its GPU.
Level smallServing(const Moment &m)
{
    const LocalTime local = localTime(*m.team, m.bucket * base::kBucket.count());
    const double byDay = local.hour >= 8 && local.hour < 20 ? 0.03 : 0.0;
    Level level;
    level.memory = between(key(m.run, 14), 0.17, 0.21);
    level.activity = (0.07 + byDay) * (0.9 + 0.2 * m.noise);
    return level;
}

Level levelOf(Pattern pattern, const Moment &m)
{
    Level level;
    switch (pattern) {
    case Pattern::Training:
    case Pattern::Continual:
        return training(m);
    case Pattern::Batch:
        return batch(m);
    case Pattern::Notebook:
        return interactive(m, 0.42);
    case Pattern::Development:
        return interactive(m, 0.55);
    case Pattern::Serving:
    case Pattern::ElasticServing:
        return serving(m);
    case Pattern::SmallServing:
        return smallServing(m);
    case Pattern::IdleLoaded:
        level.activity = m.sinceStart < 2 * kHourBuckets ? 0.9 : 0.0;
        return level;
    case Pattern::IdleNotebook:
        level = interactive(m, 0.5);
        if (m.sinceStart > 16 * kHourBuckets)
            level.activity = 0.0;
        return level;
    case Pattern::ForgottenEndpoint:
        level = serving(m);
        if (m.sinceStart > 5 * kDayBuckets)
            level.activity = 0.0;
        return level;
    case Pattern::Trickle:
        level.memory = 0.06;
        level.activity = 0.008 + 0.02 * m.noise;
        return level;
    case Pattern::Sleeping:
        level.memory = 0.0;
        return level;
    case Pattern::HungJob: // NVML would report 100 % utilization, but its SMs do nothing
        level = training(m);
        if (m.sinceStart > kDayBuckets / 2) {
            level.activity = 0.002 + 0.002 * m.noise;
            level.spinning = 0.3;
        }
        return level;
    }
    return level;
}

model::UsageBucket filled(double activity, const GpuKind &gpu, double memoryMib, double watts)
{
    model::UsageBucket b;
    b.activity = model::toShare(std::clamp(activity, 0.0, 1.0));
    if (gpu.profiling) {
        b.signal = model::ActivitySignal::SmActive;
        b.smActive = b.activity;
        b.tensorActive = model::toShare(std::clamp(activity * 0.46, 0.0, 1.0));
    } else {
        b.signal =
            gpu.vendor == "amd" ? model::ActivitySignal::GraphicsEngineActive : model::ActivitySignal::GpuUtilization;
    }
    if (gpu.memoryReported) {
        b.memoryMeanMib = static_cast<std::uint32_t>(memoryMib);
        b.memoryMaxMib = b.memoryMeanMib;
    }
    b.powerDeciwatt = watts < 0 ? model::kNoPower : static_cast<std::uint16_t>(watts * 10);
    return b;
}

} // namespace

model::UsageBucket readingOf(const Lane &lane, const Run &run, int position, const GpuKind &gpu, bool slice,
                             std::int64_t memoryMib, std::int64_t bucketNumber)
{
    const std::int64_t began = floorDiv(base::toUnix(run.range.start), base::kBucket.count());
    const Moment moment{
        lane.key,
        run.key,
        bucketNumber,
        bucketNumber - began,
        unit(key(run.key, static_cast<std::uint64_t>(position) + 100, static_cast<std::uint64_t>(bucketNumber))),
        lane.team};
    const Level level = levelOf(lane.pattern, moment);
    const double memory = lane.pattern == Pattern::IdleLoaded
        ? static_cast<double>(std::min<std::int64_t>(kHeldByForgottenPod, memoryMib))
        : level.memory * static_cast<double>(memoryMib);
    const double range = gpu.limitW - gpu.restingW;
    const double awake = memory > 1024 ? 0.04 : 0.0; // a loaded context keeps the clocks up
    const double watts =
        gpu.restingW + range * std::min(1.0, awake + level.spinning + 0.88 * level.activity + 0.02 * moment.noise);
    return filled(level.activity, gpu, memory, slice ? -1.0 : watts); // an instance reports its parent's power
}

model::UsageBucket restingReading(const GpuKind &gpu, bool slice, std::uint64_t deviceKey, std::int64_t bucketNumber)
{
    const double noise = unit(key(deviceKey, static_cast<std::uint64_t>(bucketNumber)));
    return filled(0.0, gpu, 4, slice ? -1.0 : gpu.restingW * (0.98 + 0.04 * noise));
}

} // namespace gpuledger::demo
