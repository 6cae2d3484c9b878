// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/metrics/cloudwatchusage.h"

#include "connectors/format/gauges/minutesamples.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using format::Gauge;
using ports::FindingText;

namespace {

// CloudWatch keeps values of 5 minutes for 63 days, and those of one minute for 15.
constexpr base::Seconds kMetricsKept{63 * 86400};
// Many days are fetched with one list. A new metric takes up to 15 minutes to be listed anyway.
constexpr http::Milliseconds kListKept{3'600'000};

struct UsageStatistic {
    Gauge gauge;
    const char *metric, *statistic;
};
constexpr std::array<UsageStatistic, 5> kUsageStatistics{{
    {Gauge::Utilization, kUtilizationMetric, "Average"},
    {Gauge::Samples, kUtilizationMetric, "SampleCount"},
    {Gauge::MemoryMean, "nvidia_smi_memory_used", "Average"}, // MiB
    {Gauge::MemoryMax, "nvidia_smi_memory_used", "Maximum"},
    {Gauge::Power, "nvidia_smi_power_draw", "Average"}, // W
}};

void addRejected(const RejectedCounts &some, RejectedCounts &to)
{
    for (const auto &[reason, count] : some)
        to[reason] += count;
}

std::string partText(std::size_t part, std::size_t all)
{
    return "CloudWatch does not have everything of " + std::to_string(part) + " of " + std::to_string(all)
        + " metrics at the moment";
}

ports::Finding usageRight(bool isGiven, const std::string &right)
{
    using Level = ports::Finding::Level;
    return isGiven ? ports::Finding{Level::Good, FindingText::RightGiven, {right}, {}, {}}
                   : ports::Finding{Level::Missing, FindingText::UsageWithheld, {right}, {}, {}};
}

// The queries of the GPUs from `from` on that one question takes.
MetricQuestion usageQuestion(const std::vector<MatchedGpu> &gpus, std::size_t from, const base::TimeRange &range)
{
    MetricQuestion question{{}, range, base::kBucket};
    const std::size_t most = std::max<std::size_t>(1, mostQueries(range, base::kBucket) / kUsageStatistics.size());
    for (std::size_t i = from; i < std::min(gpus.size(), from + most); ++i) {
        for (const UsageStatistic &one : kUsageStatistics)
            question.queries.push_back({&gpus[i].metric->dimensions, one.metric, one.statistic});
    }
    return question;
}

// Of the GPU whose queries begin at `query`.
format::GaugeSeries seriesIn(const MetricAnswer &answer, std::size_t query, RejectedCounts &rejected)
{
    format::GaugeSeries series;
    for (std::size_t i = 0; i < kUsageStatistics.size(); ++i) {
        for (const auto &[bucket, value] : answer.of(query + i)) {
            if (!series.add(kUsageStatistics[i].gauge, bucket, value))
                ++rejected["value of CloudWatch that is no measurement"];
        }
    }
    return series;
}

} // namespace

CloudWatchUsage::CloudWatchUsage(AwsApi &api)
    : m_api(api)
    , m_cloud(api)
{
}

void CloudWatchUsage::setMachines(const std::vector<ports::ListedMachine> &all)
{
    m_hosts.clear();
    for (const ports::ListedMachine &one : all)
        m_hosts[one.id] = one.hostName;
}

base::Seconds CloudWatchUsage::kept() const
{
    return kMetricsKept;
}

Result<void> CloudWatchUsage::learn(const std::stop_token &stop)
{
    if (m_listedAt && m_api.steadyNow() < *m_listedAt + kListKept)
        return {};
    GpuMetrics listed;
    GPULEDGER_TRY(m_cloud.listMetrics([&](const std::string &page) { return listed.add(page); }, stop));
    m_metrics = std::move(listed);
    m_listedAt = m_api.steadyNow();
    return {};
}

Result<MetricAnswer> CloudWatchUsage::ask(const MetricQuestion &question, const std::stop_token &stop)
{
    const std::size_t queries = question.queries.size();
    MetricAnswer answer(question.range, question.period, queries);
    GPULEDGER_TRY(m_cloud.metricData(
        bodyOf(question), queries, [&](const std::string &page) { return answer.add(page); }, stop));
    return answer;
}

Result<ports::MeasuredUsage> CloudWatchUsage::usage(const std::vector<ports::ListedMachine> &machines,
                                                    base::TimeRange range, std::stop_token stop)
{
    ports::MeasuredUsage out;
    if (machines.empty() || range.empty())
        return out;
    const std::uint64_t before = m_cloud.bytes();
    GPULEDGER_TRY(learn(stop));
    RejectedCounts rejected = m_metrics.rejected();
    const std::vector<MatchedGpu> gpus = m_metrics.match(machines, m_hosts, rejected);
    GPULEDGER_TRY(addUsage(gpus, range, out, rejected, stop));
    for (const auto &[reason, count] : rejected)
        out.rejected.push_back({reason, count});
    out.bytes = m_cloud.bytes() - before;
    return out;
}

Result<void> CloudWatchUsage::addUsage(const std::vector<MatchedGpu> &gpus, const base::TimeRange &range,
                                       ports::MeasuredUsage &out, RejectedCounts &rejected, const std::stop_token &stop)
{
    const std::int64_t first = base::toUnix(range.start) / base::kBucket.count();
    const std::int64_t end = base::toUnix(range.end) / base::kBucket.count();
    std::size_t unfinished = 0;
    for (std::size_t from = 0; from < gpus.size();) {
        const MetricQuestion question = usageQuestion(gpus, from, range);
        const auto answer = ask(question, stop);
        GPULEDGER_TRY(answer);
        for (std::size_t query = 0; query < question.queries.size(); query += kUsageStatistics.size(), ++from) {
            const format::GaugeSeries series = seriesIn(*answer, query, rejected);
            if (!series.empty())
                out.gpus.push_back(series.take(gpus[from].which, first, end));
        }
        unfinished += answer->unfinished();
        addRejected(answer->rejected(), rejected);
        out.warnings.insert(out.warnings.end(), answer->messages().begin(), answer->messages().end());
    }
    if (unfinished > 0)
        out.warnings.push_back(partText(unfinished, gpus.size() * kUsageStatistics.size()));
    out.complete = out.warnings.empty();
    return {};
}

Result<ports::MeasuredActivity> CloudWatchUsage::activity(const std::vector<ports::ListedMachine> &machines,
                                                          const ports::ActivityQuestion &question, std::stop_token stop)
{
    if (!machines.empty())
        GPULEDGER_TRY(learn(stop));
    RejectedCounts rejected; // no reading: it is not known what these do
    const std::vector<MatchedGpu> gpus = m_metrics.match(machines, m_hosts, rejected);
    const base::UtcTime now = question.at.value_or(m_api.now());
    const base::TimeRange minutes = format::activityMinutes(question, now);
    ports::MeasuredActivity out;
    out.now = now;
    const std::size_t most = mostQueries(minutes, format::kMinute);
    for (std::size_t from = 0; from < gpus.size(); from += most) {
        MetricQuestion asked{{}, minutes, format::kMinute};
        for (std::size_t i = from; i < std::min(gpus.size(), from + most); ++i)
            asked.queries.push_back({&gpus[i].metric->dimensions, kUtilizationMetric, "Maximum"});
        const auto answer = ask(asked, stop);
        GPULEDGER_TRY(answer);
        // What is missing could be the sample that shows work.
        if (answer->unfinished() > 0)
            return base::fail(ErrorCode::Server, partText(answer->unfinished(), asked.queries.size()));
        if (!answer->messages().empty())
            return base::fail(ErrorCode::Server, answer->messages().front());
        if (!answer->rejected().empty())
            return base::fail(ErrorCode::Parse,
                              "CloudWatch's answer can't be read: " + answer->rejected().begin()->first);
        for (std::size_t i = 0; i < asked.queries.size(); ++i)
            out.readings.push_back(
                {gpus[from + i].which, format::activityOf(format::minuteSamples(answer->of(i), now), question)});
    }
    return out;
}

Result<std::vector<ports::Finding>> CloudWatchUsage::probe(const std::stop_token &stop)
{
    GpuMetrics some;
    const auto untilOne = [&](const std::string &page) -> Result<std::string> {
        auto next = some.add(page);
        return next && !some.all().empty() ? std::string() : next;
    };
    const auto listed = m_cloud.listMetrics(untilOne, stop);
    if (!listed && listed.error().code != ErrorCode::Forbidden)
        return base::fail(listed.error());
    std::vector<ports::Finding> findings{usageRight(listed.has_value(), "cloudwatch:ListMetrics")};
    if (listed && some.all().empty())
        findings.push_back({ports::Finding::Level::Missing,
                            FindingText::NoUsageMetrics,
                            {std::string(kUtilizationMetric), std::string("the CloudWatch agent with nvidia_gpu")},
                            {},
                            {}});
    auto right = dataRight(some.all().empty() ? MetricDimensions{} : some.all().front().dimensions, stop);
    GPULEDGER_TRY(right);
    findings.push_back(std::move(*right));
    return findings;
}

Result<ports::Finding> CloudWatchUsage::dataRight(const MetricDimensions &dimensions, const std::stop_token &stop)
{
    const base::UtcTime end = base::floorTo(m_api.now(), base::kBucket);
    const auto answer =
        ask({{{&dimensions, kUtilizationMetric, "Average"}}, {end - base::kBucket, end}, base::kBucket}, stop);
    if (!answer && answer.error().code != ErrorCode::Forbidden)
        return base::fail(answer.error());
    return usageRight(answer.has_value(), "cloudwatch:GetMetricData");
}

} // namespace gpuledger::aws
