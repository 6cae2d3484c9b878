// SPDX-License-Identifier: GPL-3.0-or-later
// The outcome of a write if the platform or the network fails; credentials stay where they belong.
#include "app/base/text/log.h"
#include "connectors/http/curlhttpclient.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakeaws.h"

#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace tst_awsfaults {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using Kind = ports::WriteOutcome::Kind;

namespace {

base::Error timedOut()
{
    base::Error error =
        base::Error::make(ErrorCode::Timeout, "https://ec2.us-east-1.amazonaws.com/ gave no answer in time");
    error.retryable = true;
    return error;
}

FakeAws::Reply failing(base::Error error)
{
    return base::Result<http::Response>(base::fail(std::move(error)));
}

std::string allText(const ports::WriteOutcome &outcome)
{
    std::string text = outcome.text + outcome.receipt + outcome.version;
    for (const std::string &warning : outcome.warnings)
        text += warning;
    return text;
}

} // namespace

class TestAwsFaults : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase()
    {
        base::log::init({m_folder.filePath(QStringLiteral("log")).toStdString(), base::log::Level::Debug, false});
    }

    void tellsWhatBecameOfAStop_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *code, int status, Kind kind, const char *words = "") {
            QTest::newRow(code) << QByteArray(code) << status << static_cast<int>(kind) << QByteArray(words);
        };
        row("RequestLimitExceeded", 503, Kind::TryLater); // the code decides, not the status
        row("Throttling", 400, Kind::TryLater);
        row("InsufficientInstanceCapacity", 500, Kind::TryLater, "InsufficientInstanceCapacity: said so");
        row("UnauthorizedOperation", 403, Kind::Refused,
            "ec2:StopInstances on arn:aws:ec2:us-east-1:123456789012:instance/i-0123456789abcdef0 is not allowed");
        row("OperationNotPermitted", 400, Kind::Refused);
        row("UnsupportedOperation", 400, Kind::Refused);
        row("InvalidInstanceID.NotFound", 400, Kind::Gone);
        row("IncorrectInstanceState", 400, Kind::Changed);
        row("IncorrectSpotRequestState", 400, Kind::Changed);
        row("AuthFailure", 401, Kind::Refused);
        row("InternalError", 500, Kind::Unknown);
        row("Unavailable", 503, Kind::Unknown);
        row("NobodyKnowsThis", 400, Kind::Refused);
    }
    void tellsWhatBecameOfAStop()
    {
        QFETCH(QByteArray, code);
        QFETCH(int, status);
        QFETCH(int, kind);
        QFETCH(QByteArray, words);
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        setup.server.before = [&](const std::string &action) -> FakeAws::Reply {
            return action == "StopInstances" ? FakeAws::Reply(ec2Error(code.toStdString(), status)) : std::nullopt;
        };
        const auto outcome = target.stop(*found, AwsSetup::mark(), {});
        QCOMPARE(static_cast<int>(outcome.kind), kind);
        QVERIFY2(outcome.text.find(words.toStdString()) != std::string::npos, outcome.text.c_str());
        QCOMPARE(outcome.receipt, std::string("req-error"));
        QCOMPARE(setup.server.count("StopInstances"), code == "AuthFailure" ? 2 : 1); // repeated only with new keys
        QCOMPARE(setup.server.count("CreateTags"), 0);
    }

    // The answer is lost after the change was made: the outcome is unknown, the call is never repeated, and a read
    // clarifies.
    void neverRepeatsAChangeWhoseAnswerIsLost_data()
    {
        QTest::addColumn<QByteArray>("how");
        for (const char *how : {"timeout", "reset", "500", "html", "empty", "cut"})
            QTest::newRow(how) << QByteArray(how);
    }
    void neverRepeatsAChangeWhoseAnswerIsLost()
    {
        QFETCH(QByteArray, how);
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        setup.server.after = [&](const std::string &action) -> FakeAws::Reply {
            if (action != "StopInstances" && action != "StartInstances")
                return std::nullopt;
            if (how == "timeout")
                return failing(timedOut());
            if (how == "reset")
                return failing(base::Error::make(ErrorCode::Network, "the connection broke"));
            if (how == "500")
                return ec2Error("InternalError", 500);
            if (how == "html")
                return answer("<html><body>502 Bad Gateway</body></html>", 502, "text/html");
            return answer(how == "cut" ? "<StopInstancesResponse><instancesSet><item>" : "", 200, "text/xml");
        };
        const auto stopped = target.stop(*found, AwsSetup::mark(), {});
        QVERIFY2(stopped.kind == Kind::Unknown, stopped.text.c_str());
        QVERIFY(!stopped.text.empty());
        QCOMPARE(setup.server.count("StopInstances"), 1);
        QCOMPARE(setup.server.effects, 1);
        const auto after = target.read(found->ref, {});
        QVERIFY(after && after->isStopped);
        QVERIFY(target.undo(*after, AwsSetup::mark(), "", {}).kind == Kind::Unknown);
        QCOMPARE(setup.server.count("StartInstances"), 1);
        QCOMPARE(setup.server.effects, 2);
    }

    void saysThatThereIsNoCapacity()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        QVERIFY(target.stop(*found, AwsSetup::mark(), {}).kind == Kind::Done);
        const auto after = target.read(found->ref, {});
        setup.server.before = [](const std::string &action) -> FakeAws::Reply {
            if (action == "StartInstances")
                return ec2Error("InsufficientInstanceCapacity", 500,
                                "We currently do not have sufficient p4d.24xlarge capacity");
            return std::nullopt;
        };
        const auto undone = target.undo(*after, AwsSetup::mark(), "", {});
        QVERIFY(undone.kind == Kind::TryLater);
        QVERIFY2(undone.text.find("sufficient p4d.24xlarge capacity") != std::string::npos, undone.text.c_str());
        QVERIFY(target.read(found->ref, {})->mark.has_value()); // still recognized as ours
        setup.server.before = nullptr;
        QVERIFY(target.undo(*target.read(found->ref, {}), AwsSetup::mark(), "", {}).kind == Kind::Done);
    }

    // Reads are repeated with pauses; four attempts at most, within the time budget.
    void asksAgainWhenThrottled()
    {
        AwsSetup setup;
        auto target = setup.target();
        int throttled = 2;
        setup.server.before = [&](const std::string &) -> FakeAws::Reply {
            return throttled-- > 0 ? FakeAws::Reply(ec2Error("RequestLimitExceeded", 503)) : std::nullopt;
        };
        QVERIFY(target.find(setup.holder(), {}).has_value());
        QCOMPARE(setup.pause->waits.size(), std::size_t{2});
        AwsSetup always;
        auto other = always.target();
        always.server.before = [](const std::string &) -> FakeAws::Reply {
            return ec2Error("RequestLimitExceeded", 503);
        };
        const auto found = other.find(always.holder(), {});
        QVERIFY(!found && found.error().code == ErrorCode::RateLimited && found.error().retryable);
        QCOMPARE(always.server.actions.size(), std::size_t{4});
        QCOMPARE(found.error().source, std::string("aws-prod"));
    }

    void namesTheRightThatIsMissing()
    {
        AwsSetup setup;
        auto target = setup.target();
        setup.server.before = [](const std::string &) -> FakeAws::Reply {
            return ec2Error("UnauthorizedOperation", 403, "You are not authorized to perform this operation");
        };
        const auto found = target.find(setup.holder(), {});
        QVERIFY(!found && found.error().code == ErrorCode::Forbidden);
        QVERIFY2(found.error().text.find("ec2:DescribeInstances is not allowed") != std::string::npos,
                 found.error().text.c_str());
        setup.server.before = [](const std::string &) -> FakeAws::Reply {
            return ec2Error("RequestExpired", 400, "Request has expired.");
        };
        const auto late = target.find(setup.holder(), {});
        QVERIFY(!late && late.error().code == ErrorCode::Unauthorized);
        QVERIFY2(late.error().hint.find("clock") != std::string::npos, late.error().hint.c_str());
    }

    void stopsNothingWithoutALook_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<int>("kind");
        QTest::newRow("throttled") << QByteArray("RequestLimitExceeded") << static_cast<int>(Kind::TryLater);
        QTest::newRow("failing") << QByteArray("InternalError") << static_cast<int>(Kind::TryLater);
        QTest::newRow("denied") << QByteArray("UnauthorizedOperation") << static_cast<int>(Kind::Refused);
        QTest::newRow("gone") << QByteArray("InvalidInstanceID.NotFound") << static_cast<int>(Kind::Gone);
        QTest::newRow("silent") << QByteArray() << static_cast<int>(Kind::TryLater);
    }
    void stopsNothingWithoutALook()
    {
        QFETCH(QByteArray, code);
        QFETCH(int, kind);
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        setup.server.before = [&](const std::string &) -> FakeAws::Reply {
            return code.isEmpty() ? failing(timedOut()) : FakeAws::Reply(ec2Error(code.toStdString(), 500));
        };
        QCOMPARE(static_cast<int>(target.stop(*found, AwsSetup::mark(), {}).kind), kind);
        QCOMPARE(setup.server.count("StopInstances"), 0);
        std::stop_source cancelled;
        cancelled.request_stop();
        QVERIFY(target.stop(*found, AwsSetup::mark(), cancelled.get_token()).kind == Kind::TryLater);
        QVERIFY(target.find(setup.holder(), cancelled.get_token()).error().code == ErrorCode::Cancelled);
        QCOMPARE(setup.server.effects, 0);
    }

    // Over real sockets: another origin gets nothing, even if a redirect leads there.
    void keepsCredentialsFromAnotherOrigin()
    {
        FaultyServer server, other;
        QVERIFY(server.start({}));
        QVERIFY(other.start({}));
        AwsSetup setup;
        setup.settings.url = server.url("/redirect?" + other.url("/good"));
        aws::Tuning tuning;
        tuning.retries.maxTries = 1;
        tuning.surroundings = {[&](const std::string &name) { return setup.environment[name]; }, setup.home};
        aws::AwsTarget target(setup.settings, setup.clock, std::make_shared<http::CurlHttpClient>(), tuning);
        const auto found = target.find(setup.holder(), {});
        QVERIFY(!found && found.error().code == ErrorCode::InvalidConfig);
        QVERIFY2(found.error().text.find("no credential was sent there") != std::string::npos,
                 found.error().text.c_str());
        http::CurlHttpClient reader;
        http::Request request;
        request.url = other.url("/faulty/stats");
        const std::string seen = reader.perform(request, {})->body;
        QVERIFY2(seen.find("AWS4-HMAC") == std::string::npos && seen.find("canary") == std::string::npos, seen.c_str());
        request.url = server.url("/faulty/stats");
        QVERIFY(reader.perform(request, {})->body.find("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE") != std::string::npos);
    }

    void keepsKeysOffPlainHttp()
    {
        AwsSetup setup;
        setup.settings.url = "http://192.0.2.1/";
        aws::Tuning tuning;
        tuning.surroundings = {[&](const std::string &name) { return setup.environment[name]; }, setup.home};
        aws::AwsTarget target(setup.settings, setup.clock, std::make_shared<http::CurlHttpClient>(), tuning);
        const auto found = target.find(setup.holder(), {});
        QVERIFY(!found && found.error().code == ErrorCode::InvalidConfig);
    }

    // Within 200 ms of a stop request: a read is cancelled, the outcome of a write is unknown.
    void endsInTime()
    {
        FaultyServer server;
        QVERIFY(server.start({QStringLiteral("--always"), QStringLiteral("hang")}));
        AwsSetup setup;
        setup.settings.url = server.url();
        aws::Tuning tuning;
        tuning.surroundings = {[&](const std::string &name) { return setup.environment[name]; }, setup.home};
        aws::AwsTarget target(setup.settings, setup.clock, std::make_shared<http::CurlHttpClient>(), tuning);
        std::stop_source stop;
        std::chrono::steady_clock::time_point asked;
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        const auto found = target.find(setup.holder(), stop.get_token());
        const auto took = std::chrono::steady_clock::now() - asked;
        later.join();
        QVERIFY(!found && found.error().code == ErrorCode::Cancelled);
        QVERIFY(took < std::chrono::milliseconds(200));
        AwsSetup scripted;
        auto other = scripted.target();
        const auto state = other.find(scripted.holder(), {});
        scripted.server.after = [&](const std::string &action) -> FakeAws::Reply {
            if (action == "StopInstances")
                return failing(base::Error::make(ErrorCode::Cancelled, "cancelled"));
            return std::nullopt;
        };
        QVERIFY(other.stop(*state, AwsSetup::mark(), {}).kind == Kind::Unknown);
    }

    // Runs last, when everything above was logged. Includes text that a hostile server repeats.
    void tellsNoSecret()
    {
        AwsSetup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder(), {});
        std::string seen;
        for (const char *code :
             {"SignatureDoesNotMatch", "AuthFailure", "UnauthorizedOperation", "Odd", "InternalError"}) {
            setup.server.before = [&](const std::string &) -> FakeAws::Reply { return ec2Error(code, 403); };
            seen += target.find(setup.holder(), {}).error().text;
            seen += allText(target.stop(*found, AwsSetup::mark(), {}));
        }
        base::log::error("test", "Authorization: x canary-secret-key canary-session-token");
        std::ifstream file(m_folder.filePath(QStringLiteral("log")).toStdString());
        std::stringstream log;
        log << file.rdbuf();
        QVERIFY(!log.str().empty());
        for (const char *canary : {"canary-secret-key", "canary-session-token"})
            QVERIFY((seen + log.str()).find(canary) == std::string::npos);
        for (const http::Request &request : setup.server.requests) {
            QVERIFY(request.body.find("canary") == std::string::npos
                    && request.url.find("canary") == std::string::npos);
            for (const auto &[name, value] : request.headers)
                QVERIFY(value.find("canary") == std::string::npos);
        }
    }
};

GPULEDGER_SUITE(TestAwsFaults)

} // namespace tst_awsfaults

#include "tst_awsfaults.moc"
