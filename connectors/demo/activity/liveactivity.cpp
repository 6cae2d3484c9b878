// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/activity/liveactivity.h"

#include <algorithm>

namespace gpuledger::demo {

using ports::ActivityReading;
using ports::FactBatch;

namespace {

base::UtcTime firstMoment(const ports::ActivityQuestion &question, base::UtcTime now)
{
    return std::max(std::min(question.since, now - ports::kActivityWindow), now - ports::kLongestActivityWindow);
}

void addSamples(ActivityReading &reading, const FactBatch::Series &series, base::UtcTime first, base::UtcTime now)
{
    for (std::size_t i = 0; i < series.buckets.size(); ++i) {
        const model::UsageBucket &bucket = series.buckets[i];
        const base::UtcTime start = base::fromUnix(series.bucketNumbers[i] * base::kBucket.count());
        const base::UtcTime last = base::floorTo(std::min(now, start + base::kBucket - kScrape), kScrape);
        if (bucket.observed == 0 || bucket.activity == model::kNoShare || last < std::max(start, first))
            continue;
        const ActivityReading::Sample sample{last, model::shareToDouble(bucket.activity)};
        reading.signal = bucket.signal;
        reading.samples += static_cast<std::size_t>((last - std::max(start, first)) / kScrape) + 1;
        reading.newest = sample;
        if (!reading.most || sample.share >= reading.most->share)
            reading.most = sample;
    }
}

} // namespace

base::TimeRange liveRange(const ports::ActivityQuestion &question, base::UtcTime now)
{
    return {base::floorTo(firstMoment(question, now), base::kBucket),
            base::floorTo(now, base::kBucket) + base::kBucket};
}

ports::ActivityAnswer liveActivity(const FactBatch &facts, const ports::ActivityQuestion &question, base::UtcTime now)
{
    ports::ActivityAnswer answer;
    answer.now = now;
    for (const FactBatch::Series &series : facts.series) {
        ActivityReading reading;
        const model::Device &device = facts.devices[series.device];
        reading.cluster = device.cluster;
        reading.uuid = device.uuid;
        reading.gpuInstance = series.gpuInstance;
        reading.interval = kScrape;
        if (series.node != FactBatch::kNone)
            reading.nodes.push_back(facts.nodes[series.node].name);
        if (series.subject != FactBatch::kNone) {
            const model::Subject &subject = facts.subjects[series.subject];
            reading.holders.push_back({subject.kind, subject.nameSpace, subject.name});
        }
        addSamples(reading, series, firstMoment(question, now), now);
        if (reading.newest)
            answer.readings.push_back(std::move(reading));
    }
    return answer;
}

} // namespace gpuledger::demo
