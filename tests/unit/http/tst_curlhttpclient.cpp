// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/credentials.h"
#include "connectors/http/curlhttpclient.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace tst_curlhttpclient {

using namespace gpuledger;
using namespace gpuledger::http;
using namespace gpuledger::tests;
using base::ErrorCode;
using Clock = std::chrono::steady_clock;

class TestCurlHttpClient : public QObject {
    Q_OBJECT

private:
    const bool m_keyLogAsked = qputenv("SSLKEYLOGFILE", "keys.log"); // before the first client, which must remove it
    FaultyServer m_server;
    CurlHttpClient m_client;
    QTemporaryDir m_certificates;

    base::Result<Response> get(const std::string &path, std::size_t maxBytes = 1u << 20)
    {
        Request request;
        request.url = m_server.url(path);
        request.maxBytes = maxBytes;
        return m_client.perform(request, {});
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start({})); }

    void takesUrlsApart()
    {
        const auto url = parseUrl("HTTPS://Prom.Example:8443/a/b?x=1");
        QVERIFY(url.has_value());
        QCOMPARE(url->origin(), std::string("https://prom.example:8443"));
        QCOMPARE(parseUrl("http://[::1]/")->origin(), std::string("http://[::1]:80"));
        for (const char *wrong : {"file:///etc/passwd", "ftp://x", "http://user:pw@x/", "", "not a url", "gopher://x"})
            QVERIFY2(!parseUrl(wrong), wrong);
        QCOMPARE(parseUrl("http://prom%2eexample/")->host, std::string("prom.example"));
        QVERIFY(!parseUrl("http://0.1%2527.0.1/")); // decoded once, it would be decoded again
        // Decoded once, these are numbers that a resolver accepts as addresses: of the metadata service, and of this
        // machine.
        for (const char *wrong :
             {"http://%30xa9fea9fe/latest", "http://%32852039166/", "http://%30x7f.1:9090", "http:/%35/"})
            QVERIFY2(!parseUrl(wrong), wrong);
        QVERIFY(parseUrl("http://%70rom.example.org/")->host == "prom.example.org");
        QVERIFY(parseUrl("http://me:secret@x/").error().text.find("secret") == std::string::npos);
        QCOMPARE(shownUrl("https://u:p@h/x?token=1#f"), std::string("https://h/x"));
        QCOMPARE(formEncode({{"a b", "1&2=\xC3\xA4"}}), std::string("a%20b=1%262%3D%C3%A4"));
    }

    void knowsLoopbackFromItsLookalikes()
    {
        for (const char *host : {"localhost", "127.0.0.1", "127.8.9.1", "::1"})
            QVERIFY2(isLoopbackHost(host), host);
        for (const char *host :
             {"127.0.0.1.example.com", "localhost.example", "128.0.0.1", "10.0.0.1", "::2", "0x7f.1"})
            QVERIFY2(!isLoopbackHost(host), host);
        for (const char *host : {"169.254.169.254", "169.254.0.1", "fd00:ec2::254"})
            QVERIFY2(isMetadataHost(host), host);
        for (const char *host : {"169.255.169.254", "169.254.169.254.evil.example", "fd00:ec3::254", "fd01:ec2::1",
                                 "::ffff:169.254.169.254", "169.254", "0xA9FEA9FE", ""})
            QVERIFY2(!isMetadataHost(host), host);
    }

    void fetchesAndStreams()
    {
        const auto whole = get("/good");
        QVERIFY2(whole.has_value(), whole ? "" : whole.error().text.c_str());
        QCOMPARE(whole->status, 200);
        std::string streamed;
        Request request;
        request.url = m_server.url("/good");
        request.consumer = [&](std::string_view piece) {
            streamed += piece;
            return true;
        };
        const auto pieces = m_client.perform(request, {});
        QVERIFY(pieces.has_value());
        QVERIFY(pieces->body.empty());
        QCOMPARE(streamed, whole->body);
        request.consumer = [](std::string_view) { return false; };
        QVERIFY(!m_client.perform(request, {}));
    }

    void cutsAtTheLimit()
    {
        const auto body = get("/good");
        const std::size_t size = body->body.size();
        QVERIFY(get("/good", size).has_value());
        const auto cut = get("/good", size - 1);
        QVERIFY(!cut && cut.error().code == ErrorCode::TooMuch);
        const auto endless = get("/endless");
        QVERIFY(!endless && endless.error().code == ErrorCode::TooMuch);
    }

    void followsToTheSameOriginOnly()
    {
        const auto same = get("/redirect?" + m_server.url("/good"));
        QVERIFY2(same.has_value(), same ? "" : same.error().text.c_str());
        QCOMPARE(same->status, 200);
        const auto other = get("/redirect?" + m_server.url("/good", "localhost"));
        QVERIFY(!other && other.error().code == ErrorCode::InvalidConfig);
        Request request;
        request.url = m_server.url("/redirect?" + m_server.url("/good"));
        request.followsRedirects = false;
        const auto stayed = m_client.perform(request, {});
        QVERIFY(stayed && stayed->status >= 300 && stayed->status < 400);
    }

    void cancelsWithinTwoHundredMilliseconds()
    {
        std::stop_source stop;
        Request request;
        request.url = m_server.url("/hang");
        Clock::time_point asked;
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            asked = Clock::now();
            stop.request_stop();
        });
        const auto result = m_client.perform(request, stop.get_token());
        const auto took = Clock::now() - asked;
        later.join();
        QVERIFY(!result && result.error().code == ErrorCode::Cancelled);
        QVERIFY(took < std::chrono::milliseconds(200));
        QVERIFY(!m_client.perform(request, stop.get_token())); // before it began
    }

    void endsWhatIsUnderWayWithTheClient()
    {
        std::atomic<int> cancelled{0};
        {
            CurlHttpClient client;
            for (int i = 0; i < 8; ++i) {
                Request request;
                request.url = m_server.url("/hang");
                client.submit(request, {}, [&](base::Result<Response> r) {
                    cancelled += !r && r.error().code == ErrorCode::Cancelled ? 1 : 0;
                });
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        QCOMPARE(cancelled.load(), 8);
    }

    void keepsFourInFlightAHost()
    {
        // Twelve answers that take half a second each: three rounds of four.
        std::atomic<int> done{0};
        const auto begin = Clock::now();
        for (int i = 0; i < 12; ++i) {
            Request request;
            request.url = m_server.url("/late?0.5");
            m_client.submit(request, {}, [&](base::Result<Response>) { ++done; });
        }
        QTRY_COMPARE_WITH_TIMEOUT(done.load(), 12, 20000);
        const auto took = Clock::now() - begin;
        QVERIFY2(took >= std::chrono::milliseconds(1450), std::to_string(took / std::chrono::milliseconds(1)).c_str());
    }

    // If the server supports HTTP/2, one connection carries many requests at once.
    void sharesAConnectionByHttp2()
    {
        const QDir folder(m_certificates.path());
        const QString script =
            QDir(qEnvironmentVariable("GPULEDGER_SOURCE_DIR")).filePath(QStringLiteral("tests/faults/certs.sh"));
        QCOMPARE(QProcess::execute(QStringLiteral("/bin/bash"), {script, m_certificates.path()}), 0);
        FaultyServer server;
        QVERIFY(
            server.start(QStringLiteral("tests/unit/http/h2server.py"),
                         {folder.filePath(QStringLiteral("good.pem")), folder.filePath(QStringLiteral("good.key"))}));
        std::mutex mutex;
        QStringList answers;
        std::atomic<int> done{0};
        for (int i = 0; i < 8; ++i) {
            Request request;
            request.url = server.url("/api/v1/query", "localhost", "https");
            request.caFile = folder.filePath(QStringLiteral("ca.pem")).toStdString();
            request.method = i % 2 ? "POST" : "GET";
            request.contentType = "application/x-www-form-urlencoded";
            request.body = i % 2 ? "query=up" : "";
            m_client.submit(request, {}, [&](base::Result<Response> r) {
                const std::lock_guard lock(mutex);
                answers << QString::fromStdString(r ? std::to_string(r->status) + ' ' + r->body : r.error().text);
                ++done;
            });
        }
        QTRY_COMPARE_WITH_TIMEOUT(done.load(), 8, 30000);
        int most = 0;
        for (const QString &text : std::as_const(answers)) {
            QVERIFY2(text.startsWith(QLatin1String("200 {\"connection\": 1,")), qPrintable(text));
            most = std::max(most, text.mid(text.lastIndexOf(QLatin1Char(' ')) + 1).chopped(1).toInt());
        }
        QVERIFY2(most > 1 && most <= kMaxInFlightPerHost, qPrintable(answers.join(QLatin1Char('\n'))));
    }

    // Plain http has no negotiation; trailers are kept like headers, after them.
    void speaksHttp2WithoutNegotiationOnRequest()
    {
        FaultyServer server;
        QVERIFY(server.start(QStringLiteral("tests/unit/http/h2server.py"), {}));
        Request request;
        request.url = server.url("/package.Service/Call");
        request.method = "POST";
        request.contentType = "application/grpc";
        request.body = std::string("\0\0\0\0\0", 5);
        request.assumesHttp2 = true;
        request.keepHeaders = {"content-type", "grpc-status", "grpc-message"};
        QVERIFY(m_client.perform(request, {})); // the next one has a connection of its own
        const auto response = m_client.perform(request, {});
        QVERIFY2(response.has_value(), response ? "" : response.error().text.c_str());
        QCOMPARE(response->status, 200);
        QVERIFY2(response->body.starts_with("{\"connection\": 2,"), response->body.c_str());
        QVERIFY((
            response->headers
            == Parameters{{"content-type", "application/json"}, {"grpc-status", "5"}, {"grpc-message", "not%20here"}}));
        request.assumesHttp2 = false;
        QVERIFY(!m_client.perform(request, {}));
        request.url = m_server.url("/good"); // a server that only knows HTTP/1
        request.assumesHttp2 = true;
        QVERIFY(!m_client.perform(request, {}));
    }

    // Sources share one thread; a host that does not answer does not delay another.
    void keepsOneHostFromHinderingAnother()
    {
        FaultyServer other;
        QVERIFY(other.start({}));
        std::stop_source stop;
        for (int i = 0; i < 20; ++i) {
            Request request;
            request.url = m_server.url("/hang");
            m_client.submit(request, stop.get_token(), [](base::Result<Response>) {});
        }
        Request request;
        request.url = other.url("/good");
        const auto begin = Clock::now();
        const auto answer = m_client.perform(request, {});
        QVERIFY(answer.has_value());
        QVERIFY(Clock::now() - begin < std::chrono::seconds(10));
        stop.request_stop();
    }

    void refusesHeadersWithLineBreaks()
    {
        Request request;
        request.url = m_server.url("/good");
        request.headers = {{"X-Scope-OrgID", "a\r\nAuthorization: x"}};
        const auto result = m_client.perform(request, {});
        QVERIFY(!result && result.error().code == ErrorCode::InvalidConfig);
    }

    void keepsCredentialsOffPlainHttp()
    {
        Request request;
        request.url = "http://192.0.2.1/x";
        request.headers = {{"X-Api-Key", "k"}};
        auto result = m_client.perform(request, {});
        QVERIFY(!result && result.error().code == ErrorCode::InvalidConfig);
        auto credentials = std::make_shared<Credentials>();
        credentials->user = "me";
        request.headers.clear();
        request.credentials = credentials;
        result = m_client.perform(request, {});
        QVERIFY(!result && result.error().code == ErrorCode::InvalidConfig);
        // Services of the machine itself get a credential only if that was intended, and no other host does.
        request.toMachine = true;
        result = m_client.perform(request, {});
        QVERIFY(!result && result.error().code == ErrorCode::InvalidConfig);
        request.url = "http://169.254.170.2/x";
        request.toMachine = false;
        result = m_client.perform(request, {});
        QVERIFY(!result && result.error().code == ErrorCode::InvalidConfig);
    }

    void sendsWhatWasGiven()
    {
        model::AuthSettings settings;
        settings.kind = model::AuthSettings::Kind::Basic;
        settings.user = "me";
        settings.password.kind = model::SecretRef::Kind::Environment;
        OneSecret secret("pass word");
        Request request;
        request.url = m_server.url("/good");
        request.credentials = *auth::resolve(settings, secret);
        QVERIFY(m_client.perform(request, {}).has_value());
        const auto stats = get("/faulty/stats");
        QVERIFY2(stats->body.find("Basic bWU6cGFzcyB3b3Jk") != std::string::npos, stats->body.c_str());
        OneSecret broken("two\nlines");
        QVERIFY(!auth::resolve(settings, broken));
        settings.kind = model::AuthSettings::Kind::SigV4;
        QVERIFY(auth::resolve(settings, secret).error().code == ErrorCode::Unsupported);
    }

    void writesNoSessionKeys() { QVERIFY(qEnvironmentVariableIsEmpty("SSLKEYLOGFILE")); }
};

GPULEDGER_SUITE(TestCurlHttpClient)

} // namespace tst_curlhttpclient

#include "tst_curlhttpclient.moc"
