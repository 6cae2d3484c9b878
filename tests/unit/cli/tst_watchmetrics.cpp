// SPDX-License-Identifier: GPL-3.0-or-later
// What `watch` tells about itself, and how it answers requests for it.
#include "app/model/settings.h"
#include "app/services/sources/syncreport.h"
#include "tests/support/suite.h"
#include "ui/cli/watch/metricsserver.h"
#include "ui/cli/watch/metricstext.h"
#include "ui/cli/watch/watchmetrics.h"

#include <QTest>

namespace tst_watchmetrics {

using namespace gpuledger;
using cli::WatchMetrics;

namespace {

const base::UtcTime kBegin = base::fromUnix(1'800'000'000);

model::Settings watchedSettings()
{
    model::Settings settings;
    for (const char *name : {"idle", "quiet"}) {
        model::AlertRule rule;
        rule.name = name;
        rule.severity = "critical";
        settings.alerts.push_back(rule);
    }
    model::AlertTarget target;
    target.name = "chat";
    settings.targets = {target};
    return settings;
}

std::vector<services::SourceStatus> watchedSources()
{
    services::SourceStatus status;
    status.settings.name = "pr\"od\\";
    status.settings.kind = "prometheus";
    status.state.lastSuccess = kBegin - base::Seconds{60};
    return {status};
}

std::string statusOf(const std::string &head)
{
    const std::string answer = cli::httpAnswer(head, [] { return std::string("up 1\n"); });
    return answer.substr(9, answer.find("\r\n") - 9);
}

} // namespace

class TestWatchMetrics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void labelsAreEscaped()
    {
        QCOMPARE(cli::escapedLabel("a\\b\"c\nd"), std::string("a\\\\b\\\"c\\nd"));
        QVERIFY(cli::escapedLabel("\xff").find('\xff') == std::string::npos);
        cli::MetricsText text;
        text.family("a_total", cli::MetricKind::Counter, "Help.");
        text.sample({{"x", "1"}, {"y", ""}}, 2);
        text.family("b_seconds", cli::MetricKind::Summary, "Help.");
        text.sample({}, 0.25, "_sum");
        QCOMPARE(text.text(),
                 std::string("# HELP a_total Help.\n# TYPE a_total counter\na_total{x=\"1\",y=\"\"} 2\n"
                             "# HELP b_seconds Help.\n# TYPE b_seconds summary\nb_seconds_sum 0.25\n"));
    }

    void countsWhatHappened()
    {
        WatchMetrics metrics(watchedSettings(), watchedSources(), kBegin);
        const auto has = [&](const std::string &line) {
            return ('\n' + metrics.text()).find('\n' + line + '\n') != std::string::npos;
        };
        const std::string source = "{source=\"pr\\\"od\\\\\",kind=\"prometheus\"";
        QVERIFY(has("gpuledger_source_last_success_timestamp_seconds" + source + "} 1799999940"));
        QVERIFY(has("gpuledger_alerts_firing{rule=\"quiet\",severity=\"critical\"} 0"));
        QVERIFY(has("gpuledger_alerts_leader 0"));
        services::SyncReport report;
        report.name = "pr\"od\\";
        report.kind = "prometheus";
        report.seconds = 1.5;
        metrics.synced(report, kBegin);
        report.error = base::Error{};
        metrics.synced(report, kBegin + base::Seconds{300});
        QVERIFY(has("gpuledger_syncs_total" + source + ",result=\"ok\"} 1"));
        QVERIFY(has("gpuledger_syncs_total" + source + ",result=\"failed\"} 1"));
        QVERIFY(has("gpuledger_sync_duration_seconds_sum" + source + "} 3"));
        QVERIFY(has("gpuledger_sync_duration_seconds_count" + source + "} 2"));
        QVERIFY(has("gpuledger_source_last_success_timestamp_seconds" + source + "} 1800000000"));
        QVERIFY(has("gpuledger_errors_total{step=\"sync\"} 1"));
        services::AlertRound round;
        round.firing = {{"idle", "vision", "k", kBegin}, {"idle", "speech", "l", kBegin}, {"gone", "x", "m", kBegin}};
        metrics.evaluated(round, WatchMetrics::Duration{0.5});
        QVERIFY(has("gpuledger_alerts_firing{rule=\"idle\",severity=\"critical\"} 2"));
        QVERIFY(has("gpuledger_alerts_leader 1"));
        QVERIFY(metrics.text().find("gone") == std::string::npos);
        round.firing.clear();
        metrics.evaluated(round, WatchMetrics::Duration{0.5});
        QVERIFY(has("gpuledger_alerts_firing{rule=\"idle\",severity=\"critical\"} 0"));
    }

    void countsMessages()
    {
        WatchMetrics metrics(watchedSettings(), {}, kBegin);
        services::OutboxEntry sent, failed;
        sent.target = failed.target = "chat";
        sent.state = failed.state = services::OutboxState::Delivered;
        sent.deliveredAt = kBegin;
        failed.deliveredAt = kBegin - base::Seconds{60}; // a repetition that failed
        metrics.delivered({sent, failed}, kBegin);
        metrics.waiting({{"chat", 3, 2}});
        const std::string text = metrics.text();
        for (const char *line : {"gpuledger_alert_messages_sent_total{target=\"chat\"} 1\n",
                                 "gpuledger_alert_attempts_failed_total{target=\"chat\"} 1\n",
                                 "gpuledger_errors_total{step=\"delivery\"} 1\n",
                                 "gpuledger_alert_messages{target=\"chat\",state=\"waiting\"} 3\n",
                                 "gpuledger_alert_messages{target=\"chat\",state=\"dead\"} 2\n"})
            QVERIFY2(text.find(line) != std::string::npos, line);
        metrics.waiting({});
        QVERIFY(metrics.text().find("state=\"dead\"} 0\n") != std::string::npos);
    }

    void answersOnlyWhatItShould()
    {
        const std::string host = "Host: 127.0.0.1:9400\r\n";
        QCOMPARE(statusOf("GET /metrics HTTP/1.1\r\n" + host), std::string("200 OK"));
        QCOMPARE(statusOf("GET /metrics?x=1 HTTP/1.0\r\n"), std::string("200 OK"));
        QCOMPARE(statusOf("GET /metrics HTTP/1.1\r\nhOST:  LocalHost \r\n"), std::string("200 OK"));
        QCOMPARE(statusOf("GET / HTTP/1.1\r\n" + host), std::string("404 Not Found"));
        QCOMPARE(statusOf("POST /metrics HTTP/1.1\r\n" + host), std::string("405 Method Not Allowed"));
        QCOMPARE(statusOf("GET /metrics HTTP/2.0\r\n" + host), std::string("505 HTTP Version Not Supported"));
        QCOMPARE(statusOf("GET /metrics HTTP/1.1\r\nHost: evil.example:9400\r\n"),
                 std::string("421 Misdirected Request"));
        for (const std::string &head :
             {std::string("GET /metrics HTTP/1.1\r\n"), std::string("GET /metrics\r\n"), std::string("\r\n"),
              std::string(" \r\n"), "GET /metrics HTTP/1.1\r\n" + host + host,
              "GET /metrics HTTP/1.1\r\n" + host + "no field\r\n", std::string("GET /metrics FTP/1.1\r\n")})
            QCOMPARE(statusOf(head), std::string("400 Bad Request"));
        const auto metrics = [] { return std::string("up 1\n"); };
        const std::string head = cli::httpAnswer("HEAD /metrics HTTP/1.1\r\n" + host, metrics);
        QVERIFY(head.ends_with("\r\n\r\n") && head.find("Content-Length: 5\r\n") != std::string::npos);
        QVERIFY(cli::httpAnswer("GET /metrics HTTP/1.1\r\n" + host, metrics).ends_with("\r\n\r\nup 1\n"));
    }

    void aPortIsTakenOnce()
    {
        const auto metrics = [] { return std::string(); };
        const auto first = cli::MetricsServer::listen(0, metrics);
        QVERIFY(first.has_value() && (*first)->port() != 0);
        const auto second = cli::MetricsServer::listen((*first)->port(), metrics);
        QVERIFY(!second.has_value());
        QVERIFY(second.error().text.find(std::to_string((*first)->port())) != std::string::npos);
    }
};

GPULEDGER_SUITE(TestWatchMetrics)

} // namespace tst_watchmetrics

#include "tst_watchmetrics.moc"
