// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/watch/watchmetrics.h"

#include "app/model/settings.h"
#include "app/services/sources/syncreport.h"
#include "ui/cli/watch/metricstext.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace gpuledger::cli {

namespace {

constexpr std::array kStepNames{"settle", "sync", "alerts", "delivery", "marks"};

double metricTime(base::UtcTime at)
{
    return static_cast<double>(base::toUnix(at));
}

double metricCount(std::uint64_t count)
{
    return static_cast<double>(count);
}

// std::nullopt: the system does not say.
std::optional<double> residentBytes()
{
    std::ifstream file("/proc/self/statm");
    std::uint64_t size = 0, resident = 0;
    if (!(file >> size >> resident))
        return std::nullopt;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::optional<double> cpuSeconds()
{
    rusage used{};
    if (::getrusage(RUSAGE_SELF, &used) != 0)
        return std::nullopt;
    const auto seconds = [](const timeval &t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void addProcess(MetricsText &out, base::UtcTime begin)
{
    out.family("gpuledger_build_info", MetricKind::Gauge, "The version of the program; always 1.");
    out.sample({{"version", GPULEDGER_VERSION}}, 1);
    out.family("process_start_time_seconds", MetricKind::Gauge, "When the program started, in Unix time.");
    out.sample({}, metricTime(begin));
    if (const auto bytes = residentBytes()) {
        out.family("process_resident_memory_bytes", MetricKind::Gauge, "Memory in use.");
        out.sample({}, *bytes);
    }
    if (const auto seconds = cpuSeconds()) {
        out.family("process_cpu_seconds_total", MetricKind::Counter, "Processor time used.");
        out.sample({}, *seconds);
    }
}

} // namespace

WatchMetrics::WatchMetrics(const model::Settings &settings, const std::vector<services::SourceStatus> &sources,
                           base::UtcTime now)
    : m_begin(now)
{
    for (const services::SourceStatus &one : sources) {
        if (!one.settings.mayRead || (one.isPlatform && !one.tellsInventory))
            continue;
        Source &source = m_sources[{one.settings.name, one.settings.kind}];
        source.lastSuccess = one.state.lastSuccess;
        if (!one.state.covered.empty())
            source.dataEnd = one.state.covered.end;
    }
    for (const model::AlertRule &rule : settings.alerts)
        m_rules[rule.name].severity = rule.severity;
    for (const model::AlertTarget &target : settings.targets)
        m_targets.try_emplace(target.name);
}

void WatchMetrics::synced(const services::SyncReport &report, base::UtcTime at)
{
    const std::lock_guard guard(m_mutex);
    Source &source = m_sources[{report.name, report.kind}];
    source.seconds += report.seconds;
    if (report.error) {
        ++source.failed;
        ++m_errors[static_cast<std::size_t>(Step::Sync)];
        return;
    }
    ++(report.whole() ? source.whole : source.partial);
    source.lastSuccess = at;
    if (!report.range.empty())
        source.dataEnd = std::max(source.dataEnd.value_or(report.range.end), report.range.end);
}

void WatchMetrics::evaluated(const services::AlertRound &round, Duration took)
{
    const std::lock_guard guard(m_mutex);
    ++m_evaluations;
    m_evaluationSeconds += took.count();
    m_leads = round.isLeader;
    m_errors[static_cast<std::size_t>(Step::Alerts)] += round.problems.size();
    for (auto &[name, rule] : m_rules)
        rule.firing = 0;
    for (const services::FiringAlert &one : round.firing) {
        if (const auto rule = m_rules.find(one.rule); rule != m_rules.end())
            ++rule->second.firing;
    }
}

void WatchMetrics::delivered(const std::vector<services::OutboxEntry> &tried, base::UtcTime begun)
{
    const std::lock_guard guard(m_mutex);
    for (const services::OutboxEntry &one : tried) {
        // A repetition that failed is still one that was delivered, but earlier.
        const bool isSent =
            one.state == services::OutboxState::Delivered && one.deliveredAt && *one.deliveredAt >= begun;
        Target &target = m_targets[one.target];
        ++(isSent ? target.sent : target.failed);
        m_errors[static_cast<std::size_t>(Step::Delivery)] += isSent ? 0 : 1;
    }
}

void WatchMetrics::waiting(const std::vector<services::OutboxCount> &outbox)
{
    const std::lock_guard guard(m_mutex);
    for (auto &[name, target] : m_targets)
        target.waiting = target.dead = 0;
    for (const services::OutboxCount &one : outbox) {
        Target &target = m_targets[one.target];
        target.waiting = one.waiting;
        target.dead = one.dead;
    }
}

void WatchMetrics::failed(Step step)
{
    const std::lock_guard guard(m_mutex);
    ++m_errors[static_cast<std::size_t>(step)];
}

void WatchMetrics::roundEnded(base::UtcTime at)
{
    const std::lock_guard guard(m_mutex);
    ++m_rounds;
    m_lastRound = at;
}

void WatchMetrics::addSources(MetricsText &out) const
{
    const auto ofSources = [&](std::string_view name, MetricKind kind, std::string_view help, const auto &add) {
        out.family(name, kind, help);
        for (const auto &[id, source] : m_sources)
            add(MetricLabels{{"source", id.first}, {"kind", id.second}}, source);
    };
    ofSources("gpuledger_syncs_total", MetricKind::Counter,
              "Syncs of a source by result; partial: a part of what the source has or had.",
              [&](const MetricLabels &labels, const Source &source) {
                  const auto add = [&](const char *result, std::uint64_t count) {
                      MetricLabels all = labels;
                      all.emplace_back("result", result);
                      out.sample(all, metricCount(count));
                  };
                  add("ok", source.whole);
                  add("partial", source.partial);
                  add("failed", source.failed);
              });
    ofSources("gpuledger_sync_duration_seconds", MetricKind::Summary, "How long the syncs of a source took.",
              [&](const MetricLabels &labels, const Source &source) {
                  out.sample(labels, source.seconds, "_sum");
                  out.sample(labels, metricCount(source.whole + source.partial + source.failed), "_count");
              });
    ofSources("gpuledger_source_last_success_timestamp_seconds", MetricKind::Gauge,
              "When a source was last synced without an error, in Unix time; absent: never.",
              [&](const MetricLabels &labels, const Source &source) {
                  if (source.lastSuccess)
                      out.sample(labels, metricTime(*source.lastSuccess));
              });
    ofSources("gpuledger_source_data_end_timestamp_seconds", MetricKind::Gauge,
              "Until when a source was fetched, in Unix time; absent: nothing was.",
              [&](const MetricLabels &labels, const Source &source) {
                  if (source.dataEnd)
                      out.sample(labels, metricTime(*source.dataEnd));
              });
}

void WatchMetrics::addAlerts(MetricsText &out) const
{
    out.family("gpuledger_alerts_firing", MetricKind::Gauge, "Scopes for which an alert rule fires.");
    for (const auto &[name, rule] : m_rules)
        out.sample({{"rule", name}, {"severity", rule.severity}}, metricCount(rule.firing));
    out.family("gpuledger_alert_evaluation_duration_seconds", MetricKind::Summary,
               "How long the evaluations of the alert rules took.");
    out.sample({}, m_evaluationSeconds, "_sum");
    out.sample({}, metricCount(m_evaluations), "_count");
    out.family("gpuledger_alerts_leader", MetricKind::Gauge,
               "1: this program evaluates the alert rules; 0: another one on the same data does.");
    out.sample({}, m_leads ? 1 : 0);
}

void WatchMetrics::addOutbox(MetricsText &out) const
{
    out.family("gpuledger_alert_messages", MetricKind::Gauge, "Messages in the outbox that were not delivered.");
    for (const auto &[name, target] : m_targets) {
        out.sample({{"target", name}, {"state", "waiting"}}, static_cast<double>(target.waiting));
        out.sample({{"target", name}, {"state", "dead"}}, static_cast<double>(target.dead));
    }
    out.family("gpuledger_alert_messages_sent_total", MetricKind::Counter,
               "Messages that a target took, repetitions included.");
    for (const auto &[name, target] : m_targets)
        out.sample({{"target", name}}, metricCount(target.sent));
    out.family("gpuledger_alert_attempts_failed_total", MetricKind::Counter, "Attempts to send a message that failed.");
    for (const auto &[name, target] : m_targets)
        out.sample({{"target", name}}, metricCount(target.failed));
}

std::string WatchMetrics::text() const
{
    const std::lock_guard guard(m_mutex);
    MetricsText out;
    addProcess(out, m_begin);
    addSources(out);
    addAlerts(out);
    addOutbox(out);
    out.family("gpuledger_errors_total", MetricKind::Counter, "What went wrong, by step of a round.");
    for (std::size_t i = 0; i < kStepNames.size(); ++i)
        out.sample({{"step", kStepNames[i]}}, metricCount(m_errors[i]));
    out.family("gpuledger_watch_rounds_total", MetricKind::Counter, "Rounds of syncs and evaluations.");
    out.sample({}, metricCount(m_rounds));
    if (m_lastRound) {
        out.family("gpuledger_watch_last_round_timestamp_seconds", MetricKind::Gauge,
                   "When the last round ended, in Unix time.");
        out.sample({}, metricTime(*m_lastRound));
    }
    return out.text();
}

} // namespace gpuledger::cli
