// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/chunkfetch.h"

#include "connectors/prometheus/query/impatient.h"
#include "connectors/prometheus/query/promql.h"
#include "connectors/prometheus/usage/chunkvisitors.h"
#include "connectors/prometheus/usage/signalassembler.h"
#include "connectors/prometheus/usage/writeassembler.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gpuledger::prometheus {

namespace {

constexpr std::size_t kDevicesPerRepair = 100;
constexpr std::int64_t kBucketsPerRepair = 20'000; // of series x buckets: some 200,000 samples
constexpr base::Seconds kMemoryWindow{3600};

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

// Shards by the last character of the device id, which is evenly distributed for every vendor.
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
        // The last shard also takes the series that spell this label differently.
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
            // Whether a ratio really is one can be judged only from its maximum.
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
    for (std::vector<IntervalProbe> &group : groupProbes(m_usage.intervalProbes())) {
        const IntervalProbe &first = group.front();
        std::vector<std::string> devices;
        for (const IntervalProbe &probe : group)
            devices.push_back(probe.uuidText);
        std::string matchers = first.uuidLabel + "=~" + promql::anyOf(devices);
        if (group.size() == 1)
            matchers += ",instance=" + promql::quoted(first.instance);
        const base::UtcTime end = base::fromUnix((first.bucketNumber + 2) * base::kBucket.count());
        std::string query = first.metric + '{' + matchers + "}[900s]";
        m_visitors.push_back(std::make_unique<IntervalVisitor>(m_usage, std::move(group)));
        out.push_back({instantQuery(std::move(query), end, true), m_visitors.back().get()});
    }
    const std::vector<std::string> jobs = m_usage.jobs();
    if (!jobs.empty() && m_plan.names.contains("up")) {
        m_visitors.push_back(std::make_unique<DownVisitor>(m_downTargets));
        out.push_back(
            {instantQuery(promql::overTime("avg_over_time", "up", "job=~" + promql::anyOf(jobs), m_range.length())
                              + " < 1",
                          m_range.end),
             m_visitors.back().get()});
        out.push_back({instantQuery(promql::overTime("count_over_time", "up", "pod!=\"\",job=~" + promql::anyOf(jobs),
                                                     m_range.length()),
                                    m_range.end),
                       &m_usage.targetVisitor()});
    }
    for (Query &query : m_kube.followUps(m_usage.podNames(), m_usage.claimants()))
        out.push_back(std::move(query));
    return out;
}

std::vector<Query> ChunkFetch::thirdQueries()
{
    std::vector<Query> out = m_kube.ownerQueries();
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
    std::map<std::string, Span> devices; // by the id as the server writes it
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

base::Result<bool> ChunkFetch::areAnswered(std::vector<Query> queries)
{
    const http::RetryLimits patient = std::exchange(m_connection.retries, kImpatient);
    const auto done = run(std::move(queries));
    m_connection.retries = patient;
    // A note such as "PromQL info: metric might not be a counter" doesn't say that anything is missing.
    const auto warned = std::exchange(m_connection.warnings, {});
    const bool isWhole =
        std::all_of(warned.begin(), warned.end(), [](const std::string &w) { return w.starts_with("PromQL info"); });
    if (!done && done.error().code == base::ErrorCode::Cancelled)
        return base::fail(done.error());
    return done && isWhole;
}

// Whatever fails or may be incomplete here leaves the signals unknown.
base::Result<void> ChunkFetch::addSignals(ports::FactBatch &batch)
{
    if (m_plan.withoutSignals)
        return {};
    SignalAssembler signals({m_plan.exporters, m_plan.requests, m_plan.clusters, m_plan.names}, batch);
    auto isWhole = areAnswered(signals.firstQueries());
    if (isWhole && *isWhole)
        isWhole = areAnswered(signals.hostQueries());
    GPULEDGER_TRY(isWhole);
    m_plan.withoutSignals = !*isWhole;
    if (*isWhole)
        signals.finish(batch);
    return {};
}

base::Result<void> ChunkFetch::addWrites(ports::FactBatch &batch)
{
    if (m_plan.withoutWrites)
        return {};
    WriteAssembler writes(m_plan.clusters, m_plan.names, batch);
    const auto isWhole = areAnswered(writes.queries());
    GPULEDGER_TRY(isWhole);
    m_plan.withoutWrites = !*isWhole;
    if (*isWhole)
        writes.finish(batch);
    return {};
}

base::Result<ports::FactBatch> ChunkFetch::complete()
{
    m_bytesBefore = m_connection.bytes;
    GPULEDGER_TRY(m_first->finish());
    GPULEDGER_TRY(run(secondQueries()));
    GPULEDGER_TRY(run(thirdQueries()));
    ports::FactBatch batch;
    batch.covered = m_range;
    m_kube.addGpuNodes(batch);
    m_usage.finish(m_kube, batch);
    m_kube.finish(batch);
    m_connection.warnings.insert(m_plan.partial.begin(), m_plan.partial.end());
    batch.complete = m_connection.warnings.empty();
    batch.warnings.assign(m_connection.warnings.begin(), m_connection.warnings.end());
    batch.warnings.insert(batch.warnings.end(), m_plan.notes.begin(), m_plan.notes.end());
    m_plan.notes.clear();
    m_connection.warnings.clear();
    if (!m_downTargets.empty())
        batch.warnings.push_back(std::to_string(m_downTargets.size())
                                 + " exporter target(s) could not be scraped all the time, first " + m_downTargets[0]
                                 + ": the missing time is unobserved");
    if (empty() && !batch.rejected.empty())
        batch.warnings.push_back("no series could be used (" + batch.rejected.front().reason
                                 + "): `sources test` says why, and what to do");
    GPULEDGER_TRY(addSignals(batch));
    GPULEDGER_TRY(addWrites(batch));
    batch.bytes = m_connection.bytes - m_bytesBefore;
    return batch;
}

} // namespace gpuledger::prometheus
