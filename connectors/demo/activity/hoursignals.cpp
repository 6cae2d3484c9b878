// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/activity/hoursignals.h"

#include "connectors/demo/fleet/demorandom.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gpuledger::demo {

namespace {

using model::HourSignal;

constexpr std::int64_t kSignalSeconds = 3600, kSignalBuckets = 12;
constexpr double kNearlyIdle = 0.1;
constexpr double kRequestsPerBusyBucket = 500;

bool staysIdle(Pattern pattern)
{
    return pattern == Pattern::IdleLoaded || pattern == Pattern::IdleNotebook || pattern == Pattern::ForgottenEndpoint
        || pattern == Pattern::HungJob;
}

std::int64_t millionths(double share)
{
    return static_cast<std::int64_t>(share * static_cast<double>(model::kSignalShareScale));
}

// What the run's devices do in an hour.
struct Hour {
    double highest = 0; // activity of a bucket, also of those after the end of the data
    double sum = 0; // of the activities before that end
    bool isObserved = false; // before that end
};

Hour hourOf(const Holding &holding, std::int64_t number, std::int64_t endBucket)
{
    Hour hour;
    for (std::size_t slot = 0; slot < holding.member.slots.size(); ++slot) {
        for (std::int64_t b = number * kSignalBuckets; b < (number + 1) * kSignalBuckets; ++b) {
            const auto activity = holding.activity(slot, b);
            hour.highest = std::max(hour.highest, activity.value_or(0));
            if (activity && b < endBucket) {
                hour.sum += *activity;
                hour.isObserved = true;
            }
        }
    }
    return hour;
}

// Whether the run's first device works in an hour: all do, or none.
bool worksIn(const Holding &holding, std::int64_t number, std::int64_t endBucket)
{
    for (std::int64_t b = number * kSignalBuckets; b < std::min((number + 1) * kSignalBuckets, endBucket); ++b) {
        if (holding.activity(0, b).value_or(0) > kNearlyIdle)
            return true;
    }
    return false;
}

} // namespace

void addHourSignals(ports::FactBatch &batch, const Holding &holding, base::TimeRange range)
{
    const auto &[lane, member, run, subject, isWholeNode, activity] = holding;
    if (!staysIdle(lane.pattern) || lane.shared)
        return;
    const bool waits = lane.pattern == Pattern::HungJob;
    const base::TimeRange here = run.range.intersect(range);
    const std::int64_t runStart = base::toUnix(run.range.start), end = base::toUnix(here.end);
    const std::int64_t endBucket = floorDiv(base::toUnix(range.end), base::kBucket.count());
    for (std::int64_t number = floorDiv(base::toUnix(here.start), kSignalSeconds); number * kSignalSeconds < end;
         ++number) {
        const std::int64_t start = number * kSignalSeconds;
        if (start < runStart) // an earlier part was another's
            continue;
        const Hour hour = hourOf(holding, number, endBucket);
        if (!hour.isObserved || hour.highest > kNearlyIdle)
            continue;
        const auto seconds = static_cast<std::int32_t>(std::min(kSignalSeconds, end - start));
        const auto add = [&batch, number, seconds](HourSignal signal, std::size_t of, std::int64_t value) {
            batch.signals.push_back({signal, static_cast<std::uint32_t>(of), {number, seconds, value}});
        };
        const auto hourKey = static_cast<std::uint64_t>(number);
        for (const Slot &slot : member.slots) {
            const double noise = unit(key(run.key, slot.device, hourKey));
            if (slot.slice < 0) // a trickle of input, or what a driver polls
                add(HourSignal::PcieBytes, slot.device,
                    static_cast<std::int64_t>(waits ? 24e6 + 9e6 * noise : 2e5 + 3e5 * noise));
        }
        const double load = unit(key(run.key, 41, hourKey));
        if (isWholeNode) {
            add(HourSignal::HostCpu, member.node, millionths(waits ? 0.12 + 0.08 * load : 0.01 + 0.03 * load));
            add(HourSignal::HostIoWait, member.node, millionths(waits ? 0.22 + 0.1 * load : 0.002 * load));
        }
        if (lane.pattern == Pattern::ForgottenEndpoint)
            add(HourSignal::Requests, subject, std::llround(std::ceil(hour.sum * kRequestsPerBusyBucket)));
    }
}

void addWriteBursts(ports::FactBatch &batch, const Holding &holding, base::TimeRange range)
{
    const Lane &lane = holding.lane;
    const bool trains = lane.pattern == Pattern::Training || lane.pattern == Pattern::Continual;
    if (!trains || !lane.checkpointEvery.empty() || batch.subjects[holding.subject].kind != model::SubjectKind::Pod)
        return;
    constexpr std::array<std::int64_t, 3> kEvery{0, 1200, 1800}; // seconds; 0: it writes none
    const std::uint64_t name = std::accumulate(lane.workload.begin(), lane.workload.end(), std::uint64_t{0},
                                               [](std::uint64_t k, char c) { return key(k, std::uint64_t(c)); });
    const std::int64_t every = kEvery[name % kEvery.size()];
    const std::int64_t begin = base::toUnix(holding.run.range.start);
    const base::TimeRange here = holding.run.range.intersect(range);
    const std::int64_t end = base::toUnix(here.end);
    const std::int64_t endBucket = floorDiv(base::toUnix(range.end), base::kBucket.count());
    for (std::int64_t number = floorDiv(base::toUnix(here.start), kSignalSeconds); number * kSignalSeconds < end;
         ++number) {
        const std::int64_t start = std::max(number * kSignalSeconds, begin);
        const std::int64_t until = std::min((number + 1) * kSignalSeconds, end);
        if (until <= start || !worksIn(holding, number, endBucket))
            continue;
        const auto written = [&](std::int64_t second) { return every > 0 ? (second - begin - 1) / every : 0; };
        batch.signals.push_back({HourSignal::WriteBursts,
                                 holding.subject,
                                 {number, static_cast<std::int32_t>(until - number * kSignalSeconds),
                                  written(until) - (start > begin ? written(start) : 0)}});
    }
}

} // namespace gpuledger::demo
