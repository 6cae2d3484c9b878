// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/activityassembler.h"

#include "connectors/prometheus/usage/cellwriter.h"
#include "connectors/prometheus/usage/usageassembler.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::prometheus {

using ports::ActivityReading;
using ports::RequestReading;
using ports::SampleTime;

namespace {

using Samples = std::span<const format::Sample>;

SampleTime timeOf(const format::Sample &sample)
{
    constexpr double kMost = 1e14; // the milliseconds of the year 5000
    const double milliseconds = sample.time * 1000;
    return SampleTime(std::chrono::milliseconds(
        std::isfinite(milliseconds) ? std::llround(std::clamp(milliseconds, -kMost, kMost)) : 0));
}

std::vector<SampleTime> timesOf(Samples samples)
{
    std::vector<SampleTime> times;
    times.reserve(samples.size());
    for (const format::Sample &sample : samples)
        times.push_back(timeOf(sample));
    std::sort(times.begin(), times.end());
    return times;
}

// The time from which samples count. If there are too few samples to derive the scrape interval, all of them count.
SampleTime countingFrom(SampleTime newest, std::chrono::milliseconds interval, base::UtcTime since)
{
    return interval.count() == 0 ? SampleTime{} : std::min<SampleTime>(since, newest - 2 * interval);
}

bool isExporter(const SeriesIdentity &identity, const SubjectCandidate &subject)
{
    const auto has = [](const std::string &text) { return text.find("exporter") != std::string::npos; };
    return !subject.exported && (has(identity.container) || has(subject.name));
}

} // namespace

class ActivityAssembler::Visitor final : public format::SeriesVisitor {
public:
    Visitor(ActivityAssembler &owner, const ExporterMapping &exporter, const MetricMapping &metric)
        : m_owner(owner)
        , m_exporter(exporter)
        , m_metric(metric)
    {
    }
    void begin() override { m_rows.clear(); }
    void refused(std::string_view reason) override { m_owner.m_refused = reason; }
    void series(std::span<const format::Label> labels, Samples samples) override
    {
        std::string_view reason;
        if (samples.empty())
            return;
        if (auto identity = identify(m_exporter, m_owner.m_clusters, labels, reason))
            m_rows.push_back(m_owner.rowOf(m_metric, std::move(*identity), samples));
    }
    void end() override
    {
        std::move(m_rows.begin(), m_rows.end(), std::back_inserter(m_owner.m_rows));
        m_rows.clear();
    }

private:
    ActivityAssembler &m_owner;
    const ExporterMapping &m_exporter;
    const MetricMapping &m_metric;
    std::vector<Row> m_rows;
};

class ActivityAssembler::RequestVisitor final : public format::SeriesVisitor {
public:
    RequestVisitor(ActivityAssembler &owner, const RequestMetric &metric)
        : m_owner(owner)
        , m_metric(metric)
    {
    }
    void begin() override { m_read.clear(); }
    void refused(std::string_view reason) override { m_owner.m_refused = reason; }
    void series(std::span<const format::Label> labels, Samples samples) override
    {
        RequestReading reading;
        reading.pod = exportedOr(labels, "exported_pod", "pod");
        reading.nameSpace = exportedOr(labels, "exported_namespace", "namespace");
        if (samples.empty() || reading.pod.empty())
            return;
        reading.cluster = m_owner.m_clusters.of(labels);
        const std::vector<SampleTime> times = timesOf(samples);
        reading.newest = times.back();
        reading.interval = ports::scrapeInterval(times);
        const SampleTime from = countingFrom(reading.newest, reading.interval, m_owner.m_since);
        // A counter that first appears with a non-zero value was incremented at that moment; if it starts before the
        // counted period, it was not.
        double before = 0;
        for (const format::Sample &sample : samples) {
            const bool shows =
                m_metric.isGauge ? sample.value > 0 : std::isfinite(sample.value) && sample.value != before;
            if (shows && timeOf(sample) >= from)
                reading.served = std::max(reading.served.value_or(SampleTime{}), timeOf(sample));
            before = std::isfinite(sample.value) ? sample.value : before;
        }
        m_read.push_back(std::move(reading));
    }
    void end() override
    {
        std::move(m_read.begin(), m_read.end(), std::back_inserter(m_owner.m_requests));
        m_read.clear();
    }

private:
    ActivityAssembler &m_owner;
    const RequestMetric &m_metric;
    std::vector<RequestReading> m_read;
};

format::SeriesVisitor &ActivityAssembler::visitor(const ExporterMapping &exporter, const MetricMapping &metric)
{
    m_visitors.push_back(std::make_unique<Visitor>(*this, exporter, metric));
    return *m_visitors.back();
}

format::SeriesVisitor &ActivityAssembler::requestVisitor(const RequestMetric &metric)
{
    m_visitors.push_back(std::make_unique<RequestVisitor>(*this, metric));
    return *m_visitors.back();
}

ActivityAssembler::Read ActivityAssembler::readAs(const MetricMapping &metric, Unit unit, Samples samples,
                                                  SampleTime from) const
{
    const CellWriter writer(metric, Aggregate::Mean, unit == Percent);
    Read out;
    for (const format::Sample &sample : samples) {
        if (!writer.plausible(sample.value))
            continue; // blank, NaN or infinite: not a measurement
        const ActivityReading::Sample one{timeOf(sample), std::min(1.0, writer.scaled(sample.value))};
        if (!out.newest || one.at >= out.newest->at)
            out.newest = one;
        if (one.at >= from && (!out.most || one.share >= out.most->share))
            out.most = one;
    }
    return out;
}

ActivityAssembler::Row ActivityAssembler::rowOf(const MetricMapping &metric, SeriesIdentity identity,
                                                Samples samples) const
{
    Row row;
    row.metric = &metric;
    row.instance = std::move(identity.instance);
    ActivityReading &reading = row.reading;
    reading.signal = signalOf(static_cast<int>(metric.quantity));
    for (SubjectCandidate &subject : identity.subjects) {
        if (!isExporter(identity, subject))
            reading.holders.push_back({subject.kind, std::move(subject.nameSpace), std::move(subject.name)});
    }
    reading.cluster = std::move(identity.cluster);
    reading.uuid = std::move(identity.uuid);
    reading.gpuInstance = std::move(identity.gpuInstance);
    reading.nodes = std::move(identity.nodes);
    if (!identity.address.empty())
        reading.nodes.push_back(std::move(identity.address));
    const std::vector<SampleTime> times = timesOf(samples);
    reading.samples = times.size();
    reading.interval = ports::scrapeInterval(times);
    const SampleTime from = countingFrom(times.back(), reading.interval, m_since);
    row.as[Promised] = readAs(metric, Promised, samples, from);
    if (metric.percentAbove) {
        row.as[Percent] = readAs(metric, Percent, samples, from);
        row.isPercent = std::any_of(samples.begin(), samples.end(), [&](const format::Sample &sample) {
            return CellWriter(metric, Aggregate::Mean, true).plausible(sample.value)
                && sample.value > *metric.percentAbove;
        });
    }
    return row;
}

std::set<std::string> ActivityAssembler::percentKeys() const
{
    std::set<std::string> keys;
    for (const Row &row : m_rows) {
        if (row.isPercent)
            keys.insert(UsageAssembler::percentKey(row.metric->name, row.instance));
    }
    return keys;
}

bool ActivityAssembler::isUnitInDoubt(double threshold) const
{
    const std::set<std::string> known = percentKeys();
    return std::any_of(m_rows.begin(), m_rows.end(), [&](const Row &row) {
        return row.metric->percentAbove && row.as[Promised].most && row.as[Promised].most->share >= threshold
            && !known.contains(UsageAssembler::percentKey(row.metric->name, row.instance));
    });
}

base::Result<ports::ActivityAnswer> ActivityAssembler::take(const std::set<std::string> &percentTargets)
{
    if (!m_refused.empty())
        return base::fail(base::ErrorCode::Parse, "a series in the response can't be read: " + m_refused);
    std::set<std::string> percent = percentKeys();
    percent.insert(percentTargets.begin(), percentTargets.end());
    ports::ActivityAnswer answer;
    for (Row &row : m_rows) {
        const bool isPercent =
            row.metric->percentAbove && percent.contains(UsageAssembler::percentKey(row.metric->name, row.instance));
        row.reading.newest = row.as[isPercent ? Percent : Promised].newest;
        row.reading.most = row.as[isPercent ? Percent : Promised].most;
        answer.readings.push_back(std::move(row.reading));
    }
    answer.requests = std::move(m_requests);
    m_rows.clear();
    return answer;
}

} // namespace gpuledger::prometheus
