// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/kube/kubeassembler.h"
#include "connectors/prometheus/query/queryrunner.h"
#include "connectors/prometheus/usage/usageassembler.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::prometheus {

// The knowledge about the server that all chunks of a fetch share.
struct FetchPlan {
    std::vector<ExporterMapping> exporters; // those present on the server
    KubeMapping kube;
    std::vector<RequestMetric> requests;
    ClusterNaming clusters;
    std::set<std::string> names; // of metrics
    std::set<std::string> percentTargets; // UsageAssembler::percentKey()
    std::set<std::string> partial; // server warnings from before the first chunk, about incomplete answers
    std::vector<std::string> notes; // messages for the user, reported once
    bool withoutSignals = false; // the server failed to answer a query about them: they are not known
    bool withoutWrites = false; // the same of what pods write
    int shards = 1; // a bucket that is still too large is queried in parts: 1, 4 or 16
};

// Fetches one stretch of time, from the first query to the facts. start() only sends; complete() reads the answers,
// sends the follow-up queries and assembles the result. Owned by the fetch and used on its thread.
class ChunkFetch {
public:
    ChunkFetch(Connection &connection, FetchPlan &plan, base::TimeRange range, base::UtcTime now, std::stop_token stop);

    void start() { m_first->start(); }
    // Fails as QueryRunner::finish.
    [[nodiscard]] base::Result<ports::FactBatch> complete();
    base::TimeRange range() const { return m_range; }
    bool empty() const { return m_usage.seriesCount() == 0; }

private:
    std::vector<Query> firstQueries();
    void addMetric(std::vector<Query> &out, const ExporterMapping &exporter, const MetricMapping &metric,
                   Aggregate aggregate);
    void addMemory(std::vector<Query> &out, const ExporterMapping &exporter);
    std::vector<Query> secondQueries();
    std::vector<Query> thirdQueries();
    void addRepairs(std::vector<Query> &out, const ExporterMapping &exporter, const MetricMapping &metric);
    base::Result<void> run(std::vector<Query> queries);
    // Whether these queries, which are not asked twice, were answered as a whole. Fails with Cancelled only.
    base::Result<bool> areAnswered(std::vector<Query> queries);
    base::Result<void> addSignals(ports::FactBatch &batch); // fails with Cancelled only, as the next
    base::Result<void> addWrites(ports::FactBatch &batch);
    std::vector<std::string> shardMatchers(const ExporterMapping &exporter) const;

    Connection &m_connection;
    FetchPlan &m_plan;
    base::TimeRange m_range;
    std::stop_token m_stop;
    std::uint64_t m_bytesBefore = 0;
    UsageAssembler m_usage;
    KubeAssembler m_kube;
    std::vector<std::unique_ptr<format::SeriesVisitor>> m_visitors;
    std::vector<std::string> m_downTargets;
    std::unique_ptr<QueryRunner> m_first;
};

} // namespace gpuledger::prometheus
