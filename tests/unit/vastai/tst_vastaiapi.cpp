// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, pages, waits and errors of the questions to Vast.ai. The rest: tst_runpodapi.
#include "app/base/remedy.h"
#include "connectors/vastai/vastaiapi.h"
#include "tests/support/keyedsetup.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_vastaiapi {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

struct Setup : KeyedSetup {
    Setup() { otherwise.clear(); }
    // Takes each body for the token of the next page.
    base::Result<void> get()
    {
        auth::KeyedApi keyed = api("https://console.vast.ai", vastai::standardTuning(), vastai::refusalOf);
        return vastai::getPages(keyed, "/api/v0/charges/", {{"limit", "100"}}, {},
                                [](const std::string &body) { return base::Result<std::string>(body); });
    }
};

http::Response problem(int status, const std::string &code, const std::string &words)
{
    return answer(js("{'success':false,'error':'" + code + "','msg':'" + words + "'}"), status, "application/json");
}

} // namespace

class TestVastaiApi : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void turnsPages()
    {
        Setup setup;
        setup.answers = {answer("a=/"), answer("b")};
        QVERIFY(setup.get().has_value());
        QCOMPARE(setup.sent.size(), std::size_t{3});
        QCOMPARE(setup.sent[0].url, std::string("https://console.vast.ai/api/v0/charges/?limit=100"));
        QCOMPARE(setup.sent[1].url,
                 std::string("https://console.vast.ai/api/v0/charges/?limit=100&after_token=a%3D%2F"));
        setup.answers = {answer("a"), answer("b"), answer("a")};
        QVERIFY(setup.get().error().code == ErrorCode::TooMuch);
        for (std::size_t i = 0; i <= vastai::kMostPages; ++i)
            setup.answers.push_back(answer(std::to_string(i)));
        setup.sent.clear();
        QVERIFY(setup.get().error().code == ErrorCode::TooMuch);
        QCOMPARE(setup.sent.size(), vastai::kMostPages);
    }

    void explainsRefusals()
    {
        Setup setup;
        setup.answers = {problem(404, "auth_error", "Invalid user key canary-credential")};
        const auto unknown = setup.get();
        QVERIFY(!unknown && unknown.error().code == ErrorCode::Unauthorized);
        QVERIFY(unknown.error().text.find("Invalid user key") != std::string::npos);
        QVERIFY(unknown.error().text.find("canary") == std::string::npos);
        QVERIFY(unknown.error().text.find("Vast.ai console") != std::string::npos);
        QCOMPARE(unknown.error().hint, std::string(base::text(base::Remedy::CheckAuth)));
        setup.answers = {problem(404, "", "x")};
        const auto wrong = setup.get();
        QVERIFY(!wrong && wrong.error().code == ErrorCode::NotFound);
        QCOMPARE(wrong.error().hint, std::string(base::text(base::Remedy::CheckUrl)));
        setup.answers = {problem(403, "auth_error", "This action requires login.")};
        const auto denied = setup.get();
        QVERIFY(!denied && denied.error().code == ErrorCode::Forbidden);
        QVERIFY(denied.error().text.find("requires login.; to read, the API key needs") != std::string::npos);
        QVERIFY(denied.error().text.find("billing_read") != std::string::npos);
    }

    // One second between questions, but only if the service minds.
    void isPacedAfterTheFirstRefusal()
    {
        Setup setup;
        setup.answers = {answer("a"), answer("API requests too frequent", 429, "text/plain"), answer("b"), answer("c")};
        QVERIFY(setup.get().has_value());
        QCOMPARE(setup.sent.size(), std::size_t{5});
        QCOMPARE(setup.pause->waits.size(), std::size_t{3});
        QVERIFY(setup.pause->waits[0] >= http::Milliseconds{1'000});
        QVERIFY(setup.pause->waits[1] == http::Milliseconds{1'100}
                && setup.pause->waits[2] == http::Milliseconds{1'100});
        for (const int status : {502, 503, 504}) {
            setup.answers = {problem(status, "", "busy")};
            QVERIFY(setup.get().has_value());
        }
        setup.answers.assign(100, answer("API requests too frequent", 429, "text/plain"));
        QVERIFY(setup.get().error().code == ErrorCode::RateLimited);
    }

    void settingsAreChecked()
    {
        Setup setup;
        QCOMPARE(setup.apiOf("", vastai::settingsOf), std::string("https://console.vast.ai"));
        QCOMPARE(setup.apiOf("https://x.example/api/", vastai::settingsOf), std::string("https://x.example"));
        setup.settings.auth.kind = model::AuthSettings::Kind::None;
        QVERIFY(vastai::settingsOf(setup.settings).error().code == ErrorCode::InvalidConfig);
    }
};

GPULEDGER_SUITE(TestVastaiApi)

} // namespace tst_vastaiapi

#include "tst_vastaiapi.moc"
