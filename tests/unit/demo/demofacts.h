// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/demo/demosource.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

// Facts of the demo fleet as a source gives them, and sums of them, for the tests of this folder.
namespace gpuledger::tests {

using base::TimeRange;
using ports::FactBatch;

inline constexpr double kIdleThreshold = 0.05;

inline base::UtcTime at(std::string_view text)
{
    return base::parseTime(text).value();
}

// Facts by their natural keys, so that batches cut in any way can be compared.
class Facts final : public ports::FactSink {
public:
    using SeriesKey = std::tuple<std::string, std::string, std::string, std::string, int>; // device … role
    struct HolderFacts {
        model::Holder holder;
        std::int64_t seconds = 0;
        TimeRange seen;
        bool operator==(const HolderFacts &o) const
        {
            return holder.labels == o.holder.labels && holder.namespaceLabels == o.holder.namespaceLabels
                && holder.ownerKind == o.holder.ownerKind && holder.ownerName == o.holder.ownerName
                && holder.node == o.holder.node && holder.startedAt == o.holder.startedAt
                && holder.gpuRequests == o.holder.gpuRequests && holder.completedAt == o.holder.completedAt
                && holder.endReason == o.holder.endReason && seconds == o.seconds && seen == o.seen;
        }
    };

    using Track = std::vector<std::pair<std::int64_t, model::UsageBucket>>; // ascending
    std::map<SeriesKey, Track> series;
    std::map<std::tuple<std::string, std::string, std::string, std::string>, HolderFacts> holders; // by natural key
    std::map<std::string, model::Device> devices;
    std::map<std::string, model::Node> nodes;
    std::map<std::string, std::int64_t> nodeSeconds;
    std::map<std::string, std::string> nodeOfDevice;
    std::map<model::HourSignal, std::vector<std::int64_t>> signals; // values
    // What the store keeps of them: the value of the longest part of each hour, by what it is about.
    std::map<std::tuple<model::HourSignal, std::string, std::int64_t>, model::SignalHour> signalHours;
    std::uint64_t samples = 0;
    int batches = 0;
    base::UtcTime doneTo{};

    base::Result<void> accept(FactBatch batch) override
    {
        ++batches;
        for (const auto &d : batch.devices)
            devices[d.uuid] = d;
        for (const auto &n : batch.nodes)
            nodes[n.name] = n;
        for (const auto &s : batch.nodeSpans)
            nodeSeconds[batch.nodes[s.node].name] += s.range.length().count();
        for (const auto &span : batch.holderSpans) {
            const model::Holder &h = batch.holders[span.holder];
            auto [it, fresh] = holders.try_emplace({h.cluster, h.nameSpace, h.name, h.uid}, HolderFacts{h, 0, h.seen});
            HolderFacts &known = it->second;
            known.seconds += span.range.length().count();
            if (h.completedAt)
                known.holder.completedAt = h.completedAt;
            if (h.endReason)
                known.holder.endReason = h.endReason;
            known.seen = {std::min(known.seen.start, h.seen.start), std::max(known.seen.end, h.seen.end)};
            if (!batch.covered.contains(span.range.start) || span.range.end > batch.covered.end)
                qFatal("a span lies outside its batch");
        }
        for (const auto &s : batch.series)
            addSeries(batch, s);
        for (const auto &s : batch.signals) {
            const base::UtcTime start = base::fromUnix(s.hour.hour * 3600);
            if (start >= batch.covered.end || start + base::Seconds{s.hour.seconds} > batch.covered.end
                || s.hour.seconds <= 0 || s.hour.seconds > 3600)
                qFatal("a signal lies outside its batch");
            signals[s.signal].push_back(s.hour.value);
            model::SignalHour &kept = signalHours[{s.signal, subjectOf(batch, s), s.hour.hour}];
            if (s.hour.seconds >= kept.seconds)
                kept = s.hour;
        }
        return {};
    }
    void progress(const ports::FetchProgress &progress) override { doneTo = progress.doneTo; }

private:
    static std::string subjectOf(const FactBatch &batch, const FactBatch::Signal &s)
    {
        switch (model::subjectOf(s.signal)) {
        case model::SignalOf::Device:
            return batch.devices.at(s.of).uuid;
        case model::SignalOf::Node:
            return batch.nodes.at(s.of).name;
        case model::SignalOf::Subject:
            break;
        }
        return batch.subjects.at(s.of).nameSpace + '/' + batch.subjects.at(s.of).name;
    }

    void addSeries(const FactBatch &batch, const FactBatch::Series &s)
    {
        const bool held = s.subject != FactBatch::kNone;
        const std::string pod =
            held ? batch.subjects[s.subject].nameSpace + '/' + batch.subjects[s.subject].name : std::string();
        nodeOfDevice[batch.devices[s.device].uuid] = batch.nodes[s.node].name;
        auto &track = series[{batch.devices[s.device].uuid, s.gpuInstance, batch.nodes[s.node].name, pod,
                              static_cast<int>(s.role)}];
        if (s.buckets.size() != s.bucketNumbers.size() || s.buckets.empty())
            qFatal("a series is not parallel");
        for (std::size_t i = 0; i < s.buckets.size(); ++i) {
            const base::UtcTime start = base::fromUnix(s.bucketNumbers[i] * 300);
            if (!batch.covered.contains(start) || (!track.empty() && track.back().first >= s.bucketNumbers[i]))
                qFatal("a bucket is out of order, outside its batch or there twice");
            track.emplace_back(s.bucketNumbers[i], s.buckets[i]);
        }
        samples += s.buckets.size();
    }
};

inline Facts fetched(base::UtcTime now, TimeRange range, std::map<std::string, std::string> options = {},
                     const std::vector<base::UtcTime> &cuts = {})
{
    const base::FrozenClock clock(now);
    model::SourceSettings settings;
    settings.name = "demo";
    settings.kind = "demo";
    settings.options = std::move(options);
    auto source = demo::DemoSource::create(settings, clock);
    if (!source)
        qFatal("%s", source.error().text.c_str());
    Facts facts;
    base::UtcTime from = range.start;
    std::vector<base::UtcTime> ends = cuts;
    ends.push_back(range.end);
    for (const base::UtcTime end : ends) {
        if (const auto done = (*source)->fetch({from, end}, facts, {}); !done)
            qFatal("%s", done.error().text.c_str());
        from = end;
    }
    return facts;
}

// GPU-seconds by state, summed here from nothing but the series.
struct Mix {
    double paid = 0, active = 0, idle = 0, free = 0, busySum = 0;
    double held() const { return active + idle; }
};

inline Mix mixOf(const Facts &facts, const std::function<bool(const std::string &)> &wanted = nullptr)
{
    Mix mix;
    for (const auto &[node, seconds] : facts.nodeSeconds) {
        for (const auto &[device, home] : facts.nodeOfDevice)
            mix.paid += home == node ? static_cast<double>(seconds) : 0;
    }
    for (const auto &[key, buckets] : facts.series) {
        const auto &[device, instance, node, pod, role] = key;
        if (role == static_cast<int>(model::SeriesRole::CopyPerHolder) || (wanted && !wanted(pod)))
            continue;
        double part = 1;
        for (const model::MigSlice &slice : facts.devices.at(device).slices) {
            if (slice.gpuInstance == instance)
                part = static_cast<double>(slice.fraction.part) / static_cast<double>(slice.fraction.of);
        }
        for (const auto &[number, b] : buckets) {
            const double activity = model::shareToDouble(b.activity);
            const double seconds = part * b.observed;
            (pod.empty() ? mix.free : activity < kIdleThreshold ? mix.idle : mix.active) += seconds;
            mix.busySum += pod.empty() ? 0 : activity * seconds;
        }
    }
    return mix;
}

inline const base::UtcTime kNow = at("2026-10-14T13:20:00Z");

inline const Facts &fourWeeks()
{
    static const Facts facts = fetched(kNow, {kNow - 28 * base::kDay, kNow});
    return facts;
}

// The last `hours` of a pod's devices: whether it was below the threshold throughout, and the observed share.
struct Recent {
    bool idle = true;
    double observed = 0;
    std::uint32_t memory = 0;
    int devices = 0;
};

inline std::map<std::string, Recent> recent(const Facts &facts, base::UtcTime now, int hours)
{
    std::map<std::string, Recent> out;
    const std::int64_t last = base::toUnix(now) / 300, first = last - hours * 12;
    for (const auto &[key, buckets] : facts.series) {
        const std::string &pod = std::get<3>(key);
        if (pod.empty() || buckets.back().first < last - 12)
            continue;
        Recent &r = out[pod];
        double seconds = 0;
        for (const auto &[number, b] : buckets) {
            if (number < first)
                continue;
            seconds += b.observed;
            r.idle = r.idle && model::shareToDouble(b.activity) < kIdleThreshold;
            r.memory = std::max(r.memory, b.memoryMaxMib);
        }
        r.observed = std::max(r.observed, seconds / (hours * 3600.0));
        ++r.devices;
    }
    return out;
}

} // namespace gpuledger::tests
