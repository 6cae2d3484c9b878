// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses, tokens, retries, pages and changes.
#include "app/base/remedy.h"
#include "connectors/format/json.h"
#include "connectors/nebius/serviceaccount.h"
#include "tests/support/suite.h"
#include "tests/unit/nebius/nebiussetup.h"

#include <QTest>

#include <nebius.pb.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <set>

namespace tst_nebiusapi {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using nebius::GrpcCode;
using Json = nlohmann::json;

namespace {

// A key pair; generating one takes a moment.
EVP_PKEY *accountKey()
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

Json subject()
{
    static const std::string kPem = pemOf(accountKey());
    return {{"type", "JWT"},
            {"alg", "RS256"},
            {"private-key", kPem},
            {"kid", "publickey-e00k1"},
            {"iss", "serviceaccount-e00robot"},
            {"sub", "serviceaccount-e00robot"}};
}

std::string fileOf(const Json &credentials)
{
    return Json{{"subject-credentials", credentials}}.dump();
}

nebius::wire::Token tokenNamed(const std::string &name, std::int64_t seconds = 43'200)
{
    nebius::wire::Token token;
    token.set_access_token(name);
    token.set_token_type("Bearer");
    token.set_expires_in(seconds);
    return token;
}

QByteArray decoded(const std::string &part)
{
    return QByteArray::fromBase64(QByteArray::fromStdString(part), QByteArray::Base64UrlEncoding);
}

bool isSignedByAccount(const std::string &text, const QByteArray &signature)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const bool isGood = EVP_DigestVerifyInit(context, nullptr, EVP_sha256(), nullptr, accountKey()) == 1
        && EVP_DigestVerify(context, reinterpret_cast<const unsigned char *>(signature.constData()),
                            static_cast<std::size_t>(signature.size()),
                            reinterpret_cast<const unsigned char *>(text.data()), text.size())
            == 1;
    EVP_MD_CTX_free(context);
    return isGood;
}

nebius::wire::Instances pageWith(const std::string &token)
{
    nebius::wire::Instances page;
    page.add_items()->mutable_metadata()->set_id("computeinstance-e00a");
    page.set_next_page_token(token);
    return page;
}

} // namespace

class TestNebiusApi : public QObject {
    Q_OBJECT

    static ErrorCode codeWith(NebiusSetup &setup) { return setup.calls()->askList({}).error().code; }

private Q_SLOTS:
    void asksEachServiceAtItsAddress()
    {
        NebiusSetup setup;
        const auto calls = setup.calls();
        QVERIFY(calls->askList({}).has_value());
        QVERIFY(calls->region({}).has_value());
        QVERIFY(!calls->perHour("gpu-h100-sxm", "1gpu", false, {})); // an empty answer has no price
        std::vector<std::string> urls;
        for (const http::Request &one : setup.sent)
            urls.push_back(one.url);
        QVERIFY((urls
                 == std::vector<std::string>{"https://compute.api.nebius.cloud/nebius.compute.v1.InstanceService/List",
                                             "https://cpl.iam.api.nebius.cloud/nebius.iam.v2.ProjectService/Get",
                                             "https://api.calculator.billing-data-plane.api.nebius.cloud/"
                                             "nebius.billing.v1.CalculatorService/EstimateBatch"}));
        QVERIFY(setup.sent[0].credentials->bearer.reveal() == "token-1");
        const auto list = setup.asked<nebius::wire::ListInstances>(0);
        QCOMPARE(list.parent_id(), std::string("project-e00lab"));
    }

    void anAddressOfItsOwnIsThatOfAllServices()
    {
        NebiusSetup setup;
        setup.settings.url = "https://nebius.example.org/";
        setup.settings.headers = {{"x-tenant", "lab"}};
        setup.settings.caFile = "/ca.pem";
        QVERIFY(setup.calls()->region({}).has_value());
        QCOMPARE(setup.sent[0].url, std::string("https://nebius.example.org/nebius.iam.v2.ProjectService/Get"));
        QCOMPARE(setup.sent[0].caFile, std::string("/ca.pem"));
        QCOMPARE(setup.sent[0].headers.front().second, std::string("lab"));
    }

    void wrongSettingsAreNamed()
    {
        const auto refused = [](auto change) {
            NebiusSetup setup;
            change(setup.settings);
            const auto calls = setup.tryCalls();
            return !calls && calls.error().code == ErrorCode::InvalidConfig;
        };
        QVERIFY(!refused([](model::SourceSettings &) {}));
        QVERIFY(refused([](model::SourceSettings &s) { s.options.clear(); }));
        QVERIFY(refused([](model::SourceSettings &s) { s.options["project"] = "a/b"; }));
        QVERIFY(refused([](model::SourceSettings &s) { s.options["project"] = std::string(101, 'a'); }));
        QVERIFY(refused([](model::SourceSettings &s) { s.auth.kind = model::AuthSettings::Kind::None; }));
        QVERIFY(refused([](model::SourceSettings &s) { s.auth.header = "X-Key"; }));
        QVERIFY(refused([](model::SourceSettings &s) { s.url = "ftp://x"; }));
    }

    void anAccountIsLetInByItsAssertion()
    {
        NebiusSetup setup;
        setup.secrets.value = fileOf(subject());
        setup.say("Exchange", tokenNamed("abc"));
        QVERIFY(setup.calls()->askList({}).has_value());
        QCOMPARE(setup.sent[0].url,
                 std::string("https://tokens.iam.api.nebius.cloud/nebius.iam.v1.TokenExchangeService/Exchange"));
        QVERIFY(!setup.sent[0].credentials);
        QVERIFY(setup.sent[1].credentials->bearer.reveal() == "abc");
        const auto exchange = setup.asked<nebius::wire::ExchangeToken>(0);
        QCOMPARE(exchange.grant_type(), std::string("urn:ietf:params:oauth:grant-type:token-exchange"));
        QCOMPARE(exchange.subject_token_type(), std::string("urn:ietf:params:oauth:token-type:jwt"));
        const std::string &jwt = exchange.subject_token();
        const std::size_t first = jwt.find('.'), second = jwt.rfind('.');
        QVERIFY(isSignedByAccount(jwt.substr(0, second), decoded(jwt.substr(second + 1))));
        const auto header = *format::parseJson(decoded(jwt.substr(0, first)).toStdString());
        const auto claims = *format::parseJson(decoded(jwt.substr(first + 1, second - first - 1)).toStdString());
        QCOMPARE(header.dump(), Json({{"alg", "RS256"}, {"typ", "JWT"}, {"kid", "publickey-e00k1"}}).dump());
        QCOMPARE(claims["iss"].get<std::string>(), std::string("serviceaccount-e00robot"));
        QVERIFY(claims["sub"] == claims["iss"]);
        QCOMPARE(claims["iat"].get<std::int64_t>(), base::toUnix(setup.clock.now()));
        QCOMPARE(claims["exp"].get<std::int64_t>() - claims["iat"].get<std::int64_t>(), std::int64_t{300});
    }

    void aTokenIsKeptUntilShortlyBeforeItsEnd()
    {
        NebiusSetup setup;
        setup.secrets.value = fileOf(subject());
        setup.say("Exchange", tokenNamed("first", 3'600));
        setup.say("Exchange", tokenNamed("second", 100));
        const auto calls = setup.calls();
        const auto bearer = [&] {
            const auto asked = calls->askList({});
            return asked ? std::string(setup.sent.back().credentials->bearer.reveal()) : asked.error().text;
        };
        QCOMPARE(bearer(), std::string("first"));
        setup.pause->pass(http::Milliseconds{3'299'000});
        QCOMPARE(bearer(), std::string("first"));
        setup.pause->pass(http::Milliseconds{1'000});
        QCOMPARE(bearer(), std::string("second"));
        setup.pause->pass(http::Milliseconds{49'000}); // half of a short one
        QCOMPARE(bearer(), std::string("second"));
        QCOMPARE(setup.secrets.reads, 2);
    }

    void aTokenThatWasRefusedIsRenewedOnce()
    {
        NebiusSetup setup;
        setup.secrets.value = fileOf(subject());
        setup.say("Exchange", tokenNamed("first"));
        setup.say("Exchange", tokenNamed("second"));
        setup.refuse("List", GrpcCode::Unauthenticated);
        QVERIFY(setup.calls()->askList({}).has_value());
        QCOMPARE(setup.sent.size(), std::size_t{4});
        QVERIFY(setup.sent.back().credentials->bearer.reveal() == "second");
        NebiusSetup refused;
        for (int i = 0; i < 3; ++i)
            refused.refuse("List", GrpcCode::Unauthenticated);
        QVERIFY(codeWith(refused) == ErrorCode::Unauthorized);
        QCOMPARE(refused.sent.size(), std::size_t{2});
        QCOMPARE(refused.secrets.reads, 2);
    }

    void whatTheExchangeRefusesIsExplained_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("error");
        QTest::newRow("unauthenticated") << static_cast<int>(GrpcCode::Unauthenticated)
                                         << static_cast<int>(ErrorCode::Unauthorized);
        QTest::newRow("denied") << static_cast<int>(GrpcCode::PermissionDenied)
                                << static_cast<int>(ErrorCode::Unauthorized);
        QTest::newRow("invalid") << static_cast<int>(GrpcCode::InvalidArgument)
                                 << static_cast<int>(ErrorCode::Unauthorized);
        QTest::newRow("unimplemented") << static_cast<int>(GrpcCode::Unimplemented)
                                       << static_cast<int>(ErrorCode::Unsupported);
    }
    void whatTheExchangeRefusesIsExplained()
    {
        QFETCH(const int, code);
        QFETCH(const int, error);
        NebiusSetup setup;
        setup.secrets.value = fileOf(subject());
        http::Response refusal = grpcAnswer({}, static_cast<GrpcCode>(code), "no");
        refusal.headers.emplace_back("date", "Fri, 20 Nov 2026 12:00:00 GMT");
        setup.answers["Exchange"] = {refusal};
        const auto listed = setup.calls()->askList({});
        QVERIFY(!listed);
        QCOMPARE(static_cast<int>(listed.error().code), error);
        const bool names = listed.error().text.find("2 hours behind") != std::string::npos;
        QCOMPARE(names, error == static_cast<int>(ErrorCode::Unauthorized));
        QCOMPARE(setup.sent.size(), std::size_t{1});
    }

    void answersWithoutATokenAreNone()
    {
        nebius::wire::Token other = tokenNamed("abc"), split = tokenNamed("a\nb");
        other.set_token_type("mac");
        for (const std::string &message : {std::string(), std::string("\xff\xff"), other.SerializeAsString(),
                                           split.SerializeAsString(), tokenNamed("").SerializeAsString()}) {
            NebiusSetup setup;
            setup.secrets.value = fileOf(subject());
            setup.answers["Exchange"] = {grpcAnswer(message)};
            QVERIFY(codeWith(setup) == ErrorCode::Parse);
        }
    }

    void credentialsFilesThatAreNoneAreExplained()
    {
        const auto codeOf = [](const std::string &text) {
            const auto credential = nebius::readCredential(base::Secret(std::string(text)));
            return credential ? ErrorCode::Cancelled : credential.error().code;
        };
        QVERIFY(codeOf("token") == ErrorCode::Cancelled);
        QVERIFY(codeOf(fileOf(subject())) == ErrorCode::Cancelled);
        for (const char *text : {"", " ", "to ken", "a\nb", "{", "{}", "{\"subject-credentials\":[]}"})
            QVERIFY2(codeOf(text) == ErrorCode::InvalidConfig, text);
        const auto changed = [&](const char *key, const Json &value) {
            Json credentials = subject();
            credentials[key] = value;
            return codeOf(fileOf(credentials));
        };
        QVERIFY(changed("alg", "ES256") == ErrorCode::Unsupported);
        QVERIFY(changed("type", "SAML") == ErrorCode::Unsupported);
        QVERIFY(changed("type", "") == ErrorCode::Cancelled); // older files have none
        for (const char *key : {"sub", "iss", "kid", "private-key"}) {
            QVERIFY2(changed(key, "") == ErrorCode::InvalidConfig, key);
            QVERIFY2(changed(key, 1) == ErrorCode::InvalidConfig, key);
        }
        QVERIFY(changed("iss", "serviceaccount-e00other") == ErrorCode::InvalidConfig);
        const auto credential = nebius::readCredential(base::Secret(
            fileOf({{"alg", "RS256"}, {"private-key", "-----BEGIN"}, {"kid", "k"}, {"iss", "a"}, {"sub", "a"}})));
        const auto assertion = nebius::assertionOf(*credential, {});
        QVERIFY(!assertion && assertion.error().code == ErrorCode::InvalidConfig);
        QCOMPARE(assertion.error().hint, std::string(base::text(base::Remedy::CreateNebiusKey)));
    }

    void waitsAndAsksAgain()
    {
        NebiusSetup setup;
        setup.refuse("List", GrpcCode::ResourceExhausted);
        setup.refuse("List", GrpcCode::Unavailable);
        setup.answers["List"].push_back(answer("busy", 503));
        setup.answers["List"].push_back(base::fail(base::Error{ErrorCode::Network, "broke", true, {}, {}}));
        QVERIFY(setup.calls()->askList({}).has_value());
        QCOMPARE(setup.sent.size(), std::size_t{5});
        QCOMPARE(setup.pause->waits.size(), std::size_t{4});
        NebiusSetup refused;
        for (int i = 0; i < 9; ++i)
            refused.refuse("List", GrpcCode::Unavailable);
        QVERIFY(codeWith(refused) == ErrorCode::Server);
        QCOMPARE(refused.sent.size(), std::size_t{5});
        NebiusSetup denied;
        denied.refuse("List", GrpcCode::PermissionDenied);
        QVERIFY(codeWith(denied) == ErrorCode::Forbidden);
        QCOMPARE(denied.sent.size(), std::size_t{1});
    }

    void turnsPagesToTheEnd()
    {
        NebiusSetup setup;
        setup.say("List", pageWith("a"));
        nebius::wire::Instances empty;
        empty.set_next_page_token("b");
        setup.say("List", empty);
        setup.say("List", pageWith(""));
        int items = 0;
        QVERIFY(setup.calls()->eachPage(
            [&](const nebius::wire::Instances &page) -> base::Result<void> {
                items += page.items_size();
                return {};
            },
            {}));
        QCOMPARE(items, 2);
        QCOMPARE(setup.asked<nebius::wire::ListInstances>(2).page_token(), std::string("b"));
        const auto take = [](const nebius::wire::Instances &) -> base::Result<void> { return {}; };
        NebiusSetup circle;
        for (const char *token : {"a", "b", "a"})
            circle.say("List", pageWith(token));
        QVERIFY(circle.calls()->eachPage(take, {}).error().code == ErrorCode::Parse);
        NebiusSetup endless;
        for (int i = 0; i < 1'001; ++i)
            endless.say("List", pageWith(std::to_string(i)));
        QVERIFY(endless.calls()->eachPage(take, {}).error().code == ErrorCode::TooMuch);
    }

    void answersThatAreNoMessageAreRefused()
    {
        std::string deep; // nested beyond what is read
        for (int i = 0; i < 200; ++i)
            deep =
                std::string("\x0a") + static_cast<char>(std::min<std::size_t>(deep.size(), 127)) + deep.substr(0, 127);
        for (const std::string &message : {std::string("\xff\xff\xff"), std::string("\x0a\x7f"), std::string("\x0b")}) {
            NebiusSetup setup;
            setup.answers["List"] = {grpcAnswer(message)};
            QVERIFY(codeWith(setup) == ErrorCode::Parse);
        }
        NebiusSetup setup;
        setup.answers["List"] = {grpcAnswer(deep)};
        (void)setup.calls()->askList({}); // nested deeply, it is skipped or refused
    }

    void anotherInstanceThanTheOneAskedIsRefused()
    {
        nebius::wire::Instance one;
        one.mutable_metadata()->set_id("computeinstance-e00a");
        one.mutable_metadata()->set_parent_id("project-e00lab");
        NebiusSetup setup;
        setup.say("Get", one);
        QVERIFY(setup.calls()->instance("computeinstance-e00a", {}).has_value());
        setup.say("Get", one);
        QVERIFY(setup.calls()->instance("computeinstance-e00b", {}).error().code == ErrorCode::Parse);
        one.mutable_metadata()->set_parent_id("project-e00other");
        setup.say("Get", one);
        QVERIFY(setup.calls()->instance("computeinstance-e00a", {}).error().code == ErrorCode::Parse);
    }

    void aChangeIsSentOnceUnderANumber()
    {
        NebiusSetup setup;
        const auto calls = setup.calls();
        for (int i = 0; i < 3; ++i)
            setup.refuse(i < 2 ? "Stop" : "Start", GrpcCode::Unavailable);
        QVERIFY(calls->change("computeinstance-e00a", false, {}).has_value());
        QVERIFY(calls->change("computeinstance-e00a", true, {}).has_value());
        QCOMPARE(setup.sent.size(), std::size_t{2});
        std::set<std::string> numbers;
        for (std::size_t i = 0; i < 2; ++i) {
            QVERIFY(setup.sent[i].once);
            QCOMPARE(setup.asked<nebius::wire::ById>(i).id(), std::string("computeinstance-e00a"));
            numbers.insert(setup.sent[i].headers.back().second);
            QCOMPARE(setup.sent[i].headers.back().first, std::string("X-Idempotency-Key"));
        }
        QCOMPARE(numbers.size(), std::size_t{2});
        QVERIFY(setup.sent[0].url.ends_with("InstanceService/Stop") && setup.sent[1].url.ends_with("/Start"));
        // Once more under the same number if the token was refused.
        setup.sent.clear();
        setup.answers["Stop"] = {grpcAnswer({}, GrpcCode::Unauthenticated), grpcAnswer("")};
        QVERIFY(calls->change("computeinstance-e00a", false, {}).has_value());
        QCOMPARE(setup.sent.size(), std::size_t{2});
        QCOMPARE(setup.sent[0].headers.back().second, setup.sent[1].headers.back().second);
    }
};

GPULEDGER_SUITE(TestNebiusApi)

} // namespace tst_nebiusapi

#include "tst_nebiusapi.moc"
