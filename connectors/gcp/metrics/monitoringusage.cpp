// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/metrics/monitoringusage.h"

#include "app/base/remedy.h"
#include "connectors/gcp/billsettings.h"
#include "connectors/gcp/metrics/gatheredusage.h"
#include "connectors/gcp/metrics/monitoringrefusal.h"
#include "connectors/gcp/serviceaddress.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using format::Gauge;

namespace {

constexpr const char *kMonitoringScope = "https://www.googleapis.com/auth/monitoring.read";
// cloud.google.com/monitoring/quotas: kept as they were written for 6 weeks, then one value for 10 minutes.
constexpr base::Seconds kAgentMetricsKept{42 * 86400};
constexpr base::Seconds kProbedTime{3600};
constexpr int kPointsOfPage = 10'000; // 3 MB; Google gives ten times as many at most
constexpr int kSeriesOfPage = 1000; // without their points
constexpr std::size_t kMostSeriesPages = 1000;

// What is asked for one after the other, a metric and an aligner each.
struct AlignedGauge {
    Gauge gauge;
    std::string_view metric;
    const char *aligner;
};
constexpr std::array<AlignedGauge, 4> kAlignedGauges{{{Gauge::Utilization, kUtilizationMetric, "ALIGN_MEAN"},
                                                      {Gauge::Samples, kUtilizationMetric, "ALIGN_COUNT"},
                                                      {Gauge::MemoryMean, kMemoryMetric, "ALIGN_MEAN"},
                                                      {Gauge::MemoryMax, kMemoryMetric, "ALIGN_MAX"}}};

// Points and aligned points in (start, end].
http::Parameters seriesQuestion(std::string_view metric, const base::TimeRange &range, bool hasPoints = true)
{
    std::string filter = "metric.type=\"" + std::string(metric) + "\" AND resource.type=\"gce_instance\"";
    if (metric == kMemoryMetric)
        filter += " AND metric.labels.memory_state=\"" + std::string(kUsedMemory) + '"';
    return {{"filter", filter},
            {"interval.startTime", base::toRfc3339(range.start)},
            {"interval.endTime", base::toRfc3339(range.end)},
            {"view", hasPoints ? "FULL" : "HEADERS"},
            {"pageSize", std::to_string(hasPoints ? kPointsOfPage : kSeriesOfPage)}};
}

http::Parameters alignedQuestion(const AlignedGauge &gauge, const base::TimeRange &range)
{
    http::Parameters question = seriesQuestion(gauge.metric, range);
    question.emplace_back("aggregation.alignmentPeriod", std::to_string(base::kBucket.count()) + 's');
    question.emplace_back("aggregation.perSeriesAligner", gauge.aligner);
    return question;
}

void addOnce(std::vector<std::string> &all, std::vector<std::string> more)
{
    for (std::string &one : more) {
        if (std::find(all.begin(), all.end(), one) == all.end())
            all.push_back(std::move(one));
    }
}

ports::Finding usageFinding(ports::FindingText text, std::vector<ports::FindingTerm> terms)
{
    using Level = ports::Finding::Level;
    const Level level = text == ports::FindingText::RightGiven ? Level::Good : Level::Missing;
    return {level, text, std::move(terms), {}, {}};
}

} // namespace

MonitoringUsage::MonitoringUsage(const model::SourceSettings &settings, const std::string &project,
                                 const std::string &address, ports::SecretStore &secrets,
                                 std::shared_ptr<http::HttpClient> client, const base::Clock &realClock,
                                 const Tuning &tuning)
    : m_meter(std::make_shared<AnswerMeter>(std::move(client), address))
    , m_url(address + "/v3/projects/" + project + "/timeSeries?")
    , m_realClock(realClock)
    , m_api(settings, {"Cloud Monitoring", address, kMonitoringScope, monitoringRefusalOf}, secrets, m_meter, realClock,
            tuning)
{
}

base::Seconds MonitoringUsage::kept() const
{
    return kAgentMetricsKept;
}

Result<std::vector<std::string>> MonitoringUsage::ask(const http::Parameters &question, const Page &take,
                                                      const std::stop_token &stop)
{
    std::vector<std::string> gaps;
    std::set<std::string> tokens{""};
    for (std::string token;;) {
        http::Parameters parameters = question;
        if (!token.empty())
            parameters.emplace_back("pageToken", token);
        const auto page = m_api.ask(m_url + http::formEncode(parameters), {}, stop);
        if (!page && page.error().code == ErrorCode::NotFound && tokens.size() == 1)
            return gaps; // nothing ever reported the metric
        GPULEDGER_TRY(page);
        GPULEDGER_TRY(take(*page));
        addOnce(gaps, gapsOf(*page));
        auto next = nextPageOf(*page);
        GPULEDGER_TRY(next);
        token = std::move(*next);
        if (token.empty())
            return gaps;
        if (!tokens.insert(token).second)
            return base::fail(ErrorCode::Parse, "the pages of Cloud Monitoring's time series go in a circle",
                              base::Remedy::NextSyncTriesAgain);
        if (tokens.size() > kMostSeriesPages)
            return base::fail(ErrorCode::TooMuch,
                              "Cloud Monitoring has more than " + std::to_string(kMostSeriesPages)
                                  + " pages of time series");
    }
}

Result<ports::MeasuredUsage> MonitoringUsage::usage(const std::vector<ports::ListedMachine> &machines,
                                                    base::TimeRange range, std::stop_token stop)
{
    const std::uint64_t before = m_meter->bytes();
    const AskedInstances asked(m_numbers, machines);
    format::RejectedReadings rejected;
    rejected.add("machine without a number of its own", asked.unnumbered());
    GatheredUsage gathered(range);
    ports::MeasuredUsage out;
    for (const AlignedGauge &one : kAlignedGauges) {
        const bool isFirst = &one == kAlignedGauges.data();
        if (asked.empty() || range.empty() || (!isFirst && gathered.empty()))
            break; // without a utilization, the agent tells nothing else
        auto gaps = ask(
            alignedQuestion(one, range),
            [&](const nlohmann::json &page) {
                return readSeries(page, one.metric, asked, rejected,
                                  [&](const MonitoredValue &value) { gathered.add(one.gauge, value, rejected); });
            },
            stop);
        GPULEDGER_TRY(gaps);
        addOnce(out.warnings, std::move(*gaps));
    }
    out.gpus = gathered.take(rejected);
    out.rejected = rejected.told();
    out.complete = out.warnings.empty();
    out.bytes = m_meter->bytes() - before;
    return out;
}

Result<ports::MeasuredActivity> MonitoringUsage::activity(const std::vector<ports::ListedMachine> &machines,
                                                          const ports::ActivityQuestion &question, std::stop_token stop)
{
    const AskedInstances asked(m_numbers, machines);
    format::RejectedReadings rejected; // a series that can't be read leaves its GPU without a sample
    GatheredActivity gathered;
    const base::UtcTime now = question.at.value_or(m_realClock.now());
    if (!asked.empty()) {
        const auto gaps = ask(
            seriesQuestion(kUtilizationMetric, {format::activityFrom(question, now), now}),
            [&](const nlohmann::json &page) {
                return readSeries(page, kUtilizationMetric, asked, rejected,
                                  [&](const MonitoredValue &value) { gathered.add(value); });
            },
            stop);
        GPULEDGER_TRY(gaps);
        if (!gaps->empty())
            return base::fail(ErrorCode::Server, gaps->front(), base::Remedy::TryAgain);
    }
    ports::MeasuredActivity out;
    out.readings = gathered.take(question);
    out.now = question.at ? now : m_meter->answeredAt().value_or(m_realClock.now());
    return out;
}

Result<std::vector<ports::Finding>> MonitoringUsage::probe(const std::stop_token &stop)
{
    using Text = ports::FindingText;
    const base::UtcTime now = m_realClock.now();
    bool isReported = false;
    const auto gaps = ask(
        seriesQuestion(kUtilizationMetric, {now - kProbedTime, now}, false),
        [&](const nlohmann::json &page) -> Result<void> {
            isReported = isReported || hasSeries(page);
            return {};
        },
        stop);
    if (!gaps && gaps.error().code == ErrorCode::Forbidden)
        return std::vector{usageFinding(Text::UsageWithheld, {kUsageRight})};
    GPULEDGER_TRY(gaps);
    std::vector findings{usageFinding(Text::RightGiven, {kUsageRight})};
    if (!isReported && gaps->empty())
        findings.push_back(usageFinding(Text::NoUsageMetrics, {std::string(kUtilizationMetric), "the Ops Agent"}));
    return findings;
}

Result<std::unique_ptr<MonitoringUsage>> makeMonitoringUsage(const model::SourceSettings &settings,
                                                             ports::SecretStore &secrets, const base::Clock &realClock,
                                                             std::shared_ptr<http::HttpClient> client,
                                                             const Tuning &tuning)
{
    const auto isWanted = ports::wantsUsage(settings, true);
    GPULEDGER_TRY(isWanted);
    if (!*isWanted)
        return std::unique_ptr<MonitoringUsage>();
    const auto project = projectOf(settings);
    GPULEDGER_TRY(project);
    GPULEDGER_TRY(checkGoogleAccess(settings));
    const auto address = serviceAddress(settings.url, "monitoring");
    GPULEDGER_TRY(address);
    return std::make_unique<MonitoringUsage>(settings, *project, *address, secrets, std::move(client), realClock,
                                             tuning);
}

} // namespace gpuledger::gcp
