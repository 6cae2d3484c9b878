// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/metrics/cloudwatchusage.h"

#include "connectors/format/gauges/minutesamples.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <utility>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using ports::FindingText;

namespace {

// CloudWatch keeps values of 5 minutes for 63 days, and those of one minute for 15.
constexpr base::Seconds kMetricsKept{63 * 86400};

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

// The queries of the meters from `from` on that one question takes.
MetricQuestion usageQuestion(const std::vector<GpuMeter> &meters, std::size_t from, const base::TimeRange &range)
{
    MetricQuestion question{{}, range, base::kBucket};
    const std::size_t most = mostQueries(range, base::kBucket);
    for (std::size_t i = from; i < meters.size(); ++i) {
        const MeterKind &kind = *meters[i].kind;
        if (i > from && question.queries.size() + kind.statistics.size() > most)
            break;
        for (const UsageStatistic &one : kind.statistics)
            question.queries.push_back({{kind.utilization.nameSpace, one.metric}, meters[i].dimensions, one.statistic});
    }
    return question;
}

// Of the meter whose queries begin at `query`.
format::GaugeSeries seriesIn(const MetricAnswer &answer, std::size_t query, const GpuMeter &meter,
                             RejectedCounts &rejected)
{
    format::GaugeSeries series;
    for (const UsageStatistic &one : meter.kind->statistics) {
        for (const auto &[bucket, value] : answer.of(query++)) {
            if (!isInTime(meter, base::fromUnix(bucket * base::kBucket.count())))
                continue;
            if (!series.add(one.gauge, bucket, gaugeOf(meter, one.gauge, value)))
                ++rejected["value of CloudWatch that is no measurement"];
        }
    }
    return series;
}

// As format::minuteSamples(), with what the busiest GPU can have done.
std::vector<format::GaugeSample> samplesIn(const MetricAnswer::Values &minutes, const GpuMeter &meter,
                                           base::UtcTime now)
{
    MetricAnswer::Values busiest;
    for (const auto &[minute, value] : minutes)
        busiest.emplace(minute, busiestOf(meter, value));
    return format::minuteSamples(busiest, now);
}

} // namespace

CloudWatchUsage::CloudWatchUsage(AwsApi &api)
    : m_api(api)
    , m_cloud(api)
    , m_lists(api, m_cloud)
{
}

base::Seconds CloudWatchUsage::kept() const
{
    return kMetricsKept;
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
    RejectedCounts rejected;
    const auto meters = m_lists.of(machines, rejected, stop);
    GPULEDGER_TRY(meters);
    GPULEDGER_TRY(addUsage(*meters, range, out, rejected, stop));
    for (const auto &[reason, count] : rejected)
        out.rejected.push_back({reason, count});
    out.bytes = m_cloud.bytes() - before;
    return out;
}

Result<void> CloudWatchUsage::addUsage(const std::vector<GpuMeter> &meters, const base::TimeRange &range,
                                       ports::MeasuredUsage &out, RejectedCounts &rejected, const std::stop_token &stop)
{
    const std::int64_t first = base::toUnix(range.start) / base::kBucket.count();
    const std::int64_t end = base::toUnix(range.end) / base::kBucket.count();
    std::size_t unfinished = 0, asked = 0;
    for (std::size_t from = 0; from < meters.size();) {
        const MetricQuestion question = usageQuestion(meters, from, range);
        const auto answer = ask(question, stop);
        GPULEDGER_TRY(answer);
        for (std::size_t query = 0; query < question.queries.size(); ++from) {
            const format::GaugeSeries series = seriesIn(*answer, query, meters[from], rejected);
            query += meters[from].kind->statistics.size();
            for (const ports::ListedGpu &gpu : meters[from].gpus) {
                if (!series.empty())
                    out.gpus.push_back(series.take(gpu, first, end));
            }
        }
        asked += question.queries.size();
        unfinished += answer->unfinished();
        addRejected(answer->rejected(), rejected);
        out.warnings.insert(out.warnings.end(), answer->messages().begin(), answer->messages().end());
    }
    if (unfinished > 0)
        out.warnings.push_back(partText(unfinished, asked));
    out.complete = out.warnings.empty();
    return {};
}

Result<ports::MeasuredActivity> CloudWatchUsage::activity(const std::vector<ports::ListedMachine> &machines,
                                                          const ports::ActivityQuestion &question, std::stop_token stop)
{
    RejectedCounts unused; // no reading: it is not known what these do
    const auto meters = m_lists.of(machines, unused, stop);
    GPULEDGER_TRY(meters);
    const base::UtcTime now = question.at.value_or(m_api.now());
    const ActivitySpan span{format::activityMinutes(question, now), now};
    ports::MeasuredActivity out;
    out.now = now;
    const std::size_t most = mostQueries(span.minutes, format::kMinute);
    for (std::size_t from = 0; from < meters->size(); from += most) {
        const std::size_t end = std::min(meters->size(), from + most);
        GPULEDGER_TRY(addActivity({meters->data() + from, end - from}, span, question, out, stop));
    }
    return out;
}

Result<void> CloudWatchUsage::addActivity(std::span<const GpuMeter> meters, const ActivitySpan &span,
                                          const ports::ActivityQuestion &question, ports::MeasuredActivity &out,
                                          const std::stop_token &stop)
{
    MetricQuestion asked{{}, span.minutes, format::kMinute};
    for (const GpuMeter &one : meters)
        asked.queries.push_back({one.kind->utilization, one.dimensions, "Maximum"});
    const auto answer = ask(asked, stop);
    GPULEDGER_TRY(answer);
    // What is missing could be the sample that shows work.
    if (answer->unfinished() > 0)
        return base::fail(ErrorCode::Server, partText(answer->unfinished(), asked.queries.size()));
    if (!answer->messages().empty())
        return base::fail(ErrorCode::Server, answer->messages().front());
    if (!answer->rejected().empty())
        return base::fail(ErrorCode::Parse, "CloudWatch's answer can't be read: " + answer->rejected().begin()->first);
    for (std::size_t i = 0; i < meters.size(); ++i) {
        const ports::ActivityReading reading =
            format::activityOf(samplesIn(answer->of(i), meters[i], span.now), question);
        for (const ports::ListedGpu &gpu : meters[i].gpus)
            out.readings.push_back({gpu, reading});
    }
    return {};
}

Result<std::vector<ports::Finding>> CloudWatchUsage::probe(const std::stop_token &stop)
{
    GpuMetrics some;
    const auto untilOne = [&](const std::string &page) -> Result<std::string> {
        auto next = some.add(page);
        return next && !some.all().empty() ? std::string() : next;
    };
    const auto listed = m_cloud.listMetrics(kAgentUtilization, untilOne, stop);
    if (!listed && listed.error().code != ErrorCode::Forbidden)
        return base::fail(listed.error());
    std::vector<ports::Finding> findings{usageRight(listed.has_value(), "cloudwatch:ListMetrics")};
    const auto isPublished = listed && some.all().empty() ? publishesSageMaker(stop) : Result<bool>(true);
    GPULEDGER_TRY(isPublished);
    if (!*isPublished)
        findings.push_back(
            {ports::Finding::Level::Missing,
             FindingText::NoUsageMetrics,
             {std::string(kAgentUtilization.metric), std::string("the CloudWatch agent with nvidia_gpu")},
             {},
             {}});
    auto right = dataRight(some.all().empty() ? MetricDimensions{} : some.all().front().dimensions, stop);
    GPULEDGER_TRY(right);
    findings.push_back(std::move(*right));
    return findings;
}

Result<bool> CloudWatchUsage::publishesSageMaker(const std::stop_token &stop)
{
    bool isFound = false;
    for (const MeterKind *kind : {&kEndpointMeter, &kTrainingMeter}) {
        SageMakerMetrics some(*kind);
        const auto untilOne = [&](const std::string &page) -> Result<std::string> {
            auto next = some.add(page);
            isFound = isFound || !some.empty();
            return next && isFound ? std::string() : next;
        };
        if (!isFound)
            GPULEDGER_TRY(m_cloud.listMetrics(kind->utilization, untilOne, stop));
    }
    return isFound;
}

Result<ports::Finding> CloudWatchUsage::dataRight(const MetricDimensions &dimensions, const std::stop_token &stop)
{
    const base::UtcTime end = base::floorTo(m_api.now(), base::kBucket);
    const auto answer =
        ask({{{kAgentUtilization, &dimensions, "Average"}}, {end - base::kBucket, end}, base::kBucket}, stop);
    if (!answer && answer.error().code != ErrorCode::Forbidden)
        return base::fail(answer.error());
    return usageRight(answer.has_value(), "cloudwatch:GetMetricData");
}

} // namespace gpuledger::aws
