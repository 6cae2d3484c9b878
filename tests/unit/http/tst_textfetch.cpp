// SPDX-License-Identifier: GPL-3.0-or-later
// Texts at an address: only if they changed, without credentials, and what a server may answer instead.
#include "connectors/http/textfetch.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_textfetch {

using namespace gpuledger;
using base::ErrorCode;

namespace {

constexpr char kAddress[] = "https://prices.example.org/aws/vms.csv";

// Answers every request in the same way and keeps the last one.
class ListServer final : public http::HttpClient {
public:
    http::Response answer;
    std::optional<base::Error> error;
    http::Request asked;

    void submit(http::Request request, std::stop_token, Completion done) override
    {
        asked = std::move(request);
        done(error ? base::Result<http::Response>(base::fail(*error)) : base::Result<http::Response>(answer));
    }
    base::Result<ports::FetchedText> fetch(const std::string &tag = {})
    {
        return http::fetchText(*this, {kAddress, tag, 1000}, {});
    }
};

} // namespace

class TestTextFetch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asksWithoutCredentialsAndWithinLimits()
    {
        ListServer server;
        server.answer.status = 200;
        server.answer.body = "a,b\n";
        server.answer.headers = {{"etag", "\"1\""}};
        server.answer.wireBytes = 4;
        const auto text = server.fetch();
        QVERIFY(text.has_value());
        QCOMPARE(text->text, std::string("a,b\n"));
        QCOMPARE(text->tag, std::string("\"1\""));
        QVERIFY(!text->isUnchanged && text->bytes == 4);
        QCOMPARE(server.asked.method, std::string("GET"));
        QCOMPARE(server.asked.url, std::string(kAddress));
        QVERIFY(server.asked.headers.empty() && !server.asked.credentials);
        QCOMPARE(server.asked.maxBytes, std::size_t{1000});
        QVERIFY(server.asked.timeouts.total <= std::chrono::minutes(5));
    }

    void asksOnlyForWhatChanged()
    {
        ListServer server;
        server.answer.status = 304;
        const auto same = server.fetch("\"1\"");
        QVERIFY(same.has_value() && same->isUnchanged && same->text.empty());
        QVERIFY(server.asked.headers == (http::Parameters{{"If-None-Match", "\"1\""}}));
        QVERIFY(!server.fetch().has_value()); // nobody asked whether it changed
        server.answer.status = 200;
        server.answer.headers = {{"etag", std::string(5000, 'x')}};
        QCOMPARE(server.fetch("\"1\"")->tag, std::string());
    }

    void everyOtherAnswerIsAnError()
    {
        ListServer server;
        for (const auto &[status, code] : {std::pair(500, ErrorCode::Server), std::pair(404, ErrorCode::NotFound),
                                           std::pair(401, ErrorCode::Unauthorized), std::pair(204, ErrorCode::Server),
                                           std::pair(429, ErrorCode::RateLimited)}) {
            server.answer.status = status;
            const auto text = server.fetch();
            QVERIFY(!text.has_value());
            QVERIFY(text.error().code == code);
            QVERIFY(text.error().text.find("HTTP " + std::to_string(status)) != std::string::npos);
            QVERIFY(text.error().hint.find("/api/v1") == std::string::npos); // it is no Prometheus
        }
        // What the server can repair says nothing about the address, and nobody sent a credential.
        server.answer.status = 503;
        QVERIFY(server.fetch().error().retryable);
        QVERIFY(server.fetch().error().hint.find(kAddress) == std::string::npos);
        server.answer.status = 401;
        QVERIFY(server.fetch().error().text.find("credential") == std::string::npos);
        QVERIFY(server.fetch().error().hint.find(kAddress) != std::string::npos);
        server.error = base::Error::make(ErrorCode::TooMuch, "too large");
        QVERIFY(server.fetch().error().code == ErrorCode::TooMuch);
    }
};

GPULEDGER_SUITE(TestTextFetch)

} // namespace tst_textfetch

#include "tst_textfetch.moc"
