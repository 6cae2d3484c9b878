// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, keys, tokens, limits and errors of the questions to BigQuery.
#include "app/base/remedy.h"
#include "connectors/gcp/access/signedassertion.h"
#include "connectors/gcp/bigquery.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <QByteArray>
#include <QTest>

namespace tst_bigquery {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using Json = nlohmann::json;
using Kind = model::AuthSettings::Kind;

namespace {

constexpr const char *kApi = "https://bigquery.googleapis.com";

// A key pair; generating one takes a moment.
EVP_PKEY *rsaKey()
{
    static EVP_PKEY *const kKey = EVP_RSA_gen(2048);
    return kKey;
}

std::string pemOf(EVP_PKEY *key)
{
    BIO *bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
    char *data = nullptr;
    const long size = BIO_get_mem_data(bio, &data);
    std::string pem(data, static_cast<std::size_t>(size));
    BIO_free(bio);
    return pem;
}

Json robotFile()
{
    static const std::string kPem = pemOf(rsaKey());
    return {{"type", "service_account"},
            {"private_key_id", "k1"},
            {"private_key", kPem},
            {"client_email", "robot@lab.iam.gserviceaccount.com"},
            {"token_uri", "https://oauth2.googleapis.com/token"}};
}

Json userFile()
{
    return {{"type", "authorized_user"},
            {"client_id", "client-1"},
            {"client_secret", "s+e/c"},
            {"refresh_token", "again"},
            {"quota_project_id", "lab-tools"}};
}

base::Result<gcp::GoogleKey> keyOf(const std::string &text, const std::string &api = kApi)
{
    return gcp::readGoogleKey(base::Secret(std::string(text)), api);
}

std::string reply(const std::string &more)
{
    Json fields = Json::array();
    for (const std::string_view name : gcp::kBillColumns)
        fields.push_back({{"name", std::string(name)}});
    return js("{'jobReference':{'jobId':'job_1','location':'EU'},'jobComplete':true,'totalBytesProcessed':'100',")
        + "\"schema\":{\"fields\":" + fields.dump() + "}," + js(more) + '}';
}

http::Response refused(int status, const std::string &reason)
{
    return answer(js("{'error':{'code':1,'message':'said so','errors':[{'reason':'" + reason + "'}]}}"), status);
}

struct Setup {
    Setup()
        : secrets(userFile().dump())
    {
        settings.name = "bill";
        settings.auth.kind = Kind::Bearer;
        settings.auth.token = {model::SecretRef::Kind::Environment, "S", {}};
        settings.options = {{"project", "lab"}, {"dataset", "d"}, {"table", "gcp_billing_export_v1_x"}};
    }
    base::Result<void> run()
    {
        auto client = std::make_shared<ScriptedClient>([this](const http::Request &request) {
            sent.push_back(request);
            const bool isLogin = request.url.ends_with("/token");
            auto &from = isLogin ? logins : answers;
            if (from.empty())
                return base::Result<http::Response>(
                    answer(isLogin ? js("{'access_token':'abc','expires_in':3599}") : reply("'totalRows':'0'")));
            http::Response first = from.front();
            from.erase(from.begin());
            return base::Result<http::Response>(std::move(first));
        });
        gcp::Tuning tuning;
        tuning.pause = pause;
        const auto bill = gcp::BillSettings::of(settings);
        if (!bill)
            return base::fail(bill.error());
        gcp::BigQuery query(settings, *bill, secrets, client, clock, tuning);
        auto done = query.run(gcp::queryOf(*bill, {*base::parseTime("2026-10-01"), *base::parseTime("2026-11-01")}),
                              [this](const Json &some) {
                                  rows += some.size();
                                  return base::Result<void>();
                              },
                              {});
        scanned = query.scanned();
        return done;
    }

    model::SourceSettings settings;
    OneSecret secrets;
    base::FrozenClock clock{*base::parseTime("2026-11-20T10:00:00Z")};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    std::vector<http::Response> answers, logins; // in this order; afterwards they succeed
    std::vector<http::Request> sent;
    std::size_t rows = 0;
    std::uint64_t scanned = 0;
};

} // namespace

class TestBigQuery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void signsWithTheKeyOfAServiceAccount()
    {
        const auto key = keyOf(robotFile().dump());
        QVERIFY2(key.has_value(), key ? "" : key.error().text.c_str());
        const auto token =
            gcp::signedAssertion(*key, "https://www.googleapis.com/auth/bigquery", base::fromUnix(1'700'000'000));
        QVERIFY(token.has_value());
        const QList<QByteArray> parts = QByteArray::fromStdString(*token).split('.');
        QCOMPARE(parts.size(), 3);
        const auto decoded = [](const QByteArray &part) {
            return QByteArray::fromBase64(part, QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
        };
        QVERIFY(Json::parse(decoded(parts[0]).toStdString())
                == Json::parse(js("{'alg':'RS256','typ':'JWT','kid':'k1'}")));
        const Json claims = Json::parse(decoded(parts[1]).toStdString());
        QVERIFY(claims["iss"] == "robot@lab.iam.gserviceaccount.com" && claims["sub"] == claims["iss"]);
        QVERIFY(claims["aud"] == "https://oauth2.googleapis.com/token");
        QVERIFY(claims["iat"] == 1'700'000'000 && claims["exp"] == 1'700'003'600);
        const QByteArray text = parts[0] + '.' + parts[1], signature = decoded(parts[2]);
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        QCOMPARE(EVP_DigestVerifyInit(context, nullptr, EVP_sha256(), nullptr, rsaKey()), 1);
        QCOMPARE(EVP_DigestVerify(context, reinterpret_cast<const unsigned char *>(signature.constData()),
                                  static_cast<std::size_t>(signature.size()),
                                  reinterpret_cast<const unsigned char *>(text.constData()),
                                  static_cast<std::size_t>(text.size())),
                 1);
        EVP_MD_CTX_free(context);
    }

    void aKeyFileSendsItsCredentialToGoogleAlone_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("isAllowed");
        QTest::newRow("google") << "https://oauth2.googleapis.com/token" << true;
        QTest::newRow("private") << "https://oauth2-lab.p.googleapis.com/token" << true;
        QTest::newRow("older") << "https://accounts.google.com/o/oauth2/token" << true;
        QTest::newRow("ours") << "https://proxy.example:8443/token" << true;
        QTest::newRow("other") << "https://evil.example/token" << false;
        QTest::newRow("looks alike") << "https://oauth2.googleapis.com.evil.example/token" << false;
        QTest::newRow("ends alike") << "https://evilgoogleapis.com/token" << false;
        QTest::newRow("user") << "https://oauth2.googleapis.com@evil.example/token" << false;
        QTest::newRow("plain") << "http://oauth2.googleapis.com/token" << false;
        QTest::newRow("port") << "https://oauth2.googleapis.com:8443/token" << false;
        QTest::newRow("loopback") << "http://127.0.0.1:8080/token" << false;
        QTest::newRow("file") << "file:///etc/passwd" << false;
    }
    void aKeyFileSendsItsCredentialToGoogleAlone()
    {
        QFETCH(QString, address);
        QFETCH(bool, isAllowed);
        for (Json file : {robotFile(), userFile()}) {
            file["token_uri"] = address.toStdString();
            const auto key = keyOf(file.dump(), "https://proxy.example:8443");
            QCOMPARE(key.has_value(), isAllowed);
            if (!key)
                QVERIFY(key.error().code == ErrorCode::InvalidConfig);
        }
    }

    void explainsAKeyThatIsNone()
    {
        for (const char *text : {"", "a b", "{", "{}\n{"})
            QVERIFY2(!keyOf(text), text);
        for (const char *part : {"private_key", "client_email"}) {
            Json file = robotFile();
            file.erase(part);
            QVERIFY(keyOf(file.dump()).error().code == ErrorCode::InvalidConfig);
        }
        QVERIFY(keyOf(js("{'type':'gdch_service_account'}")).error().code == ErrorCode::Unsupported);
        Json file = robotFile();
        file["private_key"] = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
        const auto key = keyOf(file.dump());
        QVERIFY(gcp::signedAssertion(*key, "s", {}).error().code == ErrorCode::InvalidConfig);
    }

    void sendsTheLoginOfAUser()
    {
        Setup setup;
        QVERIFY(setup.run().has_value());
        QCOMPARE(setup.sent.size(), std::size_t{3}); // a token, the dry run, the query
        QCOMPARE(setup.sent[0].url, std::string("https://oauth2.googleapis.com/token"));
        QCOMPARE(setup.sent[0].body,
                 std::string("grant_type=refresh_token&client_id=client-1&client_secret=s%2Be%2Fc&"
                             "refresh_token=again"));
        QVERIFY(!setup.sent[0].followsRedirects && !setup.sent[1].followsRedirects);
        QCOMPARE(setup.sent[1].url, std::string("https://bigquery.googleapis.com/bigquery/v2/projects/lab/queries"));
        QVERIFY(setup.sent[1].credentials && setup.sent[1].credentials->bearer.reveal() == "abc");
        const http::Parameters &headers = setup.sent[1].headers;
        const std::pair<std::string, std::string> quota{"x-goog-user-project", "lab-tools"};
        QVERIFY(std::find(headers.begin(), headers.end(), quota) != headers.end());
    }

    void aTokenAsGivenIsReadAgainWhenItIsRefused()
    {
        Setup setup;
        setup.secrets.set("plain-token");
        setup.answers = {answer("", 401)};
        QVERIFY(setup.run().has_value());
        QCOMPARE(setup.secrets.reads, 2);
        setup.answers = {answer("", 401), answer("", 401)};
        QVERIFY(setup.run().error().code == ErrorCode::Unauthorized);
    }

    void aTokenIsAskedForOnceAndRenewedBeforeItsEnd()
    {
        Setup setup;
        const auto loginsAt = [&](std::int64_t lasts) {
            setup.sent.clear();
            setup.logins = {answer(js("{'access_token':'abc','expires_in':" + std::to_string(lasts) + '}'))};
            setup.answers = {answer(reply("'totalRows':'0'")),
                             answer(js("{'jobComplete':false,'jobReference':{'jobId':'j'}}")),
                             answer(js("{'jobComplete':false,'jobReference':{'jobId':'j'}}"))};
            if (!setup.run())
                return -1;
            return static_cast<int>(std::count_if(setup.sent.begin(), setup.sent.end(), [](const http::Request &one) {
                return one.url.ends_with("/token");
            }));
        };
        QCOMPARE(loginsAt(3599), 1);
        QCOMPARE(loginsAt(1), 2); // the poll waits longer
    }

    void explainsARefusedLogin()
    {
        Setup setup;
        http::Response no = answer(js("{'error':'invalid_grant','error_description':'Token has expired\\u001b'}"), 400);
        no.headers = {{"date", "Fri, 20 Nov 2026 10:01:00 GMT"}};
        setup.logins = {no};
        auto done = setup.run();
        QVERIFY(!done && done.error().code == ErrorCode::Unauthorized);
        QCOMPARE(done.error().hint, std::string(base::text(base::Remedy::LogInToGoogle)));
        QVERIFY(done.error().text.find('\x1b') == std::string::npos);
        setup.secrets.set(robotFile().dump());
        setup.logins = {no};
        QCOMPARE(setup.run().error().hint, std::string(base::text(base::Remedy::CreateGoogleKey)));
        no.headers = {{"date", "Fri, 20 Nov 2026 10:10:00 GMT"}};
        setup.logins = {no};
        done = setup.run();
        QVERIFY(done.error().text.ends_with("this computer's clock is 10 minutes behind the server's"));
        QCOMPARE(done.error().hint, std::string(base::text(base::Remedy::CorrectClock)));
    }

    void nothingRunsAboveTheLimit()
    {
        Setup setup;
        setup.settings.options["most_scanned"] = "2";
        setup.answers = {answer(js("{'totalBytesProcessed':'2000000001'}"))};
        const auto done = setup.run();
        QVERIFY(!done && done.error().code == ErrorCode::TooMuch);
        QVERIFY(done.error().text.find("would scan 2.1 GB, and most_scanned allows 2.0 GB") != std::string::npos);
        QCOMPARE(done.error().hint, std::string(base::text(base::Remedy::RaiseMostScanned)));
        QCOMPARE(setup.sent.size(), std::size_t{2}); // a token, and the dry run
        QCOMPARE(setup.scanned, std::uint64_t{0});
        setup.answers = {answer(js("{'totalBytesProcessed':'2000000000'}"))};
        QVERIFY(setup.run().has_value());
        QCOMPARE(setup.scanned, std::uint64_t{100});
    }

    void waitsForTheEndOfAQuery()
    {
        Setup setup;
        const http::Response busy =
            answer(js("{'jobComplete':false,'jobReference':{'jobId':'j-1','location':'EU x'}}"));
        setup.answers = {answer(reply("'totalRows':'0'")), busy, busy, busy};
        QVERIFY(setup.run().has_value());
        QVERIFY(setup.sent.back().url.ends_with("/queries/j-1?maxResults=10000&timeoutMs=20000&location=EU%20x"));
        QCOMPARE(setup.pause->waits,
                 (std::vector<http::Milliseconds>{http::Milliseconds{500}, http::Milliseconds{1000},
                                                  http::Milliseconds{2000}}));
        setup.answers.assign(1000, busy);
        setup.answers.front() = answer(reply("'totalRows':'0'"));
        QVERIFY(setup.run().error().code == ErrorCode::Timeout);
        QVERIFY(setup.answers.size() > 800);
    }

    void followsPagesToTheEnd()
    {
        Setup setup;
        const http::Response dry = answer(reply("'totalRows':'0'"));
        setup.answers = {dry, answer(reply("'totalRows':'3','rows':[1,2],'pageToken':'a+b'")),
                         answer(reply("'totalRows':'3','rows':[],'pageToken':'c'")),
                         answer(reply("'totalRows':'3','rows':[3],'pageToken':''"))};
        QVERIFY(setup.run().has_value());
        QCOMPARE(setup.rows, std::size_t{3});
        QVERIFY(setup.sent[3].url.ends_with("&location=EU&pageToken=a%2Bb"));
        // Pages that go in a circle, rows that are missing, and too many of them.
        const http::Response circle = answer(reply("'totalRows':'3','pageToken':'a'"));
        setup.answers = {dry, circle, circle, circle};
        QVERIFY(setup.run().error().code == ErrorCode::Parse);
        setup.answers = {dry, answer(reply("'totalRows':'3','rows':[1]"))};
        QVERIFY(setup.run().error().code == ErrorCode::Parse);
        setup.answers = {dry, answer(reply("'rows':[1]"))};
        QVERIFY(setup.run().error().code == ErrorCode::Parse);
        setup.answers = {dry, answer(reply("'totalRows':'1000001','rows':[1]"))};
        QVERIFY(setup.run().error().code == ErrorCode::TooMuch);
        setup.answers = {dry, answer(js("{'jobComplete':true,'totalRows':'0','totalBytesProcessed':'0'}"))};
        QVERIFY(setup.run().error().code == ErrorCode::Parse); // other columns
    }

    void explainsRefusals_data()
    {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("remedy");
        const auto add = [](const char *reason, int status, ErrorCode code, base::Remedy remedy) {
            QTest::newRow(reason) << QString::fromLatin1(reason) << status << static_cast<int>(code)
                                  << static_cast<int>(remedy);
        };
        add("accessDenied", 403, ErrorCode::Forbidden, base::Remedy::AllowBigQuery);
        add("unknown", 403, ErrorCode::Forbidden, base::Remedy::AllowBigQuery);
        add("ACCESS_TOKEN_SCOPE_INSUFFICIENT", 403, ErrorCode::Unauthorized, base::Remedy::WidenAccessScopes);
        add("accessNotConfigured", 403, ErrorCode::Forbidden, base::Remedy::EnableBigQuery);
        add("notFound", 404, ErrorCode::NotFound, base::Remedy::CheckBigQueryTable);
        add("quotaExceeded", 403, ErrorCode::TooMuch, base::Remedy::WaitForBigQueryQuota);
        add("bytesBilledLimitExceeded", 400, ErrorCode::TooMuch, base::Remedy::RaiseMostScanned);
        add("invalidQuery", 400, ErrorCode::Unsupported, base::Remedy::ChooseBillingExport);
        add("resourcesExceeded", 400, ErrorCode::TooMuch, base::Remedy::UseStandardExport);
    }
    void explainsRefusals()
    {
        QFETCH(QString, reason);
        QFETCH(int, status);
        QFETCH(int, code);
        QFETCH(int, remedy);
        Setup setup;
        setup.answers = {refused(status, reason.toStdString())};
        const auto done = setup.run();
        QVERIFY(!done);
        QCOMPARE(static_cast<int>(done.error().code), code);
        QCOMPARE(done.error().hint, std::string(base::text(static_cast<base::Remedy>(remedy))));
        QVERIFY(done.error().text.find("said so") != std::string::npos);
        QCOMPARE(setup.sent.size(), std::size_t{2}); // not tried again
    }

    void failuresAreTriedAgainAFewTimes()
    {
        Setup setup;
        setup.answers = {refused(403, "rateLimitExceeded"), answer("", 500), answer(reply("'totalRows':'0'")),
                         refused(400, "jobBackendError")};
        setup.logins = {answer("", 503)};
        QVERIFY(setup.run().has_value());
        // The query that was sent again has the same id, so that BigQuery runs it once.
        const Json last = Json::parse(setup.sent.back().body), before = Json::parse(setup.sent.rbegin()[1].body);
        QVERIFY(last["requestId"] == before["requestId"] && last["requestId"].get<std::string>().size() == 32);
        setup.answers.assign(100, answer("", 500));
        QVERIFY(setup.run().error().code == ErrorCode::Server);
        QVERIFY(setup.answers.size() > 90);
    }

    void checksSettings()
    {
        const auto codeOf = [](const char *key, const std::string &value) {
            Setup setup;
            setup.settings.options[key] = value;
            const auto made = gcp::BillSettings::of(setup.settings);
            return made ? ErrorCode::Cancelled : made.error().code;
        };
        for (const char *key : {"project", "job_project", "dataset", "table"}) {
            for (const char *bad :
                 {"a`b", "a b", "a/b", "a\"b", "a;b", "a'b", "a\nb", "\xc3\xa4", "a?b", "a\\b", "../b"})
                QVERIFY2(codeOf(key, bad) == ErrorCode::InvalidConfig, bad);
        }
        QVERIFY(codeOf("dataset", "") == ErrorCode::InvalidConfig);
        QVERIFY(codeOf("dataset", "a.b") == ErrorCode::InvalidConfig);
        QVERIFY(codeOf("table", std::string(2000, 'x')) == ErrorCode::InvalidConfig);
        QVERIFY(codeOf("table", "cloud_pricing_export") == ErrorCode::Unsupported);
        QVERIFY(codeOf("project", "example.com:lab-billing") == ErrorCode::Cancelled);
        QVERIFY(codeOf("most_scanned", "0") == ErrorCode::InvalidConfig);
        Setup setup;
        setup.settings.auth.kind = Kind::Basic;
        QVERIFY(gcp::BillSettings::of(setup.settings).error().code == ErrorCode::InvalidConfig);
        setup.settings.auth.kind = Kind::None; // the machine's service account
        QVERIFY(gcp::BillSettings::of(setup.settings).has_value());
        setup.settings.auth.kind = Kind::Bearer;
        setup.settings.url = "https://bigquery.example/x/";
        const auto made = *gcp::BillSettings::of(setup.settings);
        QCOMPARE(made.api, std::string("https://bigquery.example/x"));
        QCOMPARE(made.billingAccount(), std::string("lab.d.gcp_billing_export_v1_x")); // the table names none
    }
};

GPULEDGER_SUITE(TestBigQuery)

} // namespace tst_bigquery

#include "tst_bigquery.moc"
