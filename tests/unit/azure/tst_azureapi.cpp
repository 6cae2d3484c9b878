// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, tokens, waits and errors of the questions to Azure.
#include "app/base/remedy.h"
#include "connectors/azure/costs/costapi.h"
#include "tests/support/suite.h"
#include "tests/unit/azure/fakesecrets.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

#include <functional>

namespace tst_azureapi {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using Kind = model::AuthSettings::Kind;

namespace {

constexpr const char *kToken = "{'token_type':'Bearer','expires_in':3599,'access_token':'abc'}";

struct Setup {
    Setup()
    {
        settings.name = "bill";
        settings.auth.kind = Kind::Basic;
        settings.auth.user = "app";
        settings.auth.password = {model::SecretRef::Kind::Environment, "S", {}};
        settings.auth.token = settings.auth.password;
        settings.options = {{"scope", "11111111-2222-3333-4444-555555555555"}, {"tenant", "contoso.example"}};
    }
    base::Result<http::Response> post()
    {
        auto client = std::make_shared<ScriptedClient>([this](const http::Request &request) {
            sent.push_back(request);
            const bool isLogin = request.url.find("/oauth2/") != std::string::npos;
            auto &from = isLogin ? logins : answers;
            if (from.empty())
                return base::Result<http::Response>(isLogin ? answer(js(kToken)) : answer("{}"));
            http::Response first = from.front();
            from.erase(from.begin());
            return base::Result<http::Response>(std::move(first));
        });
        azure::Tuning tuning;
        tuning.pause = pause;
        tuning.realClock = &clock;
        azure::CostApi api(settings, *azure::CostSettings::of(settings), secrets, client, tuning);
        return api.post("https://management.azure.com/x", "{}", {});
    }

    model::SourceSettings settings;
    CountedSecret secrets;
    base::FrozenClock clock{*base::parseTime("2026-11-20T10:00:00Z")};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    std::vector<http::Response> answers, logins; // in this order; afterwards they succeed
    std::vector<http::Request> sent;
};

} // namespace

class TestAzureApi : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sendsAClientCredential()
    {
        Setup setup;
        QVERIFY(setup.post().has_value());
        QCOMPARE(setup.sent.size(), std::size_t{2});
        QCOMPARE(setup.sent[0].url, std::string("https://login.microsoftonline.com/contoso.example/oauth2/v2.0/token"));
        QVERIFY(setup.sent[0].body.find("client_secret=s%2Be%2Fc%3Dr%26t") != std::string::npos);
        QVERIFY(setup.sent[0].body.find("scope=https%3A%2F%2Fmanagement.azure.com%2F.default") != std::string::npos);
        QVERIFY(setup.sent[1].credentials && setup.sent[1].credentials->bearer.reveal() == "abc");
        QVERIFY(!setup.sent[1].followsRedirects);
    }

    void asksTheMachineForItsIdentity()
    {
        Setup setup;
        setup.settings.auth.kind = Kind::None;
        QVERIFY(setup.post().has_value());
        QCOMPARE(setup.sent[0].method, std::string("GET"));
        QVERIFY(setup.sent[0].toMachine && setup.sent[0].url.starts_with("http://169.254.169.254/metadata/identity/"));
    }

    void aTokenAsGivenIsReadAgainWhenItIsRefused()
    {
        Setup setup;
        setup.settings.auth.kind = Kind::Bearer;
        setup.answers = {answer("", 401)};
        QVERIFY(setup.post().has_value());
        QCOMPARE(setup.secrets.reads, 2);
        setup.answers = {answer("", 401), answer("", 401)};
        QVERIFY(setup.post().error().code == ErrorCode::Unauthorized);
    }

    void explainsARefusedLogin_data()
    {
        QTest::addColumn<QString>("number");
        QTest::addColumn<int>("remedy"); // one that is translated
        const auto row = [](const char *name, const char *number, base::Remedy remedy) {
            QTest::newRow(name) << QString::fromLatin1(number) << static_cast<int>(remedy);
        };
        row("wrong", "7000215", base::Remedy::StoreAzureSecretValue);
        row("expired", "7000222", base::Remedy::CreateAzureSecret);
        row("application", "700016", base::Remedy::CheckAzureApplication);
        row("tenant", "90002", base::Remedy::CheckAzureTenant);
        row("disabled", "7000112", base::Remedy::EnableAzureApplication);
        row("clock", "700024", base::Remedy::CorrectClock);
        row("other", "53003", base::Remedy::CheckAuth);
    }
    void explainsARefusedLogin()
    {
        QFETCH(QString, number);
        QFETCH(int, remedy);
        const std::string body = js("{'error':'invalid_client','error_description':'AADSTS" + number.toStdString()
                                    + ": said so','error_codes':[" + number.toStdString() + "]}");
        for (const int status : {400, 401}) {
            const base::Error error = azure::loginErrorOf(status, body, "https://login.example");
            QVERIFY(error.code == ErrorCode::Unauthorized);
            QCOMPARE(error.hint, std::string(base::text(static_cast<base::Remedy>(remedy))));
        }
    }

    void namesTheDifferenceOfAWrongClock_data()
    {
        QTest::addColumn<QByteArray>("date");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("behind") << QByteArray("Fri, 20 Nov 2026 10:10:00 GMT") << QByteArray("is 10 minutes behind");
        QTest::newRow("ahead") << QByteArray("Fri, 20 Nov 2026 09:50:00 GMT") << QByteArray("is 10 minutes ahead of");
        QTest::newRow("hours") << QByteArray("Fri, 20 Nov 2026 13:20:00 GMT") << QByteArray("is 3 hours behind");
        QTest::newRow("days") << QByteArray("Tue, 17 Nov 2026 10:00:00 GMT") << QByteArray("is 3 days ahead of");
        QTest::newRow("right") << QByteArray("Fri, 20 Nov 2026 10:01:59 GMT") << QByteArray();
        QTest::newRow("none") << QByteArray("tomorrow") << QByteArray();
    }
    void namesTheDifferenceOfAWrongClock()
    {
        QFETCH(QByteArray, date);
        QFETCH(QByteArray, words);
        http::Response refused = answer("", 401);
        refused.headers = {{"date", date.toStdString()}};
        for (const bool isLogin : {true, false}) {
            Setup setup;
            (isLogin ? setup.logins : setup.answers) = {refused, refused};
            const auto posted = setup.post();
            QVERIFY(!posted && posted.error().code == ErrorCode::Unauthorized);
            const std::string sentence = posted.error().text;
            QVERIFY2(sentence.ends_with(words.isEmpty() ? "" : words.toStdString() + " the server's"),
                     sentence.c_str());
            QCOMPARE(sentence.find("clock") != std::string::npos, !words.isEmpty());
            QCOMPARE(posted.error().hint.find("clock") != std::string::npos, !words.isEmpty());
        }
        Setup forbidden; // is not a matter of time
        forbidden.answers = {refused};
        forbidden.answers.front().status = 403;
        QVERIFY(forbidden.post().error().text.find("clock") == std::string::npos);
    }

    void waitsForTheLargestHeader()
    {
        Setup setup;
        http::Response busy = answer("", 429);
        busy.retryAfter = base::Seconds{5};
        busy.headers = {{"x-ms-ratelimit-microsoft.costmanagement-qpu-retry-after", "40"},
                        {"x-ms-ratelimit-microsoft.costmanagement-client-retry-after", "7"},
                        {"x-ms-ratelimit-microsoft.costmanagement-qpu-consumed", "900"}};
        setup.answers = {busy, busy};
        QVERIFY(setup.post().has_value());
        QCOMPARE(setup.pause->waits, (std::vector<http::Milliseconds>(2, http::Milliseconds{40'000})));
        // Not for ever.
        setup.answers.assign(100, busy);
        QVERIFY(setup.post().error().code == ErrorCode::RateLimited);
        QVERIFY(setup.sent.size() < 30);
    }

    void namesTheMissingRole()
    {
        Setup setup;
        setup.answers = {answer(js("{'error':{'code':'AuthorizationFailed','message':'no\\u001b'}}"), 403)};
        const auto refused = setup.post();
        QVERIFY(!refused && refused.error().code == ErrorCode::Forbidden);
        QVERIFY(refused.error().text.find("Cost Management Reader") != std::string::npos);
        QVERIFY(refused.error().text.find('\x1b') == std::string::npos);
        QVERIFY(refused.error().hint.find("/subscriptions/11111111") != std::string::npos);
    }

    void failuresAreTriedAgainAFewTimes()
    {
        Setup setup;
        setup.answers = {answer("", 500), answer("", 502)};
        setup.logins = {answer("", 503)};
        QVERIFY(setup.post().has_value());
        setup.answers.assign(100, answer("", 500));
        QVERIFY(setup.post().error().code == ErrorCode::Server);
        QVERIFY(setup.answers.size() > 90);
    }

    void checksSettings()
    {
        const auto codeOf = [](const std::function<void(model::SourceSettings &)> &change) {
            Setup setup;
            change(setup.settings);
            const auto made = azure::CostSettings::of(setup.settings);
            return made ? ErrorCode::Cancelled : made.error().code;
        };
        for (const char *scope :
             {"", "x", "/subscriptions/", "/subscriptions/../x", "/subscriptions/a?b", "/providers/x"})
            QVERIFY(codeOf([&](auto &settings) { settings.options["scope"] = scope; }) == ErrorCode::InvalidConfig);
        QVERIFY(codeOf([](auto &settings) { settings.options["tenant"] = "a/b"; }) == ErrorCode::InvalidConfig);
        QVERIFY(codeOf([](auto &settings) { settings.options["login"] = "http://login.example"; })
                == ErrorCode::InvalidConfig); // the secret would be readable
        QVERIFY(codeOf([](auto &settings) { settings.auth.kind = Kind::SigV4; }) == ErrorCode::InvalidConfig);
        for (const char *scope : {"/subscriptions/a/resourceGroups/my.group_(1)",
                                  "/providers/Microsoft.Billing/billingAccounts/a:b_2019-05-31"})
            QVERIFY(codeOf([&](auto &settings) { settings.options["scope"] = scope; }) == ErrorCode::Cancelled);
        Setup setup;
        setup.settings.url = "https://management.usgovcloudapi.net/";
        const auto government = azure::CostSettings::of(setup.settings);
        QCOMPARE(government->manager.login.audience, std::string("https://management.usgovcloudapi.net"));
        QCOMPARE(government->manager.login.address, std::string("https://login.microsoftonline.us"));
    }
};

GPULEDGER_SUITE(TestAzureApi)

} // namespace tst_azureapi

#include "tst_azureapi.moc"
