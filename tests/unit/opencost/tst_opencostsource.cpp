// SPDX-License-Identifier: GPL-3.0-or-later
// How a server is found, queried and interpreted, over a scripted client.
#include "connectors/opencost/opencostsource.h"
#include "tests/support/suite.h"
#include "tests/unit/opencost/answers.h"
#include "ui/format/phrases/phrase.h"

#include <QTest>

namespace tst_opencostsource {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

constexpr char kPods[] = "'gpuHours':24,'gpuCost':79.5,'gpuCostAdjustment':0,'totalCost':80,'gpuUsageAverage':0.4";

struct Setup {
    explicit Setup(model::SourceSettings wanted = {}, OneSecret *secret = nullptr)
        : settings(std::move(wanted))
        , secrets(secret ? secret : &own)
    {
        settings.name = "oc";
        settings.kind = "opencost";
        if (settings.url.empty())
            settings.url = "http://127.0.0.1:9003";
    }
    opencost::OpenCostSource source()
    {
        return opencost::OpenCostSource(settings, base::Currency::usd(), *secrets, clock, server.client(), {}, pause);
    }
    model::SourceSettings settings;
    OneSecret own;
    OneSecret *secrets;
    base::FrozenClock clock{kAskedDay.end() + base::Seconds{7200}};
    ScriptedServer server;
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
};

std::string parameter(const std::string &url, const std::string &name)
{
    const std::size_t at = url.find(name + '=');
    return at == std::string::npos ? std::string("-")
                                   : url.substr(at + name.size() + 1, url.find('&', at) - at - name.size() - 1);
}

std::vector<std::string> textsOf(const ports::ProbeReport &report)
{
    std::vector<std::string> texts;
    for (const ports::Finding &finding : report.findings)
        texts.push_back(ui::textOf(finding).english() + "|" + ui::remedyOf(finding).english());
    return texts;
}

bool says(const ports::ProbeReport &report, const std::string &part)
{
    const auto texts = textsOf(report);
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string &text) { return text.find(part) != std::string::npos; });
}

} // namespace

class TestOpenCostSource : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsOpenCost()
    {
        Setup setup;
        fillOpenCost(setup.server, asset("n1"), allocation("a", "n1", kPods));
        auto source = setup.source();
        const auto answer = source.day(kAskedDay, {});
        QVERIFY2(answer, answer ? "" : answer.error().text.c_str());
        QVERIFY(answer->day.product == model::AllocationProduct::OpenCost);
        QCOMPARE(answer->day.nodes.size(), std::size_t{1});
        QCOMPARE(answer->day.nodes[0].pods.pods, std::int64_t{1});
        QVERIFY(answer->day.toldGpuUse);
        QVERIFY(answer->bytes > 500);
        QCOMPARE(setup.server.asked.front(), std::string("/model/clusterInfo"));
        // It is located once.
        const std::size_t before = setup.server.asked.size();
        QVERIFY(!source.day({kAskedDay.number - 1}, {})); // the answers are for another day
        QCOMPARE(setup.server.asked.size(), before + 2);
    }

    void findsKubecost()
    {
        Setup setup;
        fillKubecost(setup.server, asset("n1"), allocation("a", "n1", kPods));
        auto source = setup.source();
        const auto answer = source.day(kAskedDay, {});
        QVERIFY2(answer, answer ? "" : answer.error().text.c_str());
        QVERIFY(answer->day.product == model::AllocationProduct::Kubecost);
        QCOMPARE(answer->day.nodes.size(), std::size_t{1});
    }

    void keepsTheBasePath_data()
    {
        QTest::addColumn<QByteArray>("url");
        QTest::newRow("path") << QByteArray("https://host.example/kubecost");
        QTest::newRow("slash") << QByteArray("https://host.example/kubecost/");
        QTest::newRow("with model") << QByteArray("https://host.example/kubecost/model");
    }
    void keepsTheBasePath()
    {
        QFETCH(QByteArray, url);
        Setup setup;
        setup.settings.url = url.toStdString();
        fillKubecost(setup.server, asset("n1"), "");
        std::map<std::string, http::Response> below;
        for (auto &[path, response] : setup.server.paths)
            below["/kubecost" + path] = response;
        setup.server.paths = below;
        auto source = setup.source();
        QVERIFY(source.day(kAskedDay, {}));
        for (const std::string &path : setup.server.asked)
            QVERIFY2(path.starts_with("/kubecost/model/"), path.c_str());
    }

    // Kubecost 3 and old versions of OpenCost have no clusterInfo.
    void findsItWithoutClusterInfo()
    {
        Setup setup;
        fillOpenCost(setup.server, asset("n1"), "");
        setup.server.paths.erase("/clusterInfo");
        auto source = setup.source();
        QVERIFY(source.day(kAskedDay, {}));
    }

    // A web interface that answers every path with its page.
    void aPageIsNoApi()
    {
        Setup setup;
        fillOpenCost(setup.server, asset("n1"), "");
        for (const char *path : {"/model/clusterInfo", "/model/allocation"})
            setup.server.paths[path] = answer("<!doctype html><html></html>", 200, "text/html");
        auto source = setup.source();
        QVERIFY(source.day(kAskedDay, {}));
        Setup login;
        login.server.onRequest = [](const http::Request &, const std::string &) {
            return std::optional(base::Result<http::Response>(answer("  <html>login</html>", 200, "text/plain")));
        };
        auto second = login.source();
        const auto refused = second.day(kAskedDay, {});
        QVERIFY(!refused);
        QVERIFY(refused.error().code == ErrorCode::Unauthorized);
        QVERIFY(refused.error().hint.find("login page") != std::string::npos);
    }

    void somethingElseIsSaid()
    {
        Setup setup; // everything is 404
        auto source = setup.source();
        const auto refused = source.day(kAskedDay, {});
        QVERIFY(!refused);
        QVERIFY(refused.error().code == ErrorCode::NotFound);
        QVERIFY(refused.error().hint.find("/allocation") != std::string::npos);
        QCOMPARE(refused.error().source, std::string("oc"));
    }

    // Keywords and durations end in the future and follow the server's clock; sharing must not be applied before our
    // own rules.
    void asksForWholeDaysOnly()
    {
        Setup setup;
        fillOpenCost(setup.server, asset("n1"), "");
        auto source = setup.source();
        QVERIFY(source.day(kAskedDay, {}));
        int questions = 0;
        for (const std::string &url : setup.server.asked) {
            if (url.find("clusterInfo") != std::string::npos)
                continue;
            ++questions;
            QCOMPARE(parameter(url, "window"), std::string("1762732800%2C1762819200"));
            if (!url.starts_with("/allocation"))
                continue;
            for (const char *no : {"shareIdle", "shareTenancyCosts", "external", "accumulate"})
                QCOMPARE(parameter(url, no), std::string("false"));
            for (const char *yes : {"includeIdle", "idle", "idleByNode"})
                QCOMPARE(parameter(url, yes), std::string("true"));
            QCOMPARE(parameter(url, "step"), std::string("-"));
        }
        QCOMPARE(questions, 2);
    }

    void refusesAnotherWindow()
    {
        Setup setup;
        fillOpenCost(setup.server,
                     asset("n1", {{"window", "{'start':'2025-11-09T23:00:00Z','end':'2025-11-10T23:00:00Z'}"}}), "");
        auto source = setup.source();
        const auto refused = source.day(kAskedDay, {});
        QVERIFY(!refused);
        QVERIFY(refused.error().code == ErrorCode::Unsupported);
        QVERIFY(refused.error().text.find("2025-11-09T23:00:00Z") != std::string::npos);
    }

    void emptyDaysAreEmpty_data()
    {
        QTest::addColumn<QByteArray>("assets");
        QTest::addColumn<QByteArray>("allocations");
        QTest::newRow("maps") << QByteArray("{}") << QByteArray("[{}]");
        QTest::newRow("lists") << QByteArray("[]") << QByteArray("[]");
        QTest::newRow("null sets") << QByteArray("[null]") << QByteArray("[null]");
        QTest::newRow("null") << QByteArray("null") << QByteArray("null");
    }
    void emptyDaysAreEmpty()
    {
        QFETCH(QByteArray, assets);
        QFETCH(QByteArray, allocations);
        Setup setup;
        fillOpenCost(setup.server, "", "");
        setup.server.paths["/assets"] = answer(envelope(assets.toStdString()));
        setup.server.paths["/allocation"] = answer(envelope(allocations.toStdString()));
        auto source = setup.source();
        const auto answer = source.day(kAskedDay, {});
        QVERIFY2(answer, answer ? "" : answer.error().text.c_str());
        QVERIFY(answer->day.empty());
        const auto report = source.probe({});
        QVERIFY(report);
        QVERIFY(!report->usable);
        QVERIFY(says(*report, "no prices for yesterday's nodes"));
    }

    void errorsAreUnderstood_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *name, int status, const char *body, ErrorCode code, const char *words) {
            QTest::newRow(name) << status << QByteArray(body) << static_cast<int>(code) << QByteArray(words);
        };
        row("text and JSON", 400, "Invalid 'window' parameter: bad\n{\"code\":400,\"message\":\"later\",\"data\":null}",
            ErrorCode::Server, "Invalid 'window' parameter: bad");
        row("JSON", 500, "{\"code\":500,\"message\":\"no Prometheus\",\"status\":\"\",\"data\":null}",
            ErrorCode::Server, "no Prometheus");
        row("not implemented", 501, "Cloud Cost is not configured\n", ErrorCode::Unsupported, "not configured");
        row("proxy", 502, "<html>bad gateway</html>", ErrorCode::Server, "502");
        row("no right", 403, "", ErrorCode::Forbidden, "denied access");
        row("error with 200", 200, "{\"code\":500,\"message\":\"query\\nfailed\",\"data\":null}", ErrorCode::Server,
            "query failed");
        row("cut", 200, "{\"code\":200,\"data\":{\"a\":", ErrorCode::Parse, "truncated");
        row("nothing", 200, "", ErrorCode::Parse, "empty response");
        row("lines", 500, "error making query\nto Prometheus:\n\tno route to host\n", ErrorCode::Server,
            ": error making query to Prometheus: no route to host");
        row("lines in JSON", 500, "{\"code\":500,\"message\":\"query\\n\\tfailed\",\"data\":null}", ErrorCode::Server,
            ": query failed");
        row("terminal", 400, "bad \x1b]52;c;x\x07 window", ErrorCode::Server, "\xEF\xBF\xBD");
    }
    void errorsAreUnderstood()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        QFETCH(int, code);
        QFETCH(QByteArray, words);
        for (const char *path : {"/assets", "/allocation"}) {
            Setup setup;
            fillOpenCost(setup.server, asset("n1"), "");
            setup.server.paths[path] = answer(body.toStdString(), status, "text/plain");
            auto source = setup.source();
            const auto refused = source.day(kAskedDay, {});
            QVERIFY(!refused);
            QCOMPARE(static_cast<int>(refused.error().code), code);
            QVERIFY2(refused.error().text.find(words.toStdString()) != std::string::npos, refused.error().text.c_str());
            QVERIFY(refused.error().text.find('\x1b') == std::string::npos);
        }
    }

    void whatMayPassIsTriedAgain()
    {
        Setup setup;
        fillOpenCost(setup.server, asset("n1"), "");
        int failures = 0;
        setup.server.onRequest = [&](const http::Request &, const std::string &path) {
            std::optional<base::Result<http::Response>> out;
            if (path.starts_with("/assets") && failures++ < 2)
                out = base::Result<http::Response>(answer("busy", 503, "text/plain"));
            return out;
        };
        auto source = setup.source();
        QVERIFY(source.day(kAskedDay, {}));
        QCOMPARE(failures, 3);
        QVERIFY(setup.pause->waits.size() == 2);
    }

    // The server computes each answer again: a query that took 120 s is not repeated at once.
    void timeoutsAreNotRepeated()
    {
        Setup setup;
        fillOpenCost(setup.server, asset("n1"), "");
        int asked = 0;
        setup.server.onRequest = [&](const http::Request &request, const std::string &path) {
            std::optional<base::Result<http::Response>> out;
            if (path.starts_with("/allocation")) {
                ++asked;
                if (request.timeouts.total != http::Milliseconds{120'000})
                    qFatal("another time limit");
                base::Error late = base::Error::make(ErrorCode::Timeout, "no answer in time");
                late.retryable = true;
                out = base::Result<http::Response>(base::fail(std::move(late)));
            }
            return out;
        };
        auto source = setup.source();
        const auto refused = source.day(kAskedDay, {});
        QVERIFY(!refused);
        QVERIFY(refused.error().code == ErrorCode::Timeout);
        QVERIFY(refused.error().hint.find("timeout") != std::string::npos);
        QCOMPARE(asked, 1);
    }

    void aRenewedTokenIsUsed()
    {
        model::SourceSettings settings;
        settings.auth.kind = model::AuthSettings::Kind::Bearer;
        settings.auth.token = {model::SecretRef::Kind::Environment, "TOKEN", {}};
        OneSecret secret("old");
        Setup setup(settings, &secret);
        fillOpenCost(setup.server, asset("n1"), "");
        setup.server.onRequest = [&](const http::Request &request, const std::string &path) {
            std::optional<base::Result<http::Response>> out;
            if (path.starts_with("/assets") && request.credentials->bearer.reveal() == std::string_view("old")) {
                secret.set("new");
                out = base::Result<http::Response>(answer("no", 401, "text/plain"));
            }
            return out;
        };
        auto source = setup.source();
        QVERIFY(source.day(kAskedDay, {}));
        QCOMPARE(secret.reads, 2);
    }

    void namesTheClusterAsTheUserDoes()
    {
        Setup setup;
        setup.settings.cluster = "prod";
        fillOpenCost(setup.server, asset("n1"),
                     allocation("cluster-one/n1/__idle__", "n1", "'gpuCost':1,'totalCost':2"));
        auto source = setup.source();
        const auto answer = source.day(kAskedDay, {});
        QVERIFY(answer);
        QCOMPARE(answer->day.nodes[0].cluster, std::string("prod"));
        QCOMPARE(answer->day.idle[0].cluster, std::string("prod"));
    }

    void stopsWhenAsked()
    {
        Setup setup;
        fillOpenCost(setup.server, asset("n1"), "");
        std::stop_source stop;
        stop.request_stop();
        auto source = setup.source();
        const auto stopped = source.day(kAskedDay, stop.get_token());
        QVERIFY(!stopped);
        QVERIFY(stopped.error().code == ErrorCode::Cancelled);
    }

    // limit and offset apply to records only with accumulate=true.
    void readsPageByPageWhatIsTooLarge()
    {
        Setup setup;
        fillKubecost(setup.server, asset("n1"), "");
        bool moves = false, ignores = false;
        setup.server.onRequest = [&](const http::Request &, const std::string &path) {
            std::optional<base::Result<http::Response>> out;
            if (!path.starts_with("/model/allocation"))
                return out;
            if (parameter(path, "limit") == "-") {
                out = base::Result<http::Response>(base::fail(ErrorCode::TooMuch, "above the limit"));
                return out;
            }
            if (parameter(path, "accumulate") != "true")
                qFatal("pages of several sets");
            const int offset = ignores ? 0 : std::stoi(parameter(path, "offset"));
            const int count = ignores ? 2500 : offset == 0 ? 2000 : 7;
            std::string rows;
            for (int i = 0; i < count; ++i)
                rows += (rows.empty() ? "" : ",")
                    + allocation("p" + std::to_string(offset + i - (moves && offset > 0 ? 1 : 0)), "n1",
                                 "'gpuHours':1,'gpuCost':2");
            out = base::Result<http::Response>(answer(envelope("[{" + rows + "}]")));
            return out;
        };
        auto source = setup.source();
        const auto answer = source.day(kAskedDay, {});
        QVERIFY2(answer, answer ? "" : answer.error().text.c_str());
        QCOMPARE(answer->day.nodes[0].pods.pods, std::int64_t{2007});
        moves = true;
        const auto moved = source.day(kAskedDay, {});
        QVERIFY(!moved);
        QVERIFY(moved.error().code == ErrorCode::Parse);
        moves = false;
        ignores = true;
        const auto ignored = source.day(kAskedDay, {});
        QVERIFY(!ignored);
        QVERIFY(ignored.error().code == ErrorCode::TooMuch);
    }

    void tellsWhatIsMissing()
    {
        Setup setup;
        fillOpenCost(setup.server,
                     asset("n1") + "," + asset("cpu", {{"gpuCount", "0"}, {"GPUHours", "0"}, {"gpuCost", "0"}}),
                     allocation("a", "n1", "'gpuHours':24,'gpuCost':79.5"));
        auto source = setup.source();
        auto report = source.probe({});
        QVERIFY(report);
        QVERIFY(report->usable);
        QCOMPARE(report->product, std::string("OpenCost"));
        QVERIFY(says(*report, "OpenCost prices 2 nodes, 1 of them with GPUs"));
        QVERIFY(says(*report, "OpenCost has no GPU metrics"));
        QVERIFY(says(*report, "read as USD"));
        fillOpenCost(setup.server, asset("n1", {{"totalCost", "null"}}), "");
        report = source.probe({});
        QVERIFY(says(*report, "1 node with GPUs, but without a price"));
        QVERIFY(says(*report, "no GPU cost to any pod"));
        fillOpenCost(setup.server, asset("cpu", {{"gpuCount", "0"}, {"GPUHours", "0"}, {"gpuCost", "0"}}), "");
        report = source.probe({});
        QVERIFY(!report->usable);
        QVERIFY(says(*report, "reports no GPU in any of them"));
    }
};

GPULEDGER_SUITE(TestOpenCostSource)

} // namespace tst_opencostsource

#include "tst_opencostsource.moc"
