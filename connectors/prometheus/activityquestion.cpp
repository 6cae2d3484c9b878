// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/activityquestion.h"

#include "app/base/remedy.h"
#include "connectors/prometheus/query/discovery.h"
#include "connectors/prometheus/query/impatient.h"
#include "connectors/prometheus/query/promql.h"
#include "connectors/prometheus/usage/activityassembler.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::prometheus {

namespace {

using base::ErrorCode;
using ports::SampleTime;

constexpr base::Seconds kBefore{300}; // before the counted period: a counter needs the preceding sample

class TimeVisitor final : public format::SeriesVisitor {
public:
    void refused(std::string_view) override { }
    void series(std::span<const format::Label>, std::span<const format::Sample> samples) override
    {
        if (!samples.empty() && samples.back().value > 0 && samples.back().value < 1e11)
            at = SampleTime(std::chrono::milliseconds(std::llround(samples.back().value * 1000)));
    }
    std::optional<SampleTime> at;
};

ApiCall rawQuery(const std::string &expression, std::optional<base::UtcTime> at)
{
    if (at)
        return instantQuery(expression, *at);
    return {"query", {{"query", expression}}, true}; // evaluated now, by the server's clock
}

// The server's clock, which timestamped the samples.
base::Result<SampleTime> serverTime(Connection &connection, std::stop_token stop)
{
    TimeVisitor visitor;
    GPULEDGER_TRY(
        QueryRunner(connection, {{rawQuery("vector(time())", std::nullopt), &visitor}}, std::move(stop)).finish());
    if (!visitor.at)
        return base::fail(ErrorCode::Parse, http::shownUrl(connection.endpoint.base) + " does not report its time");
    return *visitor.at;
}

// Converts `since` from our clock to the server's: what was synced until then by our clock was on the server by its
// own.
base::UtcTime sinceAtServer(base::UtcTime since, base::UtcTime ours, SampleTime server)
{
    const base::UtcTime theirs = std::chrono::floor<base::Seconds>(server);
    return ours > theirs ? since - (ours - theirs) : since;
}

std::vector<Query> queriesOf(const std::vector<ExporterMapping> &exporters, const std::vector<RequestMetric> &requests,
                             ActivityAssembler &assembler, const std::string &window, std::optional<base::UtcTime> at)
{
    std::vector<Query> out;
    for (const ExporterMapping &exporter : exporters) {
        for (const MetricMapping &metric : exporter.metrics) {
            if (isSignal(metric.quantity))
                out.push_back({rawQuery(metric.name + window, at), &assembler.visitor(exporter, metric)});
        }
    }
    for (const RequestMetric &metric : requests)
        out.push_back({rawQuery(metric.name + window, at), &assembler.requestVisitor(metric)});
    return out;
}

std::vector<RequestMetric> present(const std::vector<RequestMetric> &all, const std::set<std::string> &names)
{
    std::vector<RequestMetric> out;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out),
                 [&](const RequestMetric &metric) { return names.contains(metric.name); });
    return out;
}

base::Result<void> whole(const Connection &connection)
{
    if (connection.warnings.empty())
        return {};
    return base::fail(ErrorCode::Server,
                      http::shownUrl(connection.endpoint.base)
                          + " reports that its response may be incomplete: " + *connection.warnings.begin());
}

} // namespace

base::Result<ports::ActivityAnswer> askActivity(Connection &connection, const Mappings &mappings,
                                                const ClusterNaming &clusters, base::UtcTime ours,
                                                const ports::ActivityQuestion &question, const LearnUnits &learn,
                                                const std::stop_token &stop)
{
    connection.retries = kImpatient;
    auto server = askServer(connection, stop);
    if (!server)
        return base::fail(std::move(server).error());
    connection.endpoint.product = server->product;
    connection.endpoint.everyReplica = true;
    if (server->product == Product::Thanos)
        connection.endpoint.maxSourceResolution = "0s"; // raw samples, not downsampled ones
    const http::Milliseconds asked = connection.pause.steadyNow();
    const auto began = question.at ? base::Result<SampleTime>(*question.at) : serverTime(connection, stop);
    GPULEDGER_TRY(began);
    const base::UtcTime now = std::chrono::ceil<base::Seconds>(*began);
    const base::UtcTime since = sinceAtServer(question.since, question.at.value_or(ours), *began);
    const base::Seconds length = std::max<base::Seconds>(ports::kActivityWindow, now - since + kBefore);
    if (length > ports::kLongestActivityWindow)
        return base::fail(ErrorCode::Unsupported, "there is a gap between the stored data and the current samples",
                          base::Remedy::SyncAndCompareClocks);
    auto names = askNames(connection, {now - length, now + base::Seconds{60}}, stop);
    if (!names)
        return base::fail(std::move(names).error());
    const std::vector<ExporterMapping> exporters = presentExporters(mappings, *names);
    const std::vector<RequestMetric> requests = present(mappings.requests, *names);
    ActivityAssembler assembler(clusters, since);
    const std::string window = '[' + promql::number(length.count()) + "s]";
    GPULEDGER_TRY(
        QueryRunner(connection, queriesOf(exporters, requests, assembler, window, question.at), stop).finish());
    GPULEDGER_TRY(whole(connection));
    const SampleTime answered = question.at ? *began : *began + (connection.pause.steadyNow() - asked); // at the latest
    const auto percent = assembler.isUnitInDoubt(question.threshold) ? learn(exporters, now) : std::set<std::string>();
    auto answer = assembler.take(percent);
    GPULEDGER_TRY(answer);
    answer->now = answered;
    return answer;
}

} // namespace gpuledger::prometheus
