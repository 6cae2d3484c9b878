// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, waits and errors of the questions to RunPod.
#include "app/base/remedy.h"
#include "connectors/runpod/runpodapi.h"
#include "tests/support/keyedsetup.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_runpodapi {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

struct Setup : KeyedSetup {
    base::Result<std::string> get()
    {
        return api("https://api.runpod.io", {}, runpod::refusalOf).get("/v2/billing/pods", {{"bucketSize", "day"}}, {});
    }
};

http::Response problem(int status, const std::string &detail)
{
    return answer(
        js("{'title':'T','status':" + std::to_string(status) + ",'detail':'" + detail + "','errors':['$.x']}"), status,
        "application/problem+json");
}

} // namespace

class TestRunpodApi : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sendsTheKeyToThisAddressOnly()
    {
        Setup setup;
        QVERIFY(setup.get().has_value());
        QCOMPARE(setup.sent[0].url, std::string("https://api.runpod.io/v2/billing/pods?bucketSize=day"));
        QCOMPARE(setup.sent[0].method, std::string("GET"));
        QVERIFY(setup.sent[0].credentials->bearer.reveal() == "canary-credential");
        QVERIFY(!setup.sent[0].followsRedirects);
    }

    void aKeyIsReadAgainWhenItIsRejected()
    {
        Setup setup;
        setup.answers = {problem(401, "bad canary-credential")};
        const auto refused = setup.get();
        QVERIFY(!refused && refused.error().code == ErrorCode::Unauthorized);
        QCOMPARE(setup.sent.size(), std::size_t{1}); // it was read just now
        QVERIFY(refused.error().text.find("canary") == std::string::npos);
        QVERIFY(refused.error().text.find("bad ") != std::string::npos);
        QVERIFY(refused.error().text.find("RunPod console") != std::string::npos);
    }

    void explainsRefusals()
    {
        Setup setup;
        setup.answers = {problem(403, "access denied")};
        const auto denied = setup.get();
        QVERIFY(!denied && denied.error().code == ErrorCode::Forbidden);
        QVERIFY(denied.error().text.find("access denied: $.x") != std::string::npos);
        QVERIFY(denied.error().text.find("Read Only") != std::string::npos);
        setup.answers = {problem(404, "x")};
        QCOMPARE(setup.get().error().hint, std::string(base::text(base::Remedy::CheckUrl)));
        setup.answers = {answer("<html>", 200, "text/html")};
        QVERIFY(setup.get().error().code == ErrorCode::Unauthorized);
        QCOMPARE(setup.sent.size(), std::size_t{3}); // none of these is asked again
    }

    void waitsAsLongAsItIsAsked()
    {
        Setup setup;
        setup.answers = {problem(429, "slow"), problem(503, "busy"), problem(500, "oops")};
        setup.answers[0].retryAfter = base::Seconds{40};
        setup.answers[1].retryAfter = base::Seconds{7};
        QVERIFY(setup.get().has_value());
        QCOMPARE(setup.pause->waits.size(), std::size_t{3});
        QVERIFY(setup.pause->waits[0] >= http::Milliseconds{40'000});
        QVERIFY(setup.pause->waits[1] >= http::Milliseconds{7'000});
        setup.answers.assign(100, problem(429, "slow"));
        QVERIFY(setup.get().error().code == ErrorCode::RateLimited);
    }

    void settingsAreChecked()
    {
        Setup setup;
        QCOMPARE(setup.apiOf("", runpod::settingsOf), std::string("https://api.runpod.io"));
        QCOMPARE(setup.apiOf("https://x.example/v2/", runpod::settingsOf), std::string("https://x.example"));
        setup.settings.options["refresh"] = "1h";
        QVERIFY(runpod::settingsOf(setup.settings)->refresh == base::Seconds{3600});
        setup.settings.auth.kind = model::AuthSettings::Kind::None;
        const auto keyless = runpod::settingsOf(setup.settings);
        QVERIFY(!keyless && keyless.error().code == ErrorCode::InvalidConfig);
        QVERIFY(keyless.error().hint.find("bearer") != std::string::npos);
    }
};

GPULEDGER_SUITE(TestRunpodApi)

} // namespace tst_runpodapi

#include "tst_runpodapi.moc"
