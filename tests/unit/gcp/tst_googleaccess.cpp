// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens of the machine, of identity pools and of impersonated accounts: requests, limits and refusals.
#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "connectors/gcp/access/googletoken.h"
#include "connectors/gcp/googleapi.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <functional>
#include <optional>

namespace tst_googleaccess {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using Json = nlohmann::json;
using Kind = model::AuthSettings::Kind;

namespace {

constexpr const char *kApi = "https://compute.googleapis.com";
constexpr const char *kScope = "https://www.googleapis.com/auth/compute.readonly";
constexpr const char *kSts = "https://sts.googleapis.com/v1/token";
constexpr const char *kImpersonate =
    "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/ledger@lab.iam.gserviceaccount.com"
    ":generateAccessToken";
constexpr const char *kSubject = "canary-subject-token";

http::Response machineAnswer(const std::string &body, int status = 200)
{
    http::Response out = answer(body, status);
    out.headers = {{"metadata-flavor", "Google"}};
    return out;
}

http::Response impersonatedAnswer(const std::string &end = "2026-11-20T11:00:00Z", const char *date = nullptr)
{
    http::Response out = answer(js("{'accessToken':'canary-robot','expireTime':'" + end + "'}"));
    if (date)
        out.headers = {{"date", date}};
    return out;
}

// The text of a form's field, decoded.
std::string fieldOf(const http::Request &request, const std::string &name)
{
    const QByteArray begin = QByteArray::fromStdString(name + '=');
    for (const QByteArray &pair : QByteArray::fromStdString(request.body).split('&')) {
        if (pair.startsWith(begin))
            return QByteArray::fromPercentEncoding(pair.mid(begin.size())).toStdString();
    }
    return {};
}

struct Setup {
    explicit Setup(Kind kind = Kind::Bearer)
    {
        settings.name = "cloud";
        settings.auth.kind = kind;
        settings.auth.token = {model::SecretRef::Kind::Environment, "S", {}};
        put("token", kSubject);
        file = {{"type", "external_account"},
                {"audience", "//iam.googleapis.com/projects/7/locations/global/workloadIdentityPools/p/providers/x"},
                {"subject_token_type", "urn:ietf:params:oauth:token-type:jwt"},
                {"token_url", kSts},
                {"credential_source", {{"file", path("token")}}}};
    }
    std::string path(const char *name) const { return folder.filePath(QLatin1String(name)).toStdString(); }
    void put(const char *name, const std::string &text) const
    {
        QFile out(folder.filePath(QLatin1String(name)));
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(text.data(), static_cast<qint64>(text.size())), static_cast<qint64>(text.size()));
    }
    // The next token; the object is kept, so that it may have one.
    base::Result<std::string> get()
    {
        secrets.set(file.is_null() ? "canary-plain" : file.dump());
        if (!token) {
            auto client = std::make_shared<ScriptedClient>([this](const http::Request &request) {
                sent.push_back(request);
                if (isDown)
                    return base::Result<http::Response>(base::fail(ErrorCode::Network, "no route to host"));
                if (!answers.empty()) {
                    http::Response first = answers.front();
                    answers.erase(answers.begin());
                    return base::Result<http::Response>(std::move(first));
                }
                return base::Result<http::Response>(
                    answer(js("{'access_token':'canary-federated','expires_in':3600}")));
            });
            token.emplace(settings, kApi, kScope, secrets, pause, gcp::TokenWire{client, {}, {}, &clock, metadataHost});
        }
        const auto given = token->get({});
        if (!given)
            return base::fail(given.error());
        return std::string((*given)->bearer.reveal());
    }
    ErrorCode code()
    {
        const auto given = get();
        return given ? ErrorCode::Cancelled : given.error().code;
    }

    QTemporaryDir folder;
    model::SourceSettings settings;
    OneSecret secrets;
    base::FrozenClock clock{*base::parseTime("2026-11-20T10:00:00Z")};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    std::string metadataHost;
    Json file;
    bool isDown = false;
    std::vector<http::Response> answers; // in this order; afterwards they succeed
    std::vector<http::Request> sent;
    std::optional<gcp::GoogleToken> token;
};

bool hasRemedy(const base::Error &error, base::Remedy remedy)
{
    return error.hint == base::text(remedy);
}

} // namespace

class TestGoogleAccess : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asksTheMachineForItsToken()
    {
        Setup setup(Kind::None);
        setup.answers = {
            machineAnswer(js("{'access_token':'canary-machine','expires_in':3599,'token_type':'Bearer'}"))};
        QCOMPARE(setup.get().value(), std::string("canary-machine"));
        QCOMPARE(setup.get().value(), std::string("canary-machine"));
        QCOMPARE(setup.sent.size(), std::size_t{1});
        const http::Request &request = setup.sent[0];
        QCOMPARE(request.method + ' ' + request.url,
                 std::string("GET http://169.254.169.254/computeMetadata/v1/instance/service-accounts/default/token"));
        QVERIFY((request.headers == http::Parameters{{"Metadata-Flavor", "Google"}}));
        QVERIFY(request.toMachine && !request.followsRedirects && !request.credentials);
        QCOMPARE(request.timeouts.connect.count(), std::int64_t{1000});
        QCOMPARE(setup.secrets.reads, 0);
        QCOMPARE(base::log::redacted("got canary-machine"), std::string("got ***"));
    }

    void theMachinesTokenIsRenewedBeforeItsEnd()
    {
        Setup setup(Kind::None);
        const auto given = machineAnswer(js("{'access_token':'canary-machine','expires_in':3600}"));
        setup.answers = {given, given, given};
        QVERIFY(setup.get().has_value());
        setup.pause->pass(std::chrono::seconds(3299));
        QVERIFY(setup.get().has_value());
        QCOMPARE(setup.sent.size(), std::size_t{1});
        setup.pause->pass(std::chrono::seconds(1));
        QVERIFY(setup.get().has_value());
        QCOMPARE(setup.sent.size(), std::size_t{2});
        setup.token->drop(); // it was refused
        QVERIFY(setup.get().has_value());
        QCOMPARE(setup.sent.size(), std::size_t{3});
    }

    void whatIsNoMetadataServerIsNotBelieved()
    {
        const std::string good = js("{'access_token':'canary-other','expires_in':3600}");
        http::Response wrong = answer(good);
        wrong.headers = {{"metadata-flavor", "Microsoft"}};
        for (const http::Response &one : {answer(good), wrong, answer("", 404), answer("", 302)}) {
            Setup setup(Kind::None);
            setup.answers = {one};
            const auto given = setup.get();
            QVERIFY(!given && given.error().code == ErrorCode::NotFound && !given.error().retryable);
            QVERIFY(given.error().text.find("is not Google's metadata server") != std::string::npos);
            QVERIFY(hasRemedy(given.error(), base::Remedy::AttachGoogleAccount));
        }
    }

    void explainsAMachineWithoutAnAccount()
    {
        Setup none(Kind::None);
        none.answers = {machineAnswer("not found", 404)};
        const auto missing = none.get();
        QVERIFY(!missing && missing.error().code == ErrorCode::NotFound);
        QVERIFY(hasRemedy(missing.error(), base::Remedy::AttachGoogleAccount));
        Setup elsewhere(Kind::None);
        elsewhere.isDown = true;
        const auto away = elsewhere.get();
        QVERIFY(!away && away.error().code == ErrorCode::NotFound && !away.error().retryable);
        QVERIFY(away.error().text.find("this machine has no service account of Google Cloud") == 0);
        Setup busy(Kind::None);
        busy.answers = {machineAnswer("", 503)};
        QVERIFY(busy.get().error().retryable);
        for (const char *body :
             {"", "[]", "{}", "{'access_token':''}", "{'access_token':'a b'}", "{'access_token':7}"}) {
            Setup setup(Kind::None);
            setup.answers = {machineAnswer(js(body))};
            QVERIFY2(setup.code() == ErrorCode::Parse, body);
        }
        Setup redirected(Kind::None);
        redirected.answers = {machineAnswer("", 302)};
        QVERIFY(!redirected.get());
        QCOMPARE(redirected.sent.size(), std::size_t{1});
    }

    void anotherMetadataServerIsOnThisMachine_data()
    {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("address"); // empty: refused
        const auto row = [](const char *host, const char *address) {
            QTest::newRow(host) << QString::fromLatin1(host) << QString::fromLatin1(address);
        };
        row("127.0.0.1:8080", "http://127.0.0.1:8080");
        row("localhost:8080", "http://localhost:8080");
        row("[::1]:8080", "http://[::1]:8080");
        row("169.254.169.252:987", "http://169.254.169.252:987");
        row("metadata.google.internal", "http://169.254.169.254");
        row("metadata.google.internal:80", "http://169.254.169.254");
        row("metadata.google.internal:8080", "http://169.254.169.254:8080");
        for (const char *bad :
             {"10.0.0.1", "evil.example", "metadata.google.internal.evil.example", "127.0.0.1@evil.example",
              "127.0.0.1/x", "127.0.0.1?x", "127.0.0.1#x", "https://127.0.0.1", "0.0.0.0", "[fd00::1]:80",
              "127.0.0.1 evil.example", "%31%32%37.0.0.1.evil.example"})
            row(bad, "");
    }
    void anotherMetadataServerIsOnThisMachine()
    {
        QFETCH(QString, host);
        QFETCH(QString, address);
        Setup setup(Kind::None);
        setup.metadataHost = host.toStdString();
        setup.answers = {machineAnswer(js("{'access_token':'canary-machine','expires_in':60}"))};
        const auto given = setup.get();
        QCOMPARE(given.has_value(), !address.isEmpty());
        if (given) {
            QVERIFY(setup.sent[0].url.starts_with(address.toStdString() + "/computeMetadata/"));
            return;
        }
        QVERIFY(given.error().code == ErrorCode::InvalidConfig && setup.sent.empty());
        QVERIFY(hasRemedy(given.error(), base::Remedy::UnsetMetadataHost));
    }

    void exchangesTheTokenOfAFile()
    {
        Setup setup;
        setup.put("token", std::string("\n ") + kSubject + " \r\n");
        setup.file["quota_project_id"] = "lab-tools";
        QCOMPARE(setup.get().value(), std::string("canary-federated"));
        QCOMPARE(setup.sent.size(), std::size_t{1});
        const http::Request &request = setup.sent[0];
        QCOMPARE(request.method + ' ' + request.url, std::string("POST ") + kSts);
        QVERIFY(!request.followsRedirects && !request.credentials && !request.toMachine);
        QCOMPARE(fieldOf(request, "grant_type"), std::string("urn:ietf:params:oauth:grant-type:token-exchange"));
        QCOMPARE(fieldOf(request, "requested_token_type"),
                 std::string("urn:ietf:params:oauth:token-type:access_token"));
        QCOMPARE(fieldOf(request, "subject_token_type"), std::string("urn:ietf:params:oauth:token-type:jwt"));
        QCOMPARE(fieldOf(request, "audience"), setup.file["audience"].get<std::string>());
        QCOMPARE(fieldOf(request, "subject_token"), std::string(kSubject));
        QCOMPARE(fieldOf(request, "scope"), std::string(kScope));
        QCOMPARE(fieldOf(request, "options"), std::string());
        QCOMPARE(setup.token->quotaProject(), std::string("lab-tools"));
        QCOMPARE(base::log::redacted(std::string("a ") + kSubject + " b"), std::string("a *** b"));
        // Whoever puts it there renews it.
        setup.put("token", "canary-subject-2");
        setup.token->drop();
        QVERIFY(setup.get().has_value());
        QCOMPARE(fieldOf(setup.sent[1], "subject_token"), std::string("canary-subject-2"));
    }

    void theClientOfAPoolOrItsProjectIsNamed()
    {
        Setup client;
        client.file["client_id"] = "pool-client";
        client.file["client_secret"] = "canary-client-secret";
        client.file["workforce_pool_user_project"] = "42";
        QVERIFY(client.get().has_value());
        QVERIFY(client.sent[0].credentials && client.sent[0].credentials->user == "pool-client");
        QVERIFY(client.sent[0].credentials->password.reveal() == "canary-client-secret");
        QCOMPARE(fieldOf(client.sent[0], "options"), std::string());
        QCOMPARE(base::log::redacted("x canary-client-secret"), std::string("x ***"));
        Setup project;
        project.file["workforce_pool_user_project"] = "42";
        QVERIFY(project.get().has_value());
        QCOMPARE(fieldOf(project.sent[0], "options"), std::string("{\"userProject\":\"42\"}"));
    }

    void exchangesTheTokenOfAnAddress()
    {
        Setup setup;
        setup.settings.headers = {{"X-Ours", "1"}};
        setup.file["credential_source"] = Json::parse(
            js("{'url':'https://ci.example/token?audience=x','headers':{'Authorization':'bearer canary-ci-secret'},"
               "'format':{'type':'json','subject_token_field_name':'value'}}"));
        setup.answers = {answer(js("{'value':' canary-of-ci ','count':1}"))};
        QCOMPARE(setup.get().value(), std::string("canary-federated"));
        QCOMPARE(setup.sent.size(), std::size_t{2});
        QCOMPARE(setup.sent[0].method + ' ' + setup.sent[0].url,
                 std::string("GET https://ci.example/token?audience=x"));
        QVERIFY((setup.sent[0].headers == http::Parameters{{"Authorization", "bearer canary-ci-secret"}}));
        QVERIFY(!setup.sent[0].credentials && !setup.sent[0].followsRedirects);
        QCOMPARE(fieldOf(setup.sent[1], "subject_token"), std::string("canary-of-ci"));
        QCOMPARE(base::log::redacted("x bearer canary-ci-secret"), std::string("x ***"));
        setup.token->drop();
        setup.answers = {answer("{\"value\":\"canary", 403)};
        const auto refused = setup.get();
        QVERIFY(!refused && refused.error().text.find("canary") == std::string::npos);
        QVERIFY(hasRemedy(refused.error(), base::Remedy::CheckSubjectToken));
    }

    void impersonatesAServiceAccount()
    {
        Setup setup;
        setup.file["service_account_impersonation_url"] = kImpersonate;
        setup.file["service_account_impersonation"] = {{"token_lifetime_seconds", 1800}};
        setup.answers = {answer(js("{'access_token':'canary-federated','expires_in':3600}")),
                         impersonatedAnswer("2026-11-20T10:30:00Z")};
        QCOMPARE(setup.get().value(), std::string("canary-robot"));
        QCOMPARE(setup.sent.size(), std::size_t{2});
        QCOMPARE(fieldOf(setup.sent[0], "scope"), std::string("https://www.googleapis.com/auth/cloud-platform"));
        QCOMPARE(setup.sent[1].method + ' ' + setup.sent[1].url, std::string("POST ") + kImpersonate);
        QVERIFY(setup.sent[1].credentials && setup.sent[1].credentials->bearer.reveal() == "canary-federated");
        QVERIFY(Json::parse(setup.sent[1].body) == Json({{"scope", {kScope}}, {"lifetime", "1800s"}}));
        QVERIFY(!setup.sent[1].followsRedirects);
        QCOMPARE(base::log::redacted("x canary-robot"), std::string("x ***"));
    }

    // The end is compared with the clock of the service: this computer's is an hour ahead, or has no right time at all.
    void theEndOfAnImpersonatedTokenIsTheServers_data()
    {
        QTest::addColumn<QString>("end");
        QTest::addColumn<QByteArray>("date");
        QTest::addColumn<int>("lasts"); // seconds until it is renewed
        QTest::newRow("date") << "2026-11-20T10:00:00Z" << QByteArray("Fri, 20 Nov 2026 09:00:00 GMT") << 3300;
        QTest::newRow("ours") << "2026-11-20T10:10:00Z" << QByteArray() << 300;
        QTest::newRow("fraction") << "2026-11-20T10:10:00.123456Z" << QByteArray() << 300;
        QTest::newRow("far") << "2036-11-20T10:10:00Z" << QByteArray() << 3300; // as was asked for
        QTest::newRow("over") << "2016-11-20T10:10:00Z" << QByteArray() << 0;
    }
    void theEndOfAnImpersonatedTokenIsTheServers()
    {
        QFETCH(QString, end);
        QFETCH(QByteArray, date);
        QFETCH(int, lasts);
        Setup setup;
        setup.file["service_account_impersonation_url"] = kImpersonate;
        const auto pair = [&] {
            setup.answers = {answer(js("{'access_token':'canary-federated','expires_in':3600}")),
                             impersonatedAnswer(end.toStdString(), date.isEmpty() ? nullptr : date.constData())};
        };
        pair();
        QVERIFY(setup.get().has_value());
        if (lasts > 0) {
            setup.pause->pass(std::chrono::seconds(lasts - 1));
            QVERIFY(setup.get().has_value());
            QCOMPARE(setup.sent.size(), std::size_t{2});
            setup.pause->pass(std::chrono::seconds(1));
        }
        pair();
        QVERIFY(setup.get().has_value());
        QCOMPARE(setup.sent.size(), std::size_t{4});
    }

    void aUserImpersonatesAServiceAccount()
    {
        Setup setup;
        setup.file =
            Json::parse(js("{'type':'impersonated_service_account','delegates':['projects/-/serviceAccounts/d'],"
                           "'source_credentials':{'type':'authorized_user','client_id':'c','client_secret':"
                           "'canary-secret','refresh_token':'canary-refresh'},'quota_project_id':'lab-tools'}"));
        setup.file["service_account_impersonation_url"] = kImpersonate;
        setup.answers = {answer(js("{'access_token':'canary-user','expires_in':3600}")), impersonatedAnswer()};
        QCOMPARE(setup.get().value(), std::string("canary-robot"));
        QCOMPARE(fieldOf(setup.sent[0], "grant_type"), std::string("refresh_token"));
        QVERIFY(Json::parse(setup.sent[1].body)["delegates"] == Json({"projects/-/serviceAccounts/d"}));
        QCOMPARE(setup.token->quotaProject(), std::string("lab-tools"));
        Setup nested;
        nested.file = {{"type", "impersonated_service_account"},
                       {"service_account_impersonation_url", kImpersonate},
                       {"source_credentials", setup.file}};
        QVERIFY(nested.code() == ErrorCode::Unsupported);
        nested.file.erase("source_credentials");
        nested.token.reset();
        QVERIFY(nested.code() == ErrorCode::InvalidConfig);
        QVERIFY(nested.sent.empty());
    }

    void aCredentialFileSendsItsCredentialToGoogleAlone_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("isAllowed");
        QTest::newRow("regional") << "https://sts.europe-west4.rep.googleapis.com/v1/token" << true;
        QTest::newRow("private") << "https://sts-lab.p.googleapis.com/v1/token" << true;
        QTest::newRow("none") << "" << false;
        QTest::newRow("other") << "https://evil.example/v1/token" << false;
        QTest::newRow("looks alike") << "https://sts.googleapis.com.evil.example/v1/token" << false;
        QTest::newRow("ends alike") << "https://stsgoogleapis.com/v1/token" << false;
        QTest::newRow("user") << "https://sts.googleapis.com@evil.example/v1/token" << false;
        QTest::newRow("plain") << "http://sts.googleapis.com/v1/token" << false;
        QTest::newRow("port") << "https://sts.googleapis.com:8443/v1/token" << false;
        QTest::newRow("loopback") << "http://127.0.0.1:8080/v1/token" << false;
    }
    void aCredentialFileSendsItsCredentialToGoogleAlone()
    {
        QFETCH(QString, address);
        QFETCH(bool, isAllowed);
        Setup exchange;
        exchange.file["token_url"] = address.toStdString();
        QVERIFY((exchange.code() == ErrorCode::InvalidConfig) != isAllowed);
        QCOMPARE(exchange.sent.empty(), !isAllowed);
        Setup impersonation;
        impersonation.file["service_account_impersonation_url"] = address.toStdString() + ":generateAccessToken";
        impersonation.answers = {answer(js("{'access_token':'canary-federated','expires_in':3600}")),
                                 impersonatedAnswer()};
        QVERIFY((impersonation.code() == ErrorCode::InvalidConfig) != isAllowed);
        QCOMPARE(impersonation.sent.empty(), !isAllowed);
    }

    void explainsAWrongCredentialFile_data()
    {
        QTest::addColumn<QString>("patch"); // RFC 7396
        QTest::addColumn<bool>("isUnsupported");
        const auto row = [](const char *patch, bool isUnsupported = false) {
            QTest::newRow(patch) << QString::fromLatin1(patch) << isUnsupported;
        };
        row("{'audience':null}");
        row("{'subject_token_type':null}");
        row("{'credential_source':null}");
        row("{'credential_source':7}");
        row("{'credential_source':{'file':null}}");
        row("{'credential_source':{'file':'token'}}"); // relative to what?
        row("{'credential_source':{'url':'https://ci.example'}}"); // and a file
        row("{'credential_source':{'file':null,'url':'http://ci.example/token'}}");
        row("{'credential_source':{'file':null,'url':'ftp://ci.example/token'}}");
        row("{'credential_source':{'file':null,'url':'https://a:b@ci.example/token'}}");
        row("{'credential_source':{'headers':['a']}}");
        row("{'credential_source':{'headers':{'a':1}}}");
        row("{'credential_source':{'format':{'type':'json'}}}");
        row("{'credential_source':{'format':{'type':'xml'}}}");
        row("{'service_account_impersonation_url':'https://iamcredentials.googleapis.com/v1/x:generateIdToken'}");
        row("{'service_account_impersonation_url':'https://iamcredentials.googleapis.com/v1/x:generateAccessToken',"
            "'service_account_impersonation':{'token_lifetime_seconds':599}}");
        row("{'service_account_impersonation_url':'https://iamcredentials.googleapis.com/v1/x:generateAccessToken',"
            "'service_account_impersonation':{'token_lifetime_seconds':'3600'}}");
        row("{'type':'gdch_service_account'}", true);
        row("{'credential_source':{'executable':{'command':'/bin/true'}}}", true);
        row("{'credential_source':{'environment_id':'aws1'}}", true);
        row("{'credential_source':{'certificate':{}}}", true);
    }
    void explainsAWrongCredentialFile()
    {
        QFETCH(QString, patch);
        QFETCH(bool, isUnsupported);
        Setup setup;
        setup.file.merge_patch(Json::parse(js(patch.toStdString())));
        const auto given = setup.get();
        QVERIFY(!given);
        QVERIFY(given.error().code == (isUnsupported ? ErrorCode::Unsupported : ErrorCode::InvalidConfig));
        QVERIFY(!given.error().hint.empty() && setup.sent.empty());
    }

    void explainsASubjectTokenThatIsNone()
    {
        const auto codeOf = [](const std::function<void(Setup &)> &change) {
            Setup setup;
            change(setup);
            const auto given = setup.get();
            return given || !setup.sent.empty() || !hasRemedy(given.error(), base::Remedy::CheckSubjectToken)
                    || given.error().text.find("canary") != std::string::npos
                ? ErrorCode::Cancelled
                : given.error().code;
        };
        const auto asJson = [](Setup &setup) {
            setup.file["credential_source"]["format"] = {{"type", "json"}, {"subject_token_field_name", "value"}};
        };
        QVERIFY(codeOf([](Setup &s) { QFile::remove(QString::fromStdString(s.path("token"))); })
                == ErrorCode::NotFound);
        QVERIFY(codeOf([](Setup &s) { s.put("token", ""); }) == ErrorCode::Unauthorized);
        QVERIFY(codeOf([](Setup &s) { s.put("token", " \r\n"); }) == ErrorCode::Unauthorized);
        QVERIFY(codeOf([](Setup &s) { s.put("token", std::string(65'537, 'x')); }) == ErrorCode::TooMuch);
        QVERIFY(codeOf([](Setup &s) { s.file["credential_source"]["file"] = s.folder.path().toStdString(); })
                == ErrorCode::Unauthorized);
        QVERIFY(codeOf([](Setup &s) { s.file["credential_source"]["file"] = "/dev/zero"; }) == ErrorCode::Unauthorized);
        QVERIFY(codeOf([](Setup &s) { // nobody writes into it
                    QCOMPARE(mkfifo(s.path("pipe").c_str(), 0600), 0);
                    s.file["credential_source"]["file"] = s.path("pipe");
                })
                == ErrorCode::Unauthorized);
        for (const char *text : {"canary-no-json", "[]", "{}", "{'value':7}", "{'value':''}", "{'value':'canary"})
            QVERIFY2(codeOf([&](Setup &s) {
                         asJson(s);
                         s.put("token", js(text));
                     }) == ErrorCode::Unauthorized,
                     text);
        Setup most;
        most.put("token", std::string(65'536, 'x'));
        QVERIFY(most.get().has_value());
    }

    void explainsARefusedExchange()
    {
        Setup setup;
        http::Response no =
            answer(js("{'error':'invalid_grant','error_description':'The token canary-subject-token in \\u001b is "
                      "expired'}"),
                   400);
        no.headers = {{"date", "Fri, 20 Nov 2026 10:01:00 GMT"}};
        setup.answers = {no};
        auto given = setup.get();
        QVERIFY(!given && given.error().code == ErrorCode::Unauthorized);
        QVERIFY(hasRemedy(given.error(), base::Remedy::CheckIdentityPool));
        QVERIFY2(given.error().text.find(": invalid_grant: The token *** in ") != std::string::npos,
                 given.error().text.c_str());
        QVERIFY(given.error().text.find('\x1b') == std::string::npos);
        no.headers = {{"date", "Fri, 20 Nov 2026 10:10:00 GMT"}};
        setup.answers = {no};
        given = setup.get();
        QVERIFY(given.error().text.ends_with("this computer's clock is 10 minutes behind the server's"));
        QVERIFY(hasRemedy(given.error(), base::Remedy::CorrectClock));
        for (const int status : {429, 500, 503}) {
            setup.answers = {answer("", status)};
            QVERIFY(setup.get().error().retryable);
        }
        for (const char *body : {"", "[]", "{}", "{'access_token':'a\\nb','expires_in':3600}"}) {
            setup.answers = {answer(js(body))};
            QVERIFY2(setup.code() == ErrorCode::Parse, body);
        }
    }

    void explainsARefusedImpersonation()
    {
        Setup setup;
        setup.file["service_account_impersonation_url"] = kImpersonate;
        const auto with = [&](http::Response second) {
            setup.answers = {answer(js("{'access_token':'canary-federated','expires_in':3600}")), std::move(second)};
            return setup.get();
        };
        for (const int status : {400, 403, 404}) {
            const auto given =
                with(answer(js("{'error':{'code':403,'message':'Permission canary-federated denied'}}"), status));
            QVERIFY(!given && given.error().code == ErrorCode::Unauthorized); // no right of the source is missing
            QVERIFY(given.error().text.ends_with("Permission *** denied"));
            QVERIFY(hasRemedy(given.error(), base::Remedy::AllowImpersonation));
        }
        QVERIFY(with(answer("", 503)).error().retryable);
        for (const char *end : {"", "soon", "1732100400", "2026-99-99T00:00:00Z"})
            QVERIFY2(with(impersonatedAnswer(end)).error().code == ErrorCode::Parse, end);
        for (const char *body : {"", "[]", "{'expireTime':'2026-11-20T11:00:00Z'}",
                                 "{'accessToken':'a b','expireTime':'2026-11-20T11:00:00Z'}"})
            QVERIFY2(with(answer(js(body))).error().code == ErrorCode::Parse, body);
    }

    // A token that ends while pages are read is renewed, with the subject token of that time.
    void aTokenThatIsRefusedIsRenewed()
    {
        Setup setup;
        setup.secrets.set(setup.file.dump());
        int pages = 0, exchanges = 0;
        auto client = std::make_shared<ScriptedClient>([&](const http::Request &request) {
            setup.sent.push_back(request);
            if (request.url == kSts)
                return base::Result<http::Response>(
                    answer(js("{'access_token':'canary-" + std::to_string(++exchanges) + "','expires_in':3600}")));
            if (++pages != 2)
                return base::Result<http::Response>(answer("{}"));
            setup.put("token", "canary-subject-2");
            return base::Result<http::Response>(answer("", 401));
        });
        gcp::Tuning tuning;
        tuning.pause = setup.pause;
        const auto refusal = [](const http::Response &response, const std::string &url) {
            return http::statusError(response, url);
        };
        gcp::GoogleApi api(setup.settings, {"Compute Engine", kApi, kScope, refusal}, setup.secrets, client,
                           setup.clock, tuning);
        QVERIFY(api.ask(std::string(kApi) + "/1", {}, {}).has_value());
        QVERIFY(api.ask(std::string(kApi) + "/2", {}, {}).has_value());
        QCOMPARE(setup.sent.size(), std::size_t{5}); // a token, two pages, another token, the page again
        QCOMPARE(fieldOf(setup.sent[3], "subject_token"), std::string("canary-subject-2"));
        QCOMPARE(setup.sent[4].url, std::string(kApi) + "/2");
        QVERIFY(setup.sent[4].credentials->bearer.reveal() == "canary-2");
    }
};

GPULEDGER_SUITE(TestGoogleAccess)

} // namespace tst_googleaccess

#include "tst_googleaccess.moc"
