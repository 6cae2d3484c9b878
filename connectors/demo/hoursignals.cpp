// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/hoursignals.h"

#include "connectors/demo/demorandom.h"

#include <algorithm>
#include <cmath>
#include <map>

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

struct Hour {
    double highest = 0, sum = 0; // of the activity of its buckets
};

std::map<std::int64_t, Hour> hoursOf(const ports::FactBatch &batch, std::size_t firstSeries)
{
    std::map<std::int64_t, Hour> hours;
    for (std::size_t s = firstSeries; s < batch.series.size(); ++s) {
        const auto &series = batch.series[s];
        for (std::size_t i = 0; i < series.buckets.size(); ++i) {
            if (series.buckets[i].activity == model::kNoShare)
                continue;
            Hour &hour = hours[floorDiv(series.bucketNumbers[i], kSignalBuckets)];
            const double activity = model::shareToDouble(series.buckets[i].activity);
            hour.highest = std::max(hour.highest, activity);
            hour.sum += activity;
        }
    }
    return hours;
}

} // namespace

void addHourSignals(ports::FactBatch &batch, const Holding &holding, base::TimeRange range)
{
    const auto &[lane, member, run, subject, firstSeries, isWholeNode] = holding;
    if (!staysIdle(lane.pattern) || lane.shared)
        return;
    const bool waits = lane.pattern == Pattern::HungJob;
    for (const auto &[number, hour] : hoursOf(batch, firstSeries)) {
        const std::int64_t start = number * kSignalSeconds;
        if (hour.highest > kNearlyIdle || start < base::toUnix(run.range.start)) // an earlier part was another's
            continue;
        const auto seconds = static_cast<std::int32_t>(std::min(kSignalSeconds, base::toUnix(range.end) - start));
        const auto add = [&batch, hourNumber = number, seconds](HourSignal signal, std::size_t of, std::int64_t value) {
            batch.signals.push_back({signal, static_cast<std::uint32_t>(of), {hourNumber, seconds, value}});
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

} // namespace gpuledger::demo
