// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "app/ports/telemetrysource.h"
#include "app/ports/waitingsource.h"
#include "connectors/http/httpclient.h"
#include "connectors/http/retrypolicy.h"
#include "connectors/prometheus/chunkfetch.h"
#include "connectors/prometheus/chunkplanner.h"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace gpuledger::prometheus {

// Limits that tests reduce.
struct Tuning {
    http::Timeouts timeouts;
    http::RetryLimits retries;
    std::int64_t targetPoints = kTargetPoints;
    // After a timeout, smaller queries are sent until there has been no answer for this long.
    http::Milliseconds patience{30'000};

    // Scales the waiting times to the longest time that one answer may take; the defaults fit 55 s.
    static Tuning forTimeout(base::Seconds timeout);
};

// A Prometheus-compatible server as a source of usage, holders, nodes and waiting jobs. Threads: see
// ports::TelemetrySource.
class PrometheusSource final : public ports::TelemetrySource, public ports::WaitingSource {
public:
    PrometheusSource(model::SourceSettings settings, Mappings mappings, ports::SecretStore &secrets,
                     const base::Clock &clock, std::shared_ptr<http::HttpClient> client, Tuning tuning = {},
                     std::shared_ptr<http::Pause> pause = std::make_shared<http::SystemPause>());

    const std::string &name() const override { return m_settings.name; }
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    [[nodiscard]] base::Result<void> fetch(base::TimeRange range, ports::FactSink &sink, std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::SeriesAnswer> series(const ports::SeriesQuestion &question,
                                                           std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ActivityAnswer> newestActivity(const ports::ActivityQuestion &question,
                                                                     std::stop_token stop) override;
    ports::WaitingSource *waiting() override { return this; }
    [[nodiscard]] base::Result<model::WaitingFacts> waitingAt(base::UtcTime at, std::stop_token stop) override;

private:
    base::Result<std::unique_ptr<Connection>> connect();
    base::Result<FetchPlan> discover(Connection &connection, base::TimeRange range, const std::stop_token &stop);
    void learnUnits(Connection &connection, FetchPlan &plan, base::TimeRange range, std::stop_token stop);
    base::Result<void> fetchAll(Connection &connection, base::TimeRange range, ports::FactSink &sink,
                                std::stop_token stop);
    base::Result<ports::FactBatch> completed(ChunkFetch &chunk, Connection &connection, FetchPlan &plan,
                                             const std::stop_token &stop);
    // Handles a refusal of `chunk`. Returns std::nullopt if smaller queries were planned.
    std::optional<base::Error> narrow(const base::Error &error, base::TimeRange chunk, ChunkPlanner &planner,
                                      FetchPlan &plan, const Connection &connection) const;
    std::int64_t estimateSeries(Connection &connection, const FetchPlan &plan, base::TimeRange range,
                                std::stop_token stop) const;
    base::Error explained(base::Error error, const Connection *connection);

    model::SourceSettings m_settings;
    Mappings m_mappings;
    ports::SecretStore &m_secrets;
    const base::Clock &m_clock;
    std::shared_ptr<http::HttpClient> m_client;
    Tuning m_tuning;
    std::shared_ptr<http::Pause> m_pause;
    std::set<std::string> m_percentTargets; // FetchPlan::percentTargets of earlier fetches
    base::UtcTime m_unitsLearned{};
    base::UtcTime m_notBefore{}; // the server asked not to be queried before this time
};

// For the catalogue, whose sources share one `client`. Fails with InvalidConfig (url missing or wrong, or a wrong
// mapping).
[[nodiscard]] base::Result<std::unique_ptr<ports::TelemetrySource>>
makePrometheusSource(const model::SourceSettings &settings, const std::vector<model::ExporterMappingText> &exporters,
                     ports::SecretStore &secrets, const base::Clock &clock, std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::prometheus
