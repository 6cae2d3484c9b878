// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/prometheussource.h"

#include "app/base/remedy.h"
#include "connectors/auth/credentials.h"
#include "connectors/prometheus/activityquestion.h"
#include "connectors/prometheus/probe/prober.h"
#include "connectors/prometheus/probe/unitcheck.h"
#include "connectors/prometheus/query/discovery.h"
#include "connectors/prometheus/query/promql.h"
#include "connectors/prometheus/queue/waitingquestion.h"
#include "connectors/prometheus/seriesquestion.h"

#include <algorithm>
#include <utility>

namespace gpuledger::prometheus {

namespace {

using base::ErrorCode;

constexpr int kMaxShards = 16;
constexpr base::Seconds kEstimateWindow{3600};
constexpr base::Seconds kUnitWindow{86400}; // a shorter window may only show an idle fleet
constexpr base::Seconds kUnitsKeep{6 * 3600}; // units are checked again after this time
constexpr std::int64_t kGuessedSeries = 1'000; // for servers that cannot count

class CountVisitor final : public format::SeriesVisitor {
public:
    void refused(std::string_view) override { }
    void series(std::span<const format::Label>, std::span<const format::Sample> samples) override
    {
        if (!samples.empty() && samples.back().value > 0 && samples.back().value < 1e9)
            m_count = std::max(m_count, static_cast<std::int64_t>(samples.back().value));
    }
    std::int64_t count() const { return m_count; }

private:
    std::int64_t m_count = 0;
};

base::TimeRange onBuckets(base::TimeRange range, base::UtcTime now)
{
    return {base::floorTo(range.start, base::kBucket),
            std::min(base::ceilTo(range.end, base::kBucket), base::floorTo(now, base::kBucket))};
}

constexpr base::Seconds kUsualTimeout{55}; // the timeout that the defaults of Tuning were chosen for
constexpr http::Milliseconds kLateNotice{3'000}; // leaves time to report the silence and to send one more query
constexpr http::Milliseconds kLeastWait{1'000}; // libcurl measures silence in whole seconds

} // namespace

Tuning Tuning::forTimeout(base::Seconds timeout)
{
    Tuning tuning;
    const auto scaled = [&](http::Milliseconds time) {
        return std::max(kLeastWait, time * timeout.count() / kUsualTimeout.count());
    };
    tuning.timeouts = {scaled(tuning.timeouts.connect), scaled(tuning.timeouts.silent), timeout};
    tuning.patience = std::max(scaled(tuning.patience), tuning.timeouts.silent + kLateNotice);
    return tuning;
}

PrometheusSource::PrometheusSource(model::SourceSettings settings, Mappings mappings, ports::SecretStore &secrets,
                                   const base::Clock &clock, std::shared_ptr<http::HttpClient> client, Tuning tuning,
                                   std::shared_ptr<http::Pause> pause)
    : m_settings(std::move(settings))
    , m_mappings(std::move(mappings))
    , m_secrets(secrets)
    , m_clock(clock)
    , m_client(std::move(client))
    , m_tuning(tuning)
    , m_pause(std::move(pause))
{
}

base::Result<std::unique_ptr<Connection>> PrometheusSource::connect()
{
    if (m_clock.now() < m_notBefore) {
        return base::fail(ErrorCode::RateLimited,
                          http::shownUrl(m_settings.url) + " is rate limited until " + base::toRfc3339(m_notBefore),
                          base::Remedy::WaitForServer);
    }
    auto credentials = auth::resolve(m_settings.auth, m_secrets);
    if (!credentials)
        return base::fail(std::move(credentials).error());
    auto connection = std::make_unique<Connection>(*m_client, m_tuning.retries, *m_pause);
    connection->renew = [this] { return auth::resolve(m_settings.auth, m_secrets); };
    Endpoint &endpoint = connection->endpoint;
    endpoint.base = m_settings.url;
    while (endpoint.base.ends_with('/'))
        endpoint.base.pop_back();
    endpoint.headers.assign(m_settings.headers.begin(), m_settings.headers.end());
    endpoint.caFile = m_settings.caFile;
    endpoint.credentials = std::move(*credentials);
    endpoint.timeouts = m_tuning.timeouts;
    connection->lastAnswer = m_pause->steadyNow();
    return connection;
}

base::Error PrometheusSource::explained(base::Error error, const Connection *connection)
{
    if (error.code == ErrorCode::RateLimited && connection && connection->asksToWait.count() > 0) {
        m_notBefore = m_clock.now() + connection->asksToWait;
        error.text = http::shownUrl(m_settings.url) + " is rate limited until " + base::toRfc3339(m_notBefore);
    }
    return std::move(error).withSource(m_settings.name);
}

base::Result<FetchPlan> PrometheusSource::discover(Connection &connection, base::TimeRange range,
                                                   const std::stop_token &stop)
{
    auto server = askServer(connection, stop);
    if (!server)
        return base::fail(std::move(server).error());
    connection.endpoint.product = server->product;
    GPULEDGER_TRY(askStores(connection, stop));
    auto names = askSomeNames(connection, range, stop);
    if (!names)
        return base::fail(std::move(names).error());
    FetchPlan plan;
    plan.exporters = presentExporters(m_mappings, *names);
    plan.kube = m_mappings.kube;
    plan.requests = m_mappings.requests;
    plan.clusters = {m_settings.cluster, m_settings.clusterLabel, m_settings.name};
    plan.names = std::move(*names);
    plan.partial = std::exchange(connection.warnings, {}); // a missing name is missing in every chunk
    learnUnits(connection, plan, range, stop);
    return plan;
}

void PrometheusSource::learnUnits(Connection &connection, FetchPlan &plan, base::TimeRange range, std::stop_token stop)
{
    plan.percentTargets = m_percentTargets;
    const base::UtcTime now = m_clock.now();
    if (range.length() < kUnitWindow && now - m_unitsLearned < kUnitsKeep)
        return;
    m_unitsLearned = now;
    range.start = std::min(range.start, range.end - kUnitWindow);
    const auto doubts = checkUnits(connection, plan.exporters, range, std::move(stop));
    if (!doubts)
        return; // the server cannot answer it: each chunk is judged by its own values
    for (const UnitDoubt &doubt : *doubts) {
        plan.notes.push_back(doubt.text());
        if (doubt.kind != UnitDoubt::Kind::PercentNamedRatio)
            continue;
        for (const std::string &instance : doubt.instances)
            plan.percentTargets.insert(UsageAssembler::percentKey(doubt.metric, instance));
    }
    m_percentTargets = plan.percentTargets;
}

std::int64_t PrometheusSource::estimateSeries(Connection &connection, const FetchPlan &plan, base::TimeRange range,
                                              std::stop_token stop) const
{
    std::vector<Query> queries;
    std::vector<std::unique_ptr<CountVisitor>> counts;
    std::vector<std::size_t> exporterOf;
    for (std::size_t e = 0; e < plan.exporters.size(); ++e) {
        for (const MetricMapping &metric : plan.exporters[e].metrics) {
            if (!isSignal(metric.quantity))
                continue;
            for (const base::UtcTime at : {std::min(range.end, range.start + kEstimateWindow), range.end}) {
                counts.push_back(std::make_unique<CountVisitor>());
                exporterOf.push_back(e);
                queries.push_back(
                    {instantQuery(
                         "count(" + promql::overTime("count_over_time", metric.name, "", kEstimateWindow) + ')', at),
                     counts.back().get()});
            }
        }
    }
    if (!QueryRunner(connection, std::move(queries), std::move(stop)).finish())
        return kGuessedSeries;
    std::vector<std::int64_t> most(plan.exporters.size(), 0);
    for (std::size_t i = 0; i < counts.size(); ++i)
        most[exporterOf[i]] = std::max(most[exporterOf[i]], counts[i]->count());
    std::int64_t total = 0;
    for (const std::int64_t one : most)
        total += one;
    return std::max<std::int64_t>(total, 1);
}

base::Result<ports::ProbeReport> PrometheusSource::probe(std::stop_token stop)
{
    auto connection = connect();
    if (!connection)
        return base::fail(explained(std::move(connection).error(), nullptr));
    Prober prober(**connection, m_mappings, {m_settings.cluster, m_settings.clusterLabel, m_settings.name},
                  m_clock.now());
    auto report = prober.run(std::move(stop));
    if (!report)
        return base::fail(explained(std::move(report).error(), connection->get()));
    return report;
}

base::Result<void> PrometheusSource::fetch(base::TimeRange range, ports::FactSink &sink, std::stop_token stop)
{
    range = onBuckets(range, m_clock.now());
    if (range.empty())
        return {};
    auto connection = connect();
    if (!connection)
        return base::fail(explained(std::move(connection).error(), nullptr));
    auto done = fetchAll(**connection, range, sink, std::move(stop));
    if (!done)
        return base::fail(explained(std::move(done).error(), connection->get()));
    return {};
}

base::Result<ports::SeriesAnswer> PrometheusSource::series(const ports::SeriesQuestion &question, std::stop_token stop)
{
    auto connection = connect();
    if (!connection)
        return base::fail(explained(std::move(connection).error(), nullptr));
    auto answer = askSeries(**connection, question, std::move(stop));
    if (!answer)
        return base::fail(explained(std::move(answer).error(), connection->get()));
    return answer;
}

base::Result<ports::ActivityAnswer> PrometheusSource::newestActivity(const ports::ActivityQuestion &question,
                                                                     std::stop_token stop)
{
    auto connection = connect();
    if (!connection)
        return base::fail(explained(std::move(connection).error(), nullptr));
    const auto learn = [&](const std::vector<ExporterMapping> &exporters, base::UtcTime now) {
        FetchPlan plan;
        plan.exporters = exporters;
        learnUnits(**connection, plan, {now - kUnitWindow, now}, stop);
        return plan.percentTargets;
    };
    auto answer = askActivity(**connection, m_mappings, {m_settings.cluster, m_settings.clusterLabel, m_settings.name},
                              m_clock.now(), question, learn, stop);
    if (!answer)
        return base::fail(explained(std::move(answer).error(), connection->get()));
    return answer;
}

base::Result<model::WaitingFacts> PrometheusSource::waitingAt(base::UtcTime at, std::stop_token stop)
{
    auto connection = connect();
    if (!connection)
        return base::fail(explained(std::move(connection).error(), nullptr));
    auto facts = askWaiting(**connection, m_mappings.kube,
                            {m_settings.cluster, m_settings.clusterLabel, m_settings.name}, at, stop);
    if (!facts)
        return base::fail(explained(std::move(facts).error(), connection->get()));
    return facts;
}

std::optional<base::Error> PrometheusSource::narrow(const base::Error &error, base::TimeRange chunk,
                                                    ChunkPlanner &planner, FetchPlan &plan,
                                                    const Connection &connection) const
{
    if (!wantsSmaller(error))
        return error;
    if (error.code == ErrorCode::Timeout && m_pause->steadyNow() - connection.lastAnswer > m_tuning.patience)
        return error;
    if (planner.halve(chunk))
        return std::nullopt;
    if (plan.shards >= kMaxShards)
        return error;
    plan.shards *= 4;
    planner.again(chunk);
    return std::nullopt;
}

base::Result<ports::FactBatch> PrometheusSource::completed(ChunkFetch &chunk, Connection &connection, FetchPlan &plan,
                                                           const std::stop_token &stop)
{
    auto batch = chunk.complete();
    if (!batch || !chunk.empty() || connection.endpoint.product != Product::Thanos)
        return batch;
    // Raw blocks may be gone after their retention while the downsampled ones remain.
    for (const char *resolution : {"5m", "1h"}) {
        connection.endpoint.maxSourceResolution = resolution;
        ChunkFetch again(connection, plan, chunk.range(), m_clock.now(), stop);
        again.start();
        batch = again.complete();
        if (!batch || !again.empty())
            break;
    }
    connection.endpoint.maxSourceResolution.clear();
    return batch;
}

base::Result<void> PrometheusSource::fetchAll(Connection &connection, base::TimeRange range, ports::FactSink &sink,
                                              std::stop_token stop)
{
    auto plan = discover(connection, range, stop);
    if (!plan)
        return base::fail(std::move(plan).error());
    const bool kube =
        plan->names.contains("kube_node_info") || plan->names.contains("kube_pod_container_resource_requests");
    if (plan->exporters.empty() && !kube) {
        return base::fail(ErrorCode::Unsupported,
                          http::shownUrl(m_settings.url) + " has no metrics of a known GPU exporter in this time range",
                          base::Remedy::StartExporter);
    }
    ChunkPlanner planner(range, estimateSeries(connection, *plan, range, stop), m_tuning.targetPoints);
    const auto begin = [&](std::optional<base::TimeRange> piece) {
        auto chunk = piece ? std::make_unique<ChunkFetch>(connection, *plan, *piece, m_clock.now(), stop) : nullptr;
        if (chunk)
            chunk->start();
        return chunk;
    };
    ports::FetchProgress progress;
    progress.total = range;
    for (auto chunk = begin(planner.next()); chunk;) {
        auto batch = completed(*chunk, connection, *plan, stop);
        if (!batch) {
            if (auto error = narrow(batch.error(), chunk->range(), planner, *plan, connection))
                return base::fail(std::move(*error));
            chunk.reset();
            chunk = begin(planner.next());
            continue;
        }
        chunk.reset();
        auto following = begin(planner.next()); // the network works while the store does
        progress.doneTo = batch->covered.end;
        progress.bytes = connection.bytes;
        progress.buckets += batch->acceptedSamples;
        GPULEDGER_TRY(sink.accept(std::move(*batch)));
        sink.progress(progress);
        chunk = std::move(following);
    }
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "cancelled");
    return {};
}

base::Result<std::unique_ptr<ports::TelemetrySource>>
makePrometheusSource(const model::SourceSettings &settings, const std::vector<model::ExporterMappingText> &exporters,
                     ports::SecretStore &secrets, const base::Clock &clock, std::shared_ptr<http::HttpClient> client)
{
    if (settings.url.empty())
        return base::fail(ErrorCode::InvalidConfig, "source \"" + settings.name + "\" has no url",
                          base::Remedy::AddPrometheusUrl);
    if (auto url = http::parseUrl(settings.url); !url)
        return base::fail(std::move(url).error().withSource(settings.name));
    base::Seconds timeout = kUsualTimeout;
    if (const auto option = settings.options.find("timeout"); option != settings.options.end()) {
        const auto wanted = base::parseDuration(option->second);
        GPULEDGER_TRY(wanted);
        timeout = *wanted;
    }
    auto mappings = loadMappings(exporters);
    if (!mappings)
        return base::fail(std::move(mappings).error().withSource(settings.name));
    return std::make_unique<PrometheusSource>(settings, std::move(*mappings), secrets, clock, std::move(client),
                                              Tuning::forTimeout(timeout));
}

} // namespace gpuledger::prometheus
