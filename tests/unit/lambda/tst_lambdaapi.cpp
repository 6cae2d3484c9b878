// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, limits and errors of the question to Lambda. The rest: tst_runpodapi.
#include "app/base/remedy.h"
#include "connectors/lambda/lambdaapi.h"
#include "tests/support/keyedsetup.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_lambdaapi {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

struct Setup : KeyedSetup {
    base::Result<std::string> get()
    {
        auth::KeyedApi keyed = api("https://cloud.lambda.ai", lambda::standardTuning(), lambda::refusalOf);
        auto body = keyed.get(lambda::kInstancesPath, {}, {});
        date = keyed.answerDate();
        return body;
    }
    http::Parameters date;
};

http::Response problem(int status, const std::string &code, const std::string &words, const std::string &more = {})
{
    return answer(js("{'error':{'code':'" + code + "','message':'" + words + "'" + more + "}}"), status,
                  "application/json");
}

} // namespace

class TestLambdaApi : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asksForTheListOnly()
    {
        Setup setup;
        QVERIFY(setup.get().has_value());
        QCOMPARE(setup.sent.size(), std::size_t{1});
        QCOMPARE(setup.sent[0].url, std::string("https://cloud.lambda.ai/api/v1/instances"));
        QCOMPARE(setup.sent[0].maxBytes, std::size_t{16} << 20);
        QVERIFY(!setup.sent[0].followsRedirects);
    }

    void explainsRefusals()
    {
        Setup setup;
        setup.answers.assign(
            2, problem(401, "global/invalid-api-key", "canary-credential was invalid.", ",'suggestion':'Check it.'"));
        const auto unknown = setup.get();
        QVERIFY(!unknown && unknown.error().code == ErrorCode::Unauthorized);
        QVERIFY(unknown.error().text.find("was invalid. Check it.; API keys are made under") != std::string::npos);
        QVERIFY(unknown.error().text.find("canary") == std::string::npos);
        setup.answers = {problem(403, "global/account-inactive", "Your account is inactive.")};
        const auto inactive = setup.get();
        QVERIFY(!inactive && inactive.error().code == ErrorCode::Forbidden);
        QVERIFY(inactive.error().text.find("account is inactive") != std::string::npos);
        setup.answers = {problem(404, "global/object-does-not-exist", "")};
        const auto wrong = setup.get();
        QVERIFY(!wrong && wrong.error().code == ErrorCode::NotFound);
        QVERIFY(wrong.error().text.find("global/object-does-not-exist") != std::string::npos);
        QCOMPARE(wrong.error().hint, std::string(base::text(base::Remedy::CheckUrl)));
        for (const char *odd : {"{'error':7}", "[]", "{'error':{'message':{}}}", ""}) {
            setup.answers = {answer(js(odd), 400, "application/json")};
            QVERIFY(!setup.get());
        }
    }

    void waitsWhenItIsAskedTo()
    {
        Setup setup;
        for (const int status : {429, 502, 503, 504}) {
            setup.answers = {problem(status, "provider/internal-unavailable", "busy")};
            QVERIFY(setup.get().has_value());
        }
        http::Response later = problem(429, "global/quota-exceeded", "later");
        later.retryAfter = base::Seconds{17};
        setup.answers = {later};
        setup.pause->waits.clear();
        QVERIFY(setup.get().has_value());
        QVERIFY(setup.pause->waits.size() == 1 && setup.pause->waits[0] >= http::Milliseconds{17'000});
    }

    void theMomentOfAnAnswerIsKnownOnlyIfTheClocksAgree()
    {
        const base::UtcTime now = *base::parseTime("2026-11-20T09:00:00Z");
        const auto isWrong = [&](const std::string &date) {
            return lambda::wrongClock({{"date", date}}, now).has_value();
        };
        QVERIFY(!isWrong("Fri, 20 Nov 2026 09:10:00 GMT") && !isWrong("Fri, 20 Nov 2026 08:50:00 GMT"));
        QVERIFY(isWrong("Fri, 20 Nov 2026 09:10:01 GMT") && isWrong("Fri, 20 Nov 2026 08:49:59 GMT"));
        QVERIFY(isWrong("Sat, 20 Nov 2027 09:00:00 GMT"));
        QVERIFY(!isWrong("yesterday") && !lambda::wrongClock({}, now));
        const auto wrong = lambda::wrongClock({{"date", "Fri, 20 Nov 2026 11:00:00 GMT"}}, now);
        QVERIFY(wrong && wrong->code == ErrorCode::Refused);
        QVERIFY(wrong->text.find("clock is 2 hours behind the server's") != std::string::npos);
        Setup setup;
        setup.answers = {answer("{}")};
        setup.answers[0].headers = {{"date", "x"}};
        QVERIFY(setup.get().has_value());
        QVERIFY((setup.date == http::Parameters{{"date", "x"}}));
        QVERIFY(setup.get().has_value() && setup.date.empty());
    }

    void settingsAreChecked()
    {
        Setup setup;
        QCOMPARE(setup.apiOf("", lambda::settingsOf), std::string("https://cloud.lambda.ai"));
        QCOMPARE(setup.apiOf("https://cloud.lambdalabs.com/api/v1/", lambda::settingsOf),
                 std::string("https://cloud.lambdalabs.com"));
        setup.settings.auth.kind = model::AuthSettings::Kind::None;
        QVERIFY(lambda::settingsOf(setup.settings).error().code == ErrorCode::InvalidConfig);
    }
};

GPULEDGER_SUITE(TestLambdaApi)

} // namespace tst_lambdaapi

#include "tst_lambdaapi.moc"
