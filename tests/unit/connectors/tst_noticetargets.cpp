// SPDX-License-Identifier: GPL-3.0-or-later
// Targets of alerts: which can be made, how an answer is understood, and that no secret is shown.
#include "tests/support/suite.h"
#include "tests/unit/connectors/noticesamples.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_noticetargets {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using ports::DeliveryOutcome;

namespace {

struct AnswerCase {
    int status;
    DeliveryOutcome outcome;
};

std::unique_ptr<ports::NoticeTarget> targetAt(const std::shared_ptr<Receiver> &receiver, const std::string &kind)
{
    static TargetSecret secrets;
    auto made = notify::targets([&] { return receiver; }, secrets, kNoticeClock)->create(noticeTarget(kind));
    return made ? std::move(*made) : nullptr;
}

// Counts what it signs; `keysLeft` other keys are found after a rejection.
struct FakeSigner final : auth::RequestSigner {
    std::optional<base::Error> error;
    int keysLeft = 0, made = 0;

    base::Result<UsedKeys> sign(http::Request &request, base::Redactor &secrets, const std::stop_token &) override
    {
        if (error)
            return base::fail(*error);
        request.headers.emplace_back("Authorization", "signature " + std::to_string(++made));
        secrets.add(kNoticeSecret);
        return std::make_shared<int>(made);
    }
    bool renew(const UsedKeys &, const std::stop_token &) override { return keysLeft-- > 0; }
};

model::AlertTarget amazonTarget()
{
    model::AlertTarget target = noticeTarget("alertmanager");
    target.url = "https://aps-workspaces.eu-west-1.amazonaws.com/workspaces/ws-1/alertmanager";
    target.auth.kind = model::AuthSettings::Kind::SigV4;
    target.auth.region = "eu-west-1";
    target.auth.profile = "alerts";
    return target;
}

// What a target with this signer comes to.
ports::Delivery sentSigned(const std::shared_ptr<Receiver> &receiver, const std::shared_ptr<FakeSigner> &signer)
{
    TargetSecret secrets;
    const auto signers = [&](const auth::SigningScope &scope) -> base::Result<std::shared_ptr<auth::RequestSigner>> {
        if (scope.service != "aps" || scope.region != "eu-west-1" || scope.profile != "alerts")
            return base::fail(ErrorCode::InvalidArgument, "another scope");
        return std::shared_ptr<auth::RequestSigner>(signer);
    };
    const auto made = notify::targets([&] { return receiver; }, secrets, kNoticeClock, signers)->create(amazonTarget());
    return made ? (*made)->send(groupOf({sampleNotice()}), {}) : ports::Delivery{DeliveryOutcome::Refused, {}, "none"};
}

ErrorCode refusalFor(const model::AlertTarget &target)
{
    TargetSecret secrets;
    const auto made =
        notify::targets([] { return std::make_shared<Receiver>(); }, secrets, kNoticeClock)->create(target);
    return made ? ErrorCode::Internal : made.error().code;
}

} // namespace

class TestNoticeTargets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answersMeanDeliveredRetryOrRefused()
    {
        const auto receiver = std::make_shared<Receiver>();
        const auto target = targetAt(receiver, "webhook");
        QVERIFY(target != nullptr);
        for (const AnswerCase &one : {AnswerCase{200, DeliveryOutcome::Delivered},
                                      {202, DeliveryOutcome::Delivered},
                                      {204, DeliveryOutcome::Delivered},
                                      {301, DeliveryOutcome::Refused},
                                      {307, DeliveryOutcome::Refused},
                                      {400, DeliveryOutcome::Refused},
                                      {403, DeliveryOutcome::Refused},
                                      {404, DeliveryOutcome::Refused},
                                      {408, DeliveryOutcome::Retry},
                                      {410, DeliveryOutcome::Refused},
                                      {429, DeliveryOutcome::Retry},
                                      {500, DeliveryOutcome::Retry},
                                      {503, DeliveryOutcome::Retry}}) {
            receiver->answer.status = one.status;
            receiver->answer.retryAfter = base::Seconds{77};
            const ports::Delivery delivery = target->send(groupOf({sampleNotice()}), {});
            QVERIFY2(delivery.outcome == one.outcome, std::to_string(one.status).c_str());
            QCOMPARE(delivery.retryAfter.has_value(), one.outcome == DeliveryOutcome::Retry);
            QCOMPARE(delivery.detail.empty(), one.outcome == DeliveryOutcome::Delivered);
        }
        QVERIFY(!receiver->requests.back().followsRedirects);
        QVERIFY(receiver->requests.back().timeouts.total <= std::chrono::seconds(20));
    }

    void errorsOfTheConnectionAreTriedAgain()
    {
        const auto receiver = std::make_shared<Receiver>();
        const auto target = targetAt(receiver, "slack");
        for (const auto &[code, outcome] : {std::pair{ErrorCode::Timeout, DeliveryOutcome::Retry},
                                            {ErrorCode::Network, DeliveryOutcome::Retry},
                                            {ErrorCode::Tls, DeliveryOutcome::Retry},
                                            {ErrorCode::Cancelled, DeliveryOutcome::Retry},
                                            {ErrorCode::InvalidConfig, DeliveryOutcome::Refused}}) {
            receiver->error =
                base::Error::make(code, std::string("https://hooks.example.org/services/") + kNoticeSecret);
            const ports::Delivery delivery = target->send(groupOf({sampleNotice()}), {});
            QVERIFY(delivery.outcome == outcome);
            QVERIFY(!delivery.detail.empty());
            QVERIFY(delivery.detail.find("hooks") == std::string::npos);
        }
    }

    void theReceiversReasonIsShownWithoutSecrets()
    {
        const auto receiver = std::make_shared<Receiver>();
        receiver->answer.status = 400;
        const std::string secret = kNoticeSecret;
        for (const std::string kind : {"slack", "teams", "pagerduty", "opsgenie", "webhook"}) {
            const auto target = targetAt(receiver, kind);
            QVERIFY(target != nullptr);
            for (const std::string &body :
                 {"no_text " + secret,
                  nlohmann::json({{"status", "invalid event"}, {"message", "no_text"}, {"errors", {secret, "again"}}})
                      .dump(),
                  "\"no_text " + secret + '"', "no_text\r\n\x1b[31m" + secret + std::string(5000, 'x')}) {
                receiver->answer.body = body;
                const std::string detail = target->send(groupOf({sampleNotice()}), {}).detail;
                QVERIFY2(detail.find("no_text") != std::string::npos, detail.c_str());
                QVERIFY2(detail.find(secret) == std::string::npos, detail.c_str());
                QVERIFY2(detail.find("0123456789") == std::string::npos, detail.c_str());
                QVERIFY(detail.find_first_of("\r\n\x1b") == std::string::npos && detail.size() < 300);
            }
            receiver->answer.body = "<html>" + secret;
            QVERIFY(target->send(groupOf({sampleNotice()}), {}).detail.find("html") == std::string::npos);
        }
    }

    void slackMustSayOk()
    {
        const auto receiver = std::make_shared<Receiver>();
        const auto target = targetAt(receiver, "slack");
        receiver->answer.status = 200;
        for (const auto &[body, isOk] : {std::pair{"ok", true},
                                         {"ok\n", true},
                                         {"{\"ok\":true}", true},
                                         {"{\"ok\":false}", false},
                                         {"<html>sign in</html>", false},
                                         {"", false}}) {
            receiver->answer.body = body;
            QCOMPARE(target->send(groupOf({sampleNotice()}), {}).outcome == DeliveryOutcome::Delivered, isOk);
        }
    }

    void credentialsGoToTlsOrThisMachineOnly()
    {
        for (const auto &[address, isSafe] : {std::pair{"http://hooks.example.org/x", false},
                                              {"ftp://hooks.example.org/x", false},
                                              {"", false},
                                              {"https://hooks.example.org/x", true},
                                              {"http://127.0.0.1:8080/x", true}}) {
            model::AlertTarget target = noticeTarget("slack");
            target.secret = referenceTo(address);
            QVERIFY(refusalFor(target) == (isSafe ? ErrorCode::Internal : ErrorCode::InvalidConfig));
        }
        model::AlertTarget pager = noticeTarget("pagerduty");
        pager.url = "http://events.example.org";
        QVERIFY(refusalFor(pager) == ErrorCode::InvalidConfig);
    }

    void whatCannotBeMade()
    {
        model::AlertTarget missing = noticeTarget("teams");
        missing.secret = referenceTo("missing");
        QVERIFY(refusalFor(missing) == ErrorCode::InvalidConfig);
        QVERIFY(refusalFor(noticeTarget("pigeon")) == ErrorCode::InvalidConfig);
        QVERIFY(refusalFor(noticeTarget("desktop")) == ErrorCode::Unsupported);
        model::AlertTarget broken = noticeTarget("webhook");
        broken.signing = referenceTo("missing");
        QVERIFY(refusalFor(broken) == ErrorCode::InvalidConfig);
    }

    void anAlertmanagerWithALoginAndAnAuthority()
    {
        QTemporaryDir folder;
        const std::string authority = folder.filePath(QStringLiteral("ca.pem")).toStdString();
        model::AlertTarget target = noticeTarget("alertmanager");
        target.caFile = authority;
        QVERIFY(refusalFor(target) == ErrorCode::InvalidConfig); // the file is missing
        QVERIFY(QFile(QString::fromStdString(authority)).open(QIODevice::WriteOnly));
        const auto plain = sentTo(target, groupOf({sampleNotice()}));
        QCOMPARE(plain.at(0).caFile, authority);
        QVERIFY(!plain.at(0).credentials || !plain.at(0).credentials->inHeaders());
        target.auth.kind = model::AuthSettings::Kind::Basic;
        target.auth.user = "ledger";
        target.auth.password = referenceTo("key");
        const auto basic = sentTo(target, groupOf({sampleNotice()}));
        QVERIFY(basic.at(0).credentials && basic.at(0).credentials->user == "ledger");
        QVERIFY(basic.at(0).credentials->password.reveal() == kNoticeSecret);
        target.auth = {};
        target.auth.kind = model::AuthSettings::Kind::Bearer;
        target.auth.token = referenceTo("key");
        QVERIFY(sentTo(target, groupOf({sampleNotice()})).at(0).credentials->bearer.reveal() == kNoticeSecret);
        target.url = "http://am.example.org";
        QVERIFY(refusalFor(target) == ErrorCode::InvalidConfig); // a credential over plain http
        target.url = "https://am.example.org";
        QVERIFY(refusalFor(target) == ErrorCode::Internal);
        target.auth.token = referenceTo("missing");
        QVERIFY(refusalFor(target) == ErrorCode::InvalidConfig);
        target.auth.kind = model::AuthSettings::Kind::SigV4;
        QVERIFY(refusalFor(target) == ErrorCode::InvalidConfig);
    }

    void whatAnAlertmanagerRepeatsOfTheLoginIsNotShown()
    {
        model::AlertTarget target = noticeTarget("alertmanager");
        target.auth.kind = model::AuthSettings::Kind::Bearer;
        target.auth.token = referenceTo("key");
        TargetSecret secrets;
        const auto receiver = std::make_shared<Receiver>();
        receiver->answer.status = 403;
        receiver->answer.body = std::string("wrong token ") + kNoticeSecret;
        const auto made = notify::targets([&] { return receiver; }, secrets, kNoticeClock)->create(target);
        QVERIFY(made);
        const std::string detail = (*made)->send(groupOf({sampleNotice()}), {}).detail;
        QVERIFY(detail.find("wrong token") != std::string::npos);
        QVERIFY(detail.find(kNoticeSecret) == std::string::npos);
    }

    void aWebhookWithALogin()
    {
        model::AlertTarget target = noticeTarget("webhook");
        target.auth.kind = model::AuthSettings::Kind::Basic;
        target.auth.user = "ledger";
        target.auth.password = referenceTo("key");
        target.signing = referenceTo("key");
        const auto basic = sentTo(target, groupOf({sampleNotice()}));
        QVERIFY(basic.at(0).credentials && basic.at(0).credentials->user == "ledger");
        QVERIFY(basic.at(0).credentials->password.reveal() == kNoticeSecret);
        QVERIFY(basic.at(0).url.starts_with("https://hooks.example.org/services/"));
        target.auth = {};
        target.auth.kind = model::AuthSettings::Kind::Bearer;
        target.auth.token = referenceTo("key");
        target.auth.header = "X-API-KEY";
        const auto bearer = sentTo(target, groupOf({sampleNotice()}));
        QVERIFY(bearer.at(0).credentials->bearer.reveal() == kNoticeSecret);
        QCOMPARE(bearer.at(0).credentials->bearerHeader, std::string("X-API-KEY"));
        target.secret = {};
        target.url = "http://hooks.example.org/gpu";
        QVERIFY(refusalFor(target) == ErrorCode::InvalidConfig); // a credential over plain http
        target.url = "http://127.0.0.1:9/gpu";
        QVERIFY(refusalFor(target) == ErrorCode::Internal);
        target.auth.token = referenceTo("missing");
        QVERIFY(refusalFor(target) == ErrorCode::InvalidConfig);
    }

    void whatAWebhookRepeatsOfTheLoginIsNotShown()
    {
        model::AlertTarget target = noticeTarget("webhook");
        target.auth.kind = model::AuthSettings::Kind::Basic;
        target.auth.user = "ledger";
        target.auth.password = referenceTo("a-password-9f8e7d");
        TargetSecret secrets;
        const auto receiver = std::make_shared<Receiver>();
        receiver->answer.status = 401;
        receiver->answer.body = "no such login: Basic "
            + QByteArray("ledger:a-password-9f8e7d").toBase64().toStdString() + " a-password-9f8e7d";
        const auto made = notify::targets([&] { return receiver; }, secrets, kNoticeClock)->create(target);
        QVERIFY(made);
        const std::string detail = (*made)->send(groupOf({sampleNotice()}), {}).detail;
        QVERIFY(detail.find("no such login") != std::string::npos);
        QVERIFY2(detail.find("a-password") == std::string::npos, detail.c_str());
        const std::string begin = QByteArray("ledger:a-password").toBase64().left(16).toStdString();
        QVERIFY2(detail.find(begin) == std::string::npos, detail.c_str());
    }

    void anAlertmanagerOfAmazonGetsSignedRequests()
    {
        const auto receiver = std::make_shared<Receiver>();
        receiver->answer.status = 200;
        const auto signer = std::make_shared<FakeSigner>();
        QVERIFY(sentSigned(receiver, signer).outcome == DeliveryOutcome::Delivered);
        QCOMPARE(receiver->requests.size(), std::size_t{1});
        const http::Request &request = receiver->requests.front();
        QVERIFY(request.url.ends_with("/workspaces/ws-1/alertmanager/api/v2/alerts"));
        QCOMPARE(request.headers.back().second, std::string("signature 1"));
        QVERIFY(request.once && !request.followsRedirects);
        model::AlertTarget plain = amazonTarget();
        plain.url = "http://aps.example.org/alertmanager";
        QVERIFY(refusalFor(plain) == ErrorCode::InvalidConfig);
    }

    void rejectedKeysAreRenewedOnce()
    {
        const auto receiver = std::make_shared<Receiver>();
        receiver->answer.status = 403;
        receiver->answer.body = std::string(R"({"Message":"The security token is expired: )") + kNoticeSecret + "\"}";
        const auto signer = std::make_shared<FakeSigner>();
        signer->keysLeft = 5;
        const ports::Delivery refused = sentSigned(receiver, signer);
        QVERIFY(refused.outcome == DeliveryOutcome::Refused);
        QVERIFY2(refused.detail.find("token is expired") != std::string::npos, refused.detail.c_str());
        QVERIFY2(refused.detail.find(kNoticeSecret) == std::string::npos, refused.detail.c_str());
        QCOMPARE(receiver->requests.size(), std::size_t{2});
        QCOMPARE(receiver->requests.back().headers.back().second, std::string("signature 2"));
        signer->keysLeft = 0;
        QVERIFY(sentSigned(receiver, signer).outcome == DeliveryOutcome::Refused);
        QCOMPARE(receiver->requests.size(), std::size_t{3}); // there are no other keys
    }

    void withoutKeysNothingIsSentAndNothingIsLost()
    {
        const auto receiver = std::make_shared<Receiver>();
        const auto signer = std::make_shared<FakeSigner>();
        signer->error = base::Error::make(ErrorCode::Unauthorized, "the login has expired");
        const ports::Delivery later = sentSigned(receiver, signer);
        QVERIFY(later.outcome == DeliveryOutcome::Retry);
        QCOMPARE(later.detail, std::string("the message can't be signed: the login has expired"));
        QVERIFY(receiver->requests.empty());
    }

    void thePreviousSecretMustBeReadable()
    {
        model::AlertTarget target = noticeTarget("webhook");
        target.signing = referenceTo("key");
        target.previousSigning = referenceTo("missing");
        QVERIFY(refusalFor(target) == ErrorCode::InvalidConfig);
    }

    void theFirstFailureEndsAnAttempt()
    {
        const auto receiver = std::make_shared<Receiver>();
        const auto target = targetAt(receiver, "pagerduty");
        receiver->answer.status = 503;
        QVERIFY(target->send(groupOf({sampleNotice("a"), sampleNotice("b")}), {}).outcome == DeliveryOutcome::Retry);
        QCOMPARE(receiver->requests.size(), std::size_t{1});
        receiver->answer.status = 202;
        QVERIFY(target->send(groupOf({sampleNotice("a"), sampleNotice("b")}), {}).outcome
                == DeliveryOutcome::Delivered);
        QCOMPARE(receiver->requests.size(), std::size_t{3});
    }

    void traits()
    {
        const auto receiver = std::make_shared<Receiver>();
        for (const auto &[kind, groups] : {std::pair{"slack", true},
                                           {"teams", true},
                                           {"pagerduty", false},
                                           {"opsgenie", false},
                                           {"webhook", false},
                                           {"alertmanager", true}}) {
            const auto target = targetAt(receiver, kind);
            QVERIFY(target != nullptr);
            QCOMPARE(target->traits().groups, groups);
            QVERIFY(target->traits().resolves);
            QCOMPARE(target->traits().repeat.has_value(), std::string(kind) == "alertmanager");
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestNoticeTargets)

} // namespace tst_noticetargets

#include "tst_noticetargets.moc"
