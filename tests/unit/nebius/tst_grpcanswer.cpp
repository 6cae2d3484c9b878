// SPDX-License-Identifier: GPL-3.0-or-later
// Frames, statuses and refusals of gRPC, whatever a server sends.
#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "tests/support/suite.h"
#include "tests/unit/nebius/nebiussetup.h"

#include <QTest>

#include <random>

namespace tst_grpcanswer {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using nebius::GrpcCode;

namespace {

constexpr const char *kUrl = "https://compute.api.nebius.cloud/nebius.compute.v1.InstanceService/List";

std::string bytes(std::initializer_list<int> values)
{
    std::string out;
    for (const int value : values)
        out += static_cast<char>(value);
    return out;
}

} // namespace

class TestGrpcAnswer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void framesWhatItReads()
    {
        QCOMPARE(nebius::framed("ab"), bytes({0, 0, 0, 0, 2, 'a', 'b'}));
        for (const std::size_t size : {0, 1, 255, 256, 70'000}) {
            const std::string message(size, '\xff');
            QCOMPARE(nebius::messageIn(nebius::framed(message)).value(), message);
        }
    }

    void refusesFramesThatAreNone_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const std::string &body, const char *words) {
            QTest::newRow(name) << QByteArray(body.data(), static_cast<qsizetype>(body.size())) << words;
        };
        row("nothing", "", "it has no message");
        row("head cut off", bytes({0, 0, 0, 0}), "it is cut off");
        row("message cut off", bytes({0, 0, 0, 0, 3, 'a', 'b'}), "it is cut off");
        row("as long as can be", bytes({0, 0xff, 0xff, 0xff, 0xff, 'a'}), "it is cut off");
        row("compressed", bytes({1, 0, 0, 0, 1, 'a'}), "its message is compressed");
        row("another flag", bytes({2, 0, 0, 0, 1, 'a'}), "it is no gRPC");
        row("text", "{\"code\":16}", "it is no gRPC");
        row("two messages", nebius::framed("a") + nebius::framed("b"), "it has more than one message");
        row("bytes behind it", nebius::framed("a") + "b", "it has more than one message");
    }
    void refusesFramesThatAreNone()
    {
        QFETCH(const QByteArray, body);
        QFETCH(const QString, words);
        const auto message = nebius::messageIn(body.toStdString());
        QVERIFY(!message && message.error().code == ErrorCode::Parse);
        QVERIFY2(message.error().text.ends_with(words.toStdString()), message.error().text.c_str());
    }

    // Either the whole message, or none.
    void readsOnlyWholeFrames()
    {
        std::mt19937 random(20261120);
        for (int round = 0; round < 20'000; ++round) {
            std::string body(random() % 12, '\0');
            for (char &c : body)
                c = static_cast<char>(random() % 3 == 0 ? random() : random() % 8);
            if (const auto message = nebius::messageIn(body))
                QCOMPARE(nebius::framed(*message), body);
        }
    }

    void asksAsGrpcDoes()
    {
        http::Request request;
        request.headers = {{"x-tenant", "lab"}};
        nebius::makeCall(request, "ab");
        QCOMPARE(request.method, std::string("POST"));
        QCOMPARE(request.contentType, std::string("application/grpc"));
        QCOMPARE(request.body, nebius::framed("ab"));
        QVERIFY(std::find(request.headers.begin(), request.headers.end(),
                          std::pair<std::string, std::string>("TE", "trailers"))
                != request.headers.end());
        QCOMPARE(request.headers.front().first, std::string("x-tenant"));
        QVERIFY(request.assumesHttp2 && !request.followsRedirects && !request.decodesBody);
    }

    void theTrailerCountsMoreThanAHeader()
    {
        http::Response response = grpcAnswer("");
        response.headers = {{"grpc-status", "0"}, {"date", "x"}, {"grpc-status", "7"}};
        QVERIFY(nebius::statusOf(response) == GrpcCode::PermissionDenied);
        response.headers = {{"grpc-status", "99"}};
        QVERIFY(nebius::statusOf(response) == GrpcCode::Unknown);
        for (const char *none : {"", "zero", "0x0", "7 "}) {
            response.headers = {{"grpc-status", none}};
            QVERIFY2(!nebius::statusOf(response), none);
        }
        response.headers = {{"grpc-status", "0"}};
        response.status = 503;
        QVERIFY(!nebius::statusOf(response));
    }

    void decodesWhatTheServiceSays()
    {
        const auto words = [](const std::string &text) {
            return nebius::wordsOf(grpcAnswer({}, GrpcCode::NotFound, text));
        };
        QCOMPARE(words("no%20such%20project%3A %c3%A4"), std::string("no such project: \xC3\xA4"));
        QCOMPARE(words("100% of%2"), std::string("100% of%2"));
        QCOMPARE(words("%zz%4"), std::string("%zz%4"));
        QVERIFY(words("a%0a%1b[31mb").find('\x1b') == std::string::npos);
        QVERIFY(words(std::string(9'999, 'x')).size() < 400);
        QVERIFY(base::isUtf8(words("%ff%fe")));
        base::log::redactValue("ne1canary-secret");
        QVERIFY(words("token%20ne1canary-secret").find("canary") == std::string::npos);
        QVERIFY(words("token%20ne1%63anary-secret").find("canary") == std::string::npos);
    }

    void everyStatusIsAnError_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("error");
        QTest::addColumn<bool>("again");
        const auto row = [](GrpcCode code, ErrorCode error, bool again = false) {
            QTest::newRow(std::string(nebius::nameOf(code)).c_str())
                << static_cast<int>(code) << static_cast<int>(error) << again;
        };
        row(GrpcCode::Cancelled, ErrorCode::Server, true);
        row(GrpcCode::Unknown, ErrorCode::Server, true);
        row(GrpcCode::InvalidArgument, ErrorCode::Server);
        row(GrpcCode::DeadlineExceeded, ErrorCode::Timeout, true);
        row(GrpcCode::NotFound, ErrorCode::NotFound);
        row(GrpcCode::AlreadyExists, ErrorCode::Server);
        row(GrpcCode::PermissionDenied, ErrorCode::Forbidden);
        row(GrpcCode::ResourceExhausted, ErrorCode::RateLimited, true);
        row(GrpcCode::FailedPrecondition, ErrorCode::Server);
        row(GrpcCode::Aborted, ErrorCode::Server, true);
        row(GrpcCode::OutOfRange, ErrorCode::Server);
        row(GrpcCode::Unimplemented, ErrorCode::Unsupported);
        row(GrpcCode::Internal, ErrorCode::Server, true);
        row(GrpcCode::Unavailable, ErrorCode::Server, true);
        row(GrpcCode::DataLoss, ErrorCode::Server);
        row(GrpcCode::Unauthenticated, ErrorCode::Unauthorized);
    }
    void everyStatusIsAnError()
    {
        QFETCH(const int, code);
        QFETCH(const int, error);
        QFETCH(const bool, again);
        const auto refusal = nebius::refusalOf(grpcAnswer({}, static_cast<GrpcCode>(code), "said%20so"), kUrl);
        QVERIFY(refusal.has_value());
        QCOMPARE(static_cast<int>(refusal->code), error);
        QCOMPARE(refusal->retryable, again);
        QVERIFY2(refusal->text.starts_with(kUrl) && refusal->text.ends_with("): said so"), refusal->text.c_str());
        QVERIFY(refusal->text.find(std::string(QTest::currentDataTag())) != std::string::npos);
    }

    void answersThatAreNoGrpcAreExplained()
    {
        QVERIFY(!nebius::refusalOf(grpcAnswer("ab"), kUrl));
        const auto codeOf = [](const http::Response &response) { return nebius::refusalOf(response, kUrl)->code; };
        QVERIFY(codeOf(answer("<html>Log in</html>", 200, "text/html")) == ErrorCode::Unauthorized);
        QVERIFY(codeOf(answer("{}", 200)) == ErrorCode::Parse);
        QVERIFY(codeOf(answer("no", 401)) == ErrorCode::Unauthorized);
        QVERIFY(codeOf(answer("no", 403)) == ErrorCode::Forbidden);
        QVERIFY(codeOf(answer("no", 429)) == ErrorCode::RateLimited);
        const auto missing = nebius::refusalOf(answer("no", 404), kUrl);
        QCOMPARE(missing->hint, std::string(base::text(base::Remedy::CheckUrl)));
        http::Response cut = answer(nebius::framed("ab").substr(0, 6), 200, "application/grpc+proto");
        QVERIFY(codeOf(cut) == ErrorCode::Parse && nebius::refusalOf(cut, kUrl)->retryable);
        QVERIFY(!nebius::refusalOf(answer("{}", 200), kUrl)->retryable);
    }
};

GPULEDGER_SUITE(TestGrpcAnswer)

} // namespace tst_grpcanswer

#include "tst_grpcanswer.moc"
