// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/metrics/monitorusage.h"

#include "app/base/remedy.h"
#include "connectors/azure/learning/learningmachines.h"
#include "connectors/azure/metrics/gatheredminutes.h"
#include "connectors/format/gauges/minutesamples.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

constexpr base::Seconds kPlatformMetricsKept{93 * 86400};
constexpr base::Seconds kProbedMetrics{3600};
constexpr base::Seconds kUndividedPart{3600};

ports::Finding metricsFinding(ports::FindingText text, std::vector<ports::FindingTerm> terms)
{
    const bool isGood = text == ports::FindingText::RightGiven;
    return {isGood ? ports::Finding::Level::Good : ports::Finding::Level::Missing, text, std::move(terms), {}, {}};
}

} // namespace

MonitorUsage::MonitorUsage(std::unique_ptr<ComputeApi> api, const base::Clock &realClock)
    : m_api(std::move(api))
    , m_realClock(realClock)
{
}

base::Seconds MonitorUsage::kept() const
{
    return kPlatformMetricsKept;
}

// Returns why some workspaces may not be read, if others may.
Result<std::optional<base::Error>> MonitorUsage::eachWorkspace(const std::vector<ports::ListedMachine> &machines,
                                                               const Visit &visit)
{
    std::optional<base::Error> refusal;
    bool isAnyRead = false;
    for (const AskedWorkspace &one : askedWorkspaces(machines)) {
        const auto done = visit(one);
        if (done) {
            isAnyRead = true;
        } else if (done.error().code == ErrorCode::Forbidden) {
            refusal = done.error();
        } else if (done.error().code != ErrorCode::NotFound) { // it is gone since it was listed
            return base::fail(done.error());
        }
    }
    if (refusal && !isAnyRead)
        return base::fail(*refusal);
    return refusal;
}

Result<nlohmann::json> MonitorUsage::answerOf(const LearningWorkspace &workspace, const MetricQuestion &question,
                                              const std::stop_token &stop)
{
    return m_api->ask({workspaceUrl(*m_api, workspace) + metricQuery(question), kMetricsRight}, stop);
}

// In parts, because intervals without a value take space in an answer, too, and so do machines that are not asked
// about.
Result<void> MonitorUsage::ask(const AskedWorkspace &of, const MetricQuestion &question,
                               format::RejectedReadings &rejected, const TakeMetricValue &take,
                               std::set<std::string> &gaps, const std::stop_token &stop)
{
    std::vector<base::TimeRange> parts = metricParts(question, of.machines.gpus());
    std::reverse(parts.begin(), parts.end());
    while (!parts.empty()) {
        const base::TimeRange part = parts.back();
        parts.pop_back();
        MetricQuestion one = question;
        one.range = part;
        const auto answer = answerOf(of.workspace, one, stop);
        if (!answer && answer.error().code == ErrorCode::TooMuch && part.length() > kUndividedPart) {
            const base::UtcTime middle = part.start + part.length() / 2 / base::kBucket * base::kBucket;
            parts.push_back({middle, part.end});
            parts.push_back({part.start, middle});
            continue;
        }
        GPULEDGER_TRY(answer);
        GPULEDGER_TRY(readMetric(*answer, one, of.machines, rejected, take));
        gaps.merge(metricGaps(*answer, of.workspace));
    }
    return {};
}

Result<ports::MeasuredUsage> MonitorUsage::usage(const std::vector<ports::ListedMachine> &machines,
                                                 base::TimeRange range, std::stop_token stop)
{
    const base::TimeRange whole{base::ceilTo(range.start, base::kBucket), base::floorTo(range.end, base::kBucket)};
    ports::MeasuredUsage out;
    if (whole.empty())
        return out;
    const std::uint64_t before = m_api->bytes();
    const MetricQuestion utilization{kGpuUtilizationMetric, {MetricStatistic::Average}, format::kMinute, whole};
    const MetricQuestion memory{
        kGpuMemoryMetric, {MetricStatistic::Average, MetricStatistic::Maximum}, base::kBucket, whole};
    format::RejectedReadings rejected;
    GatheredMinutes gathered(whole);
    std::set<std::string> gaps;
    const auto refusal = eachWorkspace(machines, [&](const AskedWorkspace &one) -> Result<void> {
        bool isMeasured = false;
        const auto addMinute = [&](const MetricValue &value) {
            isMeasured = gathered.addUtilization(value, rejected) || isMeasured;
        };
        const auto addBucket = [&](const MetricValue &value) { gathered.addMemory(value, rejected); };
        GPULEDGER_TRY(ask(one, utilization, rejected, addMinute, gaps, stop));
        return isMeasured ? ask(one, memory, rejected, addBucket, gaps, stop) : Result<void>();
    });
    GPULEDGER_TRY(refusal);
    out.gpus = gathered.take(rejected);
    out.rejected = rejected.told();
    out.complete = gaps.empty();
    out.warnings.assign(gaps.begin(), gaps.end());
    if (*refusal) // complete nevertheless: a range that is not is asked again with every sync
        out.warnings.push_back("the GPU metrics of some workspaces are left out: " + (*refusal)->text);
    out.bytes = m_api->bytes() - before;
    return out;
}

Result<ports::MeasuredActivity> MonitorUsage::activity(const std::vector<ports::ListedMachine> &machines,
                                                       const ports::ActivityQuestion &question, std::stop_token stop)
{
    const base::UtcTime now = question.at.value_or(m_realClock.now());
    // The busiest moment of each minute, as nothing is to be stopped that works.
    const MetricQuestion minutes{
        kGpuUtilizationMetric, {MetricStatistic::Maximum}, format::kMinute, format::activityMinutes(question, now)};
    format::RejectedReadings rejected; // a series that can't be read leaves its GPU without a sample
    GatheredReadings gathered;
    std::set<std::string> gaps;
    const auto add = [&](const MetricValue &value) { gathered.add(value); };
    GPULEDGER_TRY(eachWorkspace(
        machines, [&](const AskedWorkspace &one) { return ask(one, minutes, rejected, add, gaps, stop); }));
    if (!gaps.empty()) // what is missing could be the sample that shows work
        return base::fail(ErrorCode::Server, *gaps.begin(), base::Remedy::TryAgain);
    return ports::MeasuredActivity{now, gathered.take(question, now)};
}

Result<std::vector<ports::Finding>> MonitorUsage::probe(const std::stop_token &stop)
{
    using Text = ports::FindingText;
    ports::Inventory unread; // what can't be read is left to the list
    const auto workspaces = LearningMachines(*m_api).workspaces(unread, stop);
    GPULEDGER_TRY(workspaces);
    std::vector<ports::Finding> findings;
    if (workspaces->empty())
        return findings;
    const base::UtcTime now = base::floorTo(m_realClock.now(), base::kBucket);
    const MetricQuestion lastHour{
        kGpuUtilizationMetric, {MetricStatistic::Average}, base::kBucket, {now - kProbedMetrics, now}};
    const auto answer = answerOf(workspaces->front(), lastHour, stop);
    if (!answer && answer.error().code == ErrorCode::Forbidden) {
        findings.push_back(metricsFinding(Text::UsageWithheld, {kMetricsRight}));
        return findings;
    }
    if (!answer && answer.error().code == ErrorCode::NotFound) // it is gone since it was listed
        return findings;
    GPULEDGER_TRY(answer);
    const auto isReported = hasMetricValues(*answer);
    GPULEDGER_TRY(isReported);
    findings.push_back(metricsFinding(Text::RightGiven, {kMetricsRight}));
    if (!*isReported && metricGaps(*answer, workspaces->front()).empty())
        findings.push_back(metricsFinding(Text::NoUsageMetrics,
                                          {std::string(kGpuUtilizationMetric), "a job that reports GPU metrics"}));
    return findings;
}

Result<std::unique_ptr<MonitorUsage>> makeMonitorUsage(const model::SourceSettings &settings,
                                                       ports::SecretStore &secrets, const base::Clock &realClock,
                                                       std::shared_ptr<http::HttpClient> client, const Tuning &tuning)
{
    const auto isWanted = ports::wantsUsage(settings, true);
    GPULEDGER_TRY(isWanted);
    if (!*isWanted)
        return std::unique_ptr<MonitorUsage>();
    auto api = makeComputeApi(settings, secrets, std::move(client), tuning);
    GPULEDGER_TRY(api);
    return std::make_unique<MonitorUsage>(std::move(*api), realClock);
}

} // namespace gpuledger::azure
