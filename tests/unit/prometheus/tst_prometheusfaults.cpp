// SPDX-License-Identifier: GPL-3.0-or-later
// A sync meets every network and TLS fault of faulty.py: it ends in time, with a clear message, with bounded memory,
// and without a credential in the wrong hands.
#include "connectors/http/curlhttpclient.h"
#include "connectors/prometheus/prometheussource.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

namespace tst_prometheusfaults {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

constexpr const char *kCanary = "canary-credential";

long peakMib()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

model::AuthSettings bearer()
{
    model::AuthSettings auth;
    auth.kind = model::AuthSettings::Kind::Bearer;
    auth.token.kind = model::SecretRef::Kind::Environment;
    auth.token.value = "X";
    return auth;
}

Tuning quick()
{
    Tuning tuning;
    tuning.timeouts = {http::Milliseconds(1000), http::Milliseconds(1000), http::Milliseconds(3000)};
    tuning.retries.firstDelay = http::Milliseconds(20);
    tuning.retries.budget = http::Milliseconds(2000);
    tuning.patience = http::Milliseconds(1500);
    return tuning;
}

} // namespace

class TestPrometheusFaults : public QObject {
    Q_OBJECT

private:
    base::Error sync(const std::string &url, const std::string &caFile = {}, const model::AuthSettings &auth = bearer())
    {
        model::SourceSettings settings;
        settings.name = "prod";
        settings.url = url;
        settings.auth = auth;
        settings.caFile = caFile;
        PrometheusSource source(settings, *loadMappings({}), m_secrets, m_clock,
                                std::make_shared<http::CurlHttpClient>(), m_tuning);
        Sink sink;
        const auto done = source.fetch({base::fromUnix(1700000100), base::fromUnix(1700003700)}, sink, {});
        m_batches = sink.batches.size();
        return done ? base::Error::make(ErrorCode::Internal, "it worked") : done.error();
    }
    void isPlain(const base::Error &error)
    {
        QVERIFY(error.text.size() > 15);
        QVERIFY2(error.text.find(kCanary) == std::string::npos, error.text.c_str());
        QVERIFY2(error.text.find('?') == std::string::npos, error.text.c_str());
        QCOMPARE(error.source, std::string("prod"));
    }

    OneSecret m_secrets{kCanary};
    base::FrozenClock m_clock{base::fromUnix(1700003700)};
    std::size_t m_batches = 0;
    Tuning m_tuning = quick();
    QTemporaryDir m_certificates;

private Q_SLOTS:
    void initTestCase()
    {
        const QString script =
            QDir(qEnvironmentVariable("GPULEDGER_SOURCE_DIR")).filePath(QStringLiteral("tests/faults/certs.sh"));
        QCOMPARE(QProcess::execute(QStringLiteral("/bin/bash"), {script, m_certificates.path()}), 0);
    }

    void endsInAClearSentence_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QList<ErrorCode>>("codes");
        const auto row = [](const char *fault, QList<ErrorCode> codes) {
            QTest::newRow(fault) << QString::fromLatin1(fault) << codes;
        };
        row("hang", {ErrorCode::Timeout});
        row("slow", {ErrorCode::Timeout});
        row("reset", {ErrorCode::Network});
        row("drop", {ErrorCode::Network});
        row("short", {ErrorCode::Network});
        row("gzcut", {ErrorCode::Parse, ErrorCode::Network});
        row("halfjson", {ErrorCode::Parse});
        row("gzbomb", {ErrorCode::TooMuch});
        row("big", {ErrorCode::TooMuch});
        row("endless", {ErrorCode::TooMuch});
        row("headers", {ErrorCode::TooMuch, ErrorCode::Network});
        row("loop", {ErrorCode::Server});
        row("file", {ErrorCode::InvalidConfig});
        row("401", {ErrorCode::Unauthorized});
        row("403", {ErrorCode::NotFound, ErrorCode::Forbidden});
        row("404", {ErrorCode::NotFound});
        row("407", {ErrorCode::Unauthorized});
        row("410", {ErrorCode::Server});
        row("422", {ErrorCode::Server, ErrorCode::TooMuch});
        row("429bare", {ErrorCode::RateLimited});
        row("500", {ErrorCode::Server});
        row("502", {ErrorCode::Server});
        row("503", {ErrorCode::Server, ErrorCode::Timeout});
        row("storm", {ErrorCode::Server, ErrorCode::RateLimited});
        row("login", {ErrorCode::Unauthorized});
        row("empty", {ErrorCode::Parse});
        row("nulldata", {ErrorCode::Parse});
        row("noresult", {ErrorCode::Parse});
        row("deep", {ErrorCode::Parse});
        row("notjson", {ErrorCode::Unauthorized, ErrorCode::Parse});
    }
    void endsInAClearSentence()
    {
        QFETCH(QString, fault);
        QFETCH(QList<ErrorCode>, codes);
        FaultyServer server;
        QVERIFY(server.start({}));
        m_tuning = quick();
        if (fault == QStringLiteral("gzbomb")) // the server takes a while to make it
            m_tuning.timeouts = {http::Milliseconds(1000), http::Milliseconds(40000), http::Milliseconds(50000)};
        const long before = peakMib();
        QElapsedTimer timer;
        timer.start();
        const base::Error error = sync(server.url('/' + fault.toStdString()));
        QVERIFY2(codes.contains(error.code), (std::string(base::toString(error.code)) + ": " + error.text).c_str());
        isPlain(error);
        QVERIFY2(timer.elapsed() < 60'000, std::to_string(timer.elapsed()).c_str());
        QVERIFY2(peakMib() - before < 160, std::to_string(peakMib() - before).c_str()); // sanitizers triple the amount
        QCOMPARE(m_batches, std::size_t(0));
    }

    void keepsALongRetryAfter()
    {
        FaultyServer server;
        QVERIFY(server.start({}));
        model::SourceSettings settings;
        settings.name = "prod";
        settings.url = server.url() + "/429"; // the argument would need a query: the default of one second applies
        ScriptedClient client([](const http::Request &) {
            http::Response r = answer("", 429, "text/plain");
            r.retryAfter = base::Seconds(1800);
            return r;
        });
        auto shared = std::shared_ptr<http::HttpClient>(&client, [](http::HttpClient *) {});
        PrometheusSource source(settings, *loadMappings({}), m_secrets, m_clock, shared, quick());
        Sink sink;
        const base::TimeRange range{base::fromUnix(1700000100), base::fromUnix(1700003700)};
        const auto first = source.fetch(range, sink, {});
        QVERIFY(!first);
        QVERIFY(first.error().code == ErrorCode::RateLimited);
        QVERIFY2(first.error().text.find("rate limited until 2023-11-14T23:45:00Z") != std::string::npos,
                 first.error().text.c_str());
        QCOMPARE(client.requests.load(), 1);
        QVERIFY(!source.fetch(range, sink, {}));
        QCOMPARE(client.requests.load(), 1); // not queried again before its time
    }

    void sendsNoCredentialToAnotherOrigin()
    {
        FaultyServer other, server;
        QVERIFY(other.start({QStringLiteral("--always"), QStringLiteral("good")}));
        QVERIFY(server.start(
            {QStringLiteral("--always"), QString::fromStdString("redirect?" + other.url("/good", "localhost"))}));
        const base::Error error = sync(server.url());
        QVERIFY(error.code == ErrorCode::InvalidConfig);
        QVERIFY2(error.text.find("another server") != std::string::npos, error.text.c_str());
        http::CurlHttpClient client;
        http::Request request;
        request.url = other.url("/faulty/stats");
        const auto stats = client.perform(request, {});
        QVERIFY(stats.has_value());
        QVERIFY(stats->body.find("canary") == std::string::npos);
        QVERIFY2(stats->body.find("/good") == std::string::npos, stats->body.c_str());
    }

    void sendsNoCredentialInTheClear()
    {
        const base::Error error = sync("http://192.0.2.7:9090");
        QVERIFY(error.code == ErrorCode::InvalidConfig);
        QVERIFY2(error.text.find("credential was not sent") != std::string::npos, error.text.c_str());
    }

    void sayNothingIsThere()
    {
        FaultyServer server;
        QVERIFY(server.start({QStringLiteral("--refused")}));
        QVERIFY(sync(server.url()).code == ErrorCode::Network);
        QVERIFY(sync("http://nothing.invalid:9090", {}, {}).code == ErrorCode::Network);
        FaultyServer deaf;
        QVERIFY(deaf.start({QStringLiteral("--never-accept")}));
        const base::Error error = sync(deaf.url());
        QVERIFY2(error.code == ErrorCode::Timeout, error.text.c_str());
    }

    void trustsNoWrongCertificate_data()
    {
        QTest::addColumn<QString>("certificate");
        QTest::addColumn<QString>("ca");
        for (const char *name : {"expired", "notyet", "wronghost", "selfsigned", "unknownca"})
            QTest::newRow(name) << QString::fromLatin1(name) << QStringLiteral("ca");
        QTest::newRow("ca taken away") << QStringLiteral("good") << QStringLiteral("otherca");
        QTest::newRow("tls 1.1") << QStringLiteral("good") << QStringLiteral("ca");
        QTest::newRow("plain http") << QString() << QStringLiteral("ca");
    }
    void trustsNoWrongCertificate()
    {
        QFETCH(QString, certificate);
        QFETCH(QString, ca);
        const QDir folder(m_certificates.path());
        QStringList arguments{QStringLiteral("--always"), QStringLiteral("good")};
        if (!certificate.isEmpty())
            arguments << QStringLiteral("--cert") << folder.filePath(certificate + QStringLiteral(".pem"))
                      << QStringLiteral("--key") << folder.filePath(certificate + QStringLiteral(".key"));
        if (QLatin1String(QTest::currentDataTag()) == QLatin1String("tls 1.1"))
            arguments << QStringLiteral("--tls11");
        FaultyServer server;
        QVERIFY(server.start(arguments));
        const base::Error error =
            sync(server.url({}, "localhost", "https"), folder.filePath(ca + QStringLiteral(".pem")).toStdString());
        QVERIFY2(error.code == ErrorCode::Tls, (std::string(base::toString(error.code)) + error.text).c_str());
        QVERIFY(!error.hint.empty());
        isPlain(error);
    }

    void speaksMutualTls()
    {
        const QDir folder(m_certificates.path());
        FaultyServer server;
        QVERIFY(server.start({QStringLiteral("--always"), QStringLiteral("good"), QStringLiteral("--cert"),
                              folder.filePath(QStringLiteral("good.pem")), QStringLiteral("--key"),
                              folder.filePath(QStringLiteral("good.key")), QStringLiteral("--client-ca"),
                              folder.filePath(QStringLiteral("ca.pem"))}));
        http::CurlHttpClient client;
        http::Request request;
        request.url = server.url("/x", "localhost", "https");
        request.caFile = folder.filePath(QStringLiteral("ca.pem")).toStdString();
        QVERIFY(!client.perform(request, {}));
        auto credentials = std::make_shared<http::Credentials>();
        credentials->certificateFile = folder.filePath(QStringLiteral("client.pem")).toStdString();
        credentials->keyFile = folder.filePath(QStringLiteral("client.key")).toStdString();
        request.credentials = credentials;
        const auto answered = client.perform(request, {});
        QVERIFY2(answered.has_value(), answered ? "" : answered.error().text.c_str());
        QCOMPARE(answered->status, 200);
    }
};

GPULEDGER_SUITE(TestPrometheusFaults)

} // namespace tst_prometheusfaults

#include "tst_prometheusfaults.moc"
