// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/chunkfetch.h"

#include "app/base/text.h"
#include "connectors/prometheus/promql.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gpuledger::prometheus {

namespace {

constexpr std::size_t kDevicesPerRepair = 100;
constexpr std::int64_t kBucketsPerRepair = 20'000; // of series x buckets: some 200,000 samples
constexpr base::Seconds kMemoryWindow{3600};

// The usual time between two samples of a device, under whatever labels they came. Two recorders of the same thing are
// kept apart.
class IntervalVisitor final : public format::SeriesVisitor {
public:
    IntervalVisitor(UsageAssembler &usage, IntervalProbe probe)
        : m_usage(usage)
        , m_probe(std::move(probe))
    {
    }
    void begin() override { m_times.clear(); }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample> samples) override
    {
        std::string recorder;
        for (const char *name : {"instance", "prometheus", "prometheus_replica", "replica"})
            recorder += std::string(labelValue(labels, name)) + '\n';
        for (const format::Sample &sample : samples)
            m_times[recorder].push_back(sample.time);
    }
    void end() override
    {
        constexpr double kSameScrape = 0.5;
        std::vector<double> best;
        for (auto &[recorder, times] : m_times) {
            std::sort(times.begin(), times.end());
            std::vector<double> steps;
            for (std::size_t i = 1; i < times.size(); ++i) {
                if (times[i] - times[i - 1] > kSameScrape)
                    steps.push_back(times[i] - times[i - 1]);
            }
            if (steps.size() > best.size())
                best = std::move(steps);
        }
        if (best.size() < 2)
            return;
        const auto middle = best.begin() + static_cast<std::ptrdiff_t>(best.size() / 2);
        std::nth_element(best.begin(), middle, best.end());
        if (*middle <= 86400)
            m_usage.setInterval(m_probe, base::Seconds(std::max(1LL, std::llround(*middle))));
    }

private:
    UsageAssembler &m_usage;
    IntervalProbe m_probe;
    std::map<std::string, std::vector<double>> m_times;
};

class DownVisitor final : public format::SeriesVisitor {
public:
    explicit DownVisitor(std::vector<std::string> &down)
        : m_down(down)
    {
    }
    void begin() override { m_down.clear(); }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample>) override
    {
        m_down.push_back(base::printable(labelValue(labels, "instance"), 80));
    }

private:
    std::vector<std::string> &m_down;
};

} // namespace

ChunkFetch::ChunkFetch(Connection &connection, FetchPlan &plan, base::TimeRange range, base::UtcTime now,
                       std::stop_token stop)
    : m_connection(connection)
    , m_plan(plan)
    , m_range(range)
    , m_stop(std::move(stop))
    , m_usage(range, now, plan.clusters)
    , m_kube(range, now, plan.kube, plan.clusters, plan.names)
{
    m_usage.setPercentTargets(&plan.percentTargets);
    m_first = std::make_unique<QueryRunner>(m_connection, firstQueries(), m_stop);
}

// By the last character of the device's id, which every vendor spreads evenly.
std::vector<std::string> ChunkFetch::shardMatchers(const ExporterMapping &exporter) const
{
    static const std::vector<std::string> kFour{"[0-3]", "[4-7]", "[89abAB]", "[^0-9abAB]"};
    static const std::vector<std::string> kSixteen{"0", "1", "2",    "3",    "4",    "5",    "6",    "7",
                                                   "8", "9", "[aA]", "[bB]", "[cC]", "[dD]", "[eE]", "[^0-9a-eA-E]"};
    if (m_plan.shards <= 1)
        return {""};
    std::vector<std::string> out;
    const auto &classes = m_plan.shards <= 4 ? kFour : kSixteen;
    for (const std::string &ending : classes) {
        // The last part also takes the series that spell this label differently.
        const std::string rest = &ending == &classes.back() ? "|" : "";
        out.push_back(exporter.uuid.front() + "=~" + promql::quoted(".*" + ending + rest));
    }
    return out;
}

void ChunkFetch::addMetric(std::vector<Query> &out, const ExporterMapping &exporter, const MetricMapping &metric,
                           Aggregate aggregate)
{
    const char *function = aggregate == Aggregate::Mean ? "avg_over_time"
        : aggregate == Aggregate::Max                   ? "max_over_time"
                                                        : "count_over_time";
    for (const std::string &matcher : shardMatchers(exporter)) {
        out.push_back({rangeQuery(promql::overTime(function, metric.name, matcher, base::kBucket),
                                  m_range.start + base::kBucket, m_range.end, base::kBucket),
                       &m_usage.visitor(exporter, metric, aggregate)});
    }
}

void ChunkFetch::addMemory(std::vector<Query> &out, const ExporterMapping &exporter)
{
    const base::Seconds window = std::min(kMemoryWindow, m_range.length());
    for (const MetricMapping &metric : exporter.metrics) {
        const bool memory = metric.quantity == Quantity::MemoryUsed || metric.quantity == Quantity::MemoryFree
            || metric.quantity == Quantity::MemoryReserved || metric.quantity == Quantity::MemoryTotal;
        if (memory)
            out.push_back({instantQuery(promql::overTime("avg_over_time", metric.name, "", window), m_range.end),
                           &m_usage.memoryVisitor(exporter, metric)});
    }
    if (!exporter.infoMetric.empty())
        out.push_back(
            {instantQuery(promql::overTime("count_over_time", exporter.infoMetric, "", m_range.length()), m_range.end),
             &m_usage.infoVisitor(exporter)});
}

std::vector<Query> ChunkFetch::firstQueries()
{
    std::vector<Query> out;
    for (const ExporterMapping &exporter : m_plan.exporters) {
        for (const MetricMapping &metric : exporter.metrics) {
            const Quantity q = metric.quantity;
            if (q == Quantity::MemoryFree || q == Quantity::MemoryReserved || q == Quantity::MemoryTotal)
                continue;
            // Whether a ratio is one is known only when its greatest value is.
            addMetric(out, exporter, metric, metric.percentAbove ? Aggregate::Max : Aggregate::Mean);
            if (isSignal(q))
                addMetric(out, exporter, metric, Aggregate::Count);
            if (q == Quantity::MemoryUsed)
                addMetric(out, exporter, metric, Aggregate::Max);
        }
        addMemory(out, exporter);
    }
    for (Query &query : m_kube.queries())
        out.push_back(std::move(query));
    return out;
}

std::vector<Query> ChunkFetch::secondQueries()
{
    std::vector<Query> out;
    for (const ExporterMapping &exporter : m_plan.exporters) {
        for (const MetricMapping &metric : exporter.metrics) {
            if (metric.percentAbove)
                addMetric(out, exporter, metric, Aggregate::Mean);
        }
    }
    for (const IntervalProbe &probe : m_usage.intervalProbes()) {
        const std::string matchers =
            probe.uuidLabel + '=' + promql::quoted(probe.uuidText) + ",instance=" + promql::quoted(probe.instance);
        const base::UtcTime end = base::fromUnix((probe.bucketNumber + 2) * base::kBucket.count());
        m_visitors.push_back(std::make_unique<IntervalVisitor>(m_usage, probe));
        out.push_back({instantQuery(probe.metric + '{' + matchers + "}[900s]", end, true), m_visitors.back().get()});
    }
    const std::vector<std::string> jobs = m_usage.jobs();
    if (!jobs.empty() && m_plan.names.contains("up")) {
        m_visitors.push_back(std::make_unique<DownVisitor>(m_downTargets));
        out.push_back(
            {instantQuery(promql::overTime("avg_over_time", "up", "job=~" + promql::anyOf(jobs), m_range.length())
                              + " < 1",
                          m_range.end),
             m_visitors.back().get()});
    }
    for (Query &query : m_kube.followUps(m_usage.podNames()))
        out.push_back(std::move(query));
    return out;
}

std::vector<Query> ChunkFetch::repairQueries()
{
    std::vector<Query> out;
    for (const ExporterMapping &exporter : m_plan.exporters) {
        for (const MetricMapping &metric : exporter.metrics)
            addRepairs(out, exporter, metric);
    }
    return out;
}

void ChunkFetch::addRepairs(std::vector<Query> &out, const ExporterMapping &exporter, const MetricMapping &metric)
{
    struct Span {
        int first, last;
        std::string label;
    };
    std::map<std::string, Span> devices; // by the id as the server has it
    for (const Repair &repair : m_usage.repairs()) {
        if (repair.metric != &metric)
            continue;
        const SeriesIdentity &id = m_usage.series(repair.series).identity;
        const auto [it, fresh] = devices.try_emplace(id.uuidText, Span{repair.bucket, repair.bucket, id.uuidLabel});
        it->second.first = std::min(it->second.first, repair.bucket);
        it->second.last = std::max(it->second.last, repair.bucket);
    }
    std::vector<std::string> group;
    Span hull{};
    const auto flush = [&] {
        if (group.empty())
            return;
        const base::UtcTime end = m_range.start + (hull.last + 1) * base::kBucket;
        const std::int64_t seconds = (hull.last - hull.first + 1) * base::kBucket.count();
        out.push_back({instantQuery(metric.name + '{' + hull.label + "=~" + promql::anyOf(group) + "}["
                                        + promql::number(seconds) + "s]",
                                    end, true),
                       &m_usage.rawVisitor(exporter, metric)});
        group.clear();
    };
    for (const auto &[device, span] : devices) {
        const int first = group.empty() ? span.first : std::min(hull.first, span.first);
        const int last = group.empty() ? span.last : std::max(hull.last, span.last);
        const auto size = static_cast<std::int64_t>(group.size() + 1) * (last - first + 1);
        if (!group.empty()
            && (group.size() >= kDevicesPerRepair || size > kBucketsPerRepair || span.label != hull.label))
            flush();
        hull = group.empty() ? span : Span{first, last, hull.label};
        group.push_back(device);
    }
    flush();
}

base::Result<void> ChunkFetch::run(std::vector<Query> queries)
{
    return QueryRunner(m_connection, std::move(queries), m_stop).finish();
}

base::Result<ports::FactBatch> ChunkFetch::complete()
{
    m_bytesBefore = m_connection.bytes;
    GPULEDGER_TRY(m_first->finish());
    GPULEDGER_TRY(run(secondQueries()));
    GPULEDGER_TRY(run(repairQueries()));
    ports::FactBatch batch;
    batch.covered = m_range;
    m_kube.addGpuNodes(batch);
    m_usage.finish(m_kube, batch);
    m_kube.finish(batch);
    batch.complete = m_connection.warnings.empty();
    batch.warnings.assign(m_connection.warnings.begin(), m_connection.warnings.end());
    m_connection.warnings.clear();
    if (!m_downTargets.empty())
        batch.warnings.push_back(std::to_string(m_downTargets.size())
                                 + " exporter target(s) could not be scraped all the time, first " + m_downTargets[0]
                                 + ": the missing time is unobserved");
    batch.bytes = m_connection.bytes - m_bytesBefore;
    return batch;
}

} // namespace gpuledger::prometheus
