// SPDX-License-Identifier: GPL-3.0-or-later
// Proxies come from the environment, as for every other program; a separate process, because libcurl reads them from
// its environment.
#include "connectors/http/curlhttpclient.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_proxies {

using namespace gpuledger;
using namespace gpuledger::http;
using namespace gpuledger::tests;
using base::ErrorCode;

class TestProxies : public QObject {
    Q_OBJECT

private:
    // A name of the reserved zone: only a proxy can "reach" it.
    static constexpr const char *kInside = "http://metrics.invalid/api/v1/query?query=up";

    base::Result<Response> get(const std::string &url)
    {
        CurlHttpClient client;
        Request request;
        request.url = url;
        request.headers = {{"Accept", "application/json"}};
        return client.perform(request, {});
    }
    static QByteArray stats(const FaultyServer &server)
    {
        CurlHttpClient client;
        Request request;
        request.url = server.url("/faulty/stats");
        const auto answer = client.perform(request, {});
        return answer ? QByteArray::fromStdString(answer->body) : QByteArray();
    }

private Q_SLOTS:
    void init()
    {
        for (const char *name :
             {"http_proxy", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"})
            qunsetenv(name);
    }

    void goesThroughTheProxy()
    {
        FaultyServer proxy;
        QVERIFY(proxy.start({QStringLiteral("--always"), QStringLiteral("good")}));
        qputenv("http_proxy", proxy.url().c_str());
        const auto answer = get(kInside);
        QVERIFY2(answer.has_value(), answer ? "" : answer.error().text.c_str());
        QCOMPARE(answer->status, 200);
        QVERIFY(stats(proxy).contains("http://metrics.invalid/api/v1/query"));
    }

    void leavesLoopbackAlone()
    {
        FaultyServer proxy, server;
        QVERIFY(proxy.start({QStringLiteral("--always"), QStringLiteral("502")}));
        QVERIFY(server.start({QStringLiteral("--always"), QStringLiteral("good")}));
        qputenv("http_proxy", proxy.url().c_str());
        for (const char *host : {"127.0.0.1", "localhost"}) {
            const auto answer = get(server.url("/x", host));
            QVERIFY2(answer.has_value(), answer ? "" : answer.error().text.c_str());
            QCOMPARE(answer->status, 200);
        }
    }

    void keepsNoProxy_data()
    {
        QTest::addColumn<QByteArray>("variable");
        QTest::addColumn<QByteArray>("list");
        QTest::addColumn<bool>("proxied");
        QTest::newRow("name") << QByteArray("NO_PROXY") << QByteArray("other.example,metrics.invalid") << false;
        QTest::newRow("small letters") << QByteArray("no_proxy") << QByteArray("metrics.invalid") << false;
        QTest::newRow("domain") << QByteArray("NO_PROXY") << QByteArray(".invalid") << false;
        QTest::newRow("everything") << QByteArray("NO_PROXY") << QByteArray("*") << false;
        QTest::newRow("another") << QByteArray("NO_PROXY") << QByteArray("rics.invalid") << true;
    }
    void keepsNoProxy()
    {
        QFETCH(QByteArray, variable);
        QFETCH(QByteArray, list);
        QFETCH(bool, proxied);
        FaultyServer proxy;
        QVERIFY(proxy.start({QStringLiteral("--always"), QStringLiteral("good")}));
        qputenv("http_proxy", proxy.url().c_str());
        qputenv(variable.constData(), list);
        const auto answer = get(kInside);
        QCOMPARE(answer.has_value(), proxied);
        QCOMPARE(stats(proxy).contains("metrics.invalid"), proxied);
        if (!proxied)
            QVERIFY(answer.error().code == ErrorCode::Network); // the name can't be resolved here
    }

    void saysThatTheProxyWantsALogin()
    {
        FaultyServer proxy;
        QVERIFY(proxy.start({QStringLiteral("--always"), QStringLiteral("407")}));
        qputenv("http_proxy", proxy.url().c_str());
        const auto plain = get(kInside);
        QVERIFY(plain && plain->status == 407);
        const auto error = statusError(*plain, kInside);
        QVERIFY(error && error->code == ErrorCode::Unauthorized && !error->retryable);
        QVERIFY2(error->text.find("proxy asks for a login") != std::string::npos, error->text.c_str());
        // With a tunnel, the refusal precedes the request.
        qputenv("https_proxy", proxy.url().c_str());
        const auto tunnel = get("https://metrics.invalid/api/v1/query");
        QVERIFY(!tunnel);
        QVERIFY2(tunnel.error().code == ErrorCode::Unauthorized && !tunnel.error().retryable,
                 tunnel.error().text.c_str());
        QVERIFY2(tunnel.error().hint.find("HTTPS_PROXY") != std::string::npos, tunnel.error().hint.c_str());
    }

    void saysThatTheProxyRefuses()
    {
        FaultyServer proxy;
        QVERIFY(proxy.start({QStringLiteral("--always"), QStringLiteral("403")}));
        qputenv("https_proxy", proxy.url().c_str());
        const auto tunnel = get("https://metrics.invalid/api/v1/query");
        QVERIFY(!tunnel);
        QVERIFY2(tunnel.error().text.find("the proxy refused the connection (HTTP 403)") != std::string::npos,
                 tunnel.error().text.c_str());
        QVERIFY(!tunnel.error().retryable);
    }

    void tellsNoProxyPassword()
    {
        qputenv("https_proxy", "http://me:canary-proxy@proxy.invalid:3128");
        const auto tunnel = get("https://metrics.invalid/api/v1/query");
        QVERIFY(!tunnel && tunnel.error().code == ErrorCode::Network);
        QVERIFY2((tunnel.error().text + tunnel.error().hint).find("canary") == std::string::npos,
                 tunnel.error().text.c_str());
    }
};

GPULEDGER_SUITE(TestProxies)

} // namespace tst_proxies

#include "tst_proxies.moc"
