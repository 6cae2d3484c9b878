// SPDX-License-Identifier: GPL-3.0-or-later
// Mails to a server on loopback, with and without TLS, and what its answers mean.
#include "connectors/notify/mail/mailtarget.h"
#include "tests/support/suite.h"
#include "tests/unit/connectors/mailnotices.h"
#include "tests/unit/prometheus/testtools.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <memory>
#include <thread>

namespace tst_mailtarget {

using namespace gpuledger;
using ports::DeliveryOutcome;
using tests::idleNotice;
using tests::noticeGroup;

namespace {

constexpr char kPassword[] = "canary-credential";

// A mail server and the folder of what it got.
class MailServer {
public:
    bool start(QStringList more = {})
    {
        return m_server.start(QStringLiteral("tests/support/mailserver.py"), QStringList{m_folder.path()} + more);
    }
    std::string url(const std::string &host, const std::string &scheme) const { return m_server.url({}, host, scheme); }
    int count() const { return static_cast<int>(QDir(m_folder.path()).entryList({QStringLiteral("*.json")}).size()); }
    QJsonObject got(int number) const
    {
        QFile file(m_folder.filePath(QString::number(number) + QStringLiteral(".json")));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    }

private:
    QTemporaryDir m_folder;
    tests::FaultyServer m_server;
};

QString header(const QJsonObject &mail, const QString &name)
{
    const QJsonArray headers = mail[QStringLiteral("headers")].toArray();
    for (const QJsonValue &one : headers) {
        if (one.toArray()[0].toString() == name)
            return one.toArray()[1].toString();
    }
    return {};
}

} // namespace

class TestMailTarget : public QObject {
    Q_OBJECT

    QTemporaryDir m_certificates;
    std::shared_ptr<notify::MailWaiting> m_waiting;

    QString certificate(const QString &name) const { return m_certificates.filePath(name); }
    QStringList withKey(const QString &name, const QStringList &more) const
    {
        return QStringList{QStringLiteral("--cert"), certificate(name + QStringLiteral(".pem")),
                           QStringLiteral("--key"), certificate(name + QStringLiteral(".key"))}
        + more;
    }
    std::unique_ptr<ports::NoticeTarget> target(const std::string &url,
                                                std::vector<std::string> to = {"oncall@example.org"},
                                                const std::string &user = {}, const std::string &password = kPassword,
                                                const std::string &from = "gpu@example.org") const
    {
        model::AlertTarget settings;
        settings.name = "mail";
        settings.kind = "email";
        settings.url = url;
        settings.from = from;
        settings.to = std::move(to);
        settings.user = user;
        return notify::mailTarget(settings, base::Secret(user.empty() ? std::string() : password), m_waiting,
                                  certificate(QStringLiteral("ca.pem")).toStdString());
    }

private Q_SLOTS:
    void initTestCase()
    {
        const QString script =
            QDir(qEnvironmentVariable("GPULEDGER_SOURCE_DIR")).filePath(QStringLiteral("tests/faults/certs.sh"));
        QCOMPARE(QProcess::execute(QStringLiteral("/bin/bash"), {script, m_certificates.path()}), 0);
    }

    void init() { m_waiting = std::make_shared<notify::MailWaiting>(); }

    void anotherProgramReadsTheMessage()
    {
        MailServer server;
        QVERIFY(server.start());
        auto notice = idleNotice("Forschung \xC3\xBC\xE2\x82\xAC <b>&\r\nBcc: evil@example.org\r\n.\r\n");
        notice.summary = ".\n" + std::string(600, 'x') + " = \xC3\xA4";
        notice.items[0].name = "<script>alert(1)</script>";
        const auto delivery = target(server.url("127.0.0.1", "smtp"), {"a@example.org", "b@example.org"})
                                  ->send(noticeGroup({notice}), {});
        QVERIFY2(delivery.outcome == DeliveryOutcome::Delivered, delivery.detail.c_str());
        QVERIFY(delivery.detail.empty());
        const QJsonObject mail = server.got(1);
        QCOMPARE(mail[QStringLiteral("to")].toArray().size(), 2);
        QCOMPARE(mail[QStringLiteral("from")].toString(), QStringLiteral("gpu@example.org"));
        QCOMPARE(mail[QStringLiteral("date")].toString(), QStringLiteral("2025-03-26T12:00:00+00:00"));
        QCOMPARE(mail[QStringLiteral("type")].toString(), QStringLiteral("multipart/alternative"));
        QVERIFY(mail[QStringLiteral("defects")].toArray().isEmpty());
        QVERIFY(mail[QStringLiteral("longest")].toInt() <= 998);
        QCOMPARE(mail[QStringLiteral("bare")].toInt(), 0);
        QVERIFY(header(mail, QStringLiteral("Bcc")).isEmpty());
        QCOMPARE(header(mail, QStringLiteral("Auto-Submitted")), QStringLiteral("auto-generated"));
        const QString subject = mail[QStringLiteral("subject")].toString();
        QVERIFY2(subject.contains(QStringLiteral("Forschung ü€ <b>& Bcc: evil@example.org .")), qPrintable(subject));
        QVERIFY(mail[QStringLiteral("text")].toString().contains(QStringLiteral("<script>alert(1)</script>")));
        const QString html = mail[QStringLiteral("html")].toString();
        QVERIFY(html.contains(QStringLiteral("&lt;script&gt;")) && !html.contains(QStringLiteral("<script")));
        QVERIFY(html.contains(QStringLiteral("Forschung ü€ &lt;b&gt;&amp;")));
    }

    void signsInOverTls()
    {
        for (const bool isImplicit : {false, true}) {
            MailServer server;
            QVERIFY(server.start(withKey(QStringLiteral("good"),
                                         {isImplicit ? QStringLiteral("--smtps") : QStringLiteral("--starttls"),
                                          QStringLiteral("--login"), QStringLiteral("gpu:canary-credential")})));
            const std::string url = server.url("localhost", isImplicit ? "smtps" : "smtp");
            const auto delivery = target(url, {"a@example.org"}, "gpu")->send(noticeGroup({idleNotice("x")}), {});
            QVERIFY2(delivery.outcome == DeliveryOutcome::Delivered, delivery.detail.c_str());
            QVERIFY(server.got(1)[QStringLiteral("tls")].toBool());
            QCOMPARE(server.got(1)[QStringLiteral("login")].toString(), QStringLiteral("gpu"));
            const auto wrong =
                target(url, {"a@example.org"}, "gpu", "wrong-password")->send(noticeGroup({idleNotice("x")}), {});
            QCOMPARE(wrong.outcome, DeliveryOutcome::Refused);
            QVERIFY2(wrong.detail.find("535") != std::string::npos, wrong.detail.c_str());
            QVERIFY2(wrong.detail.find("wrong-password") == std::string::npos, wrong.detail.c_str());
            QVERIFY2(wrong.detail.find("3cm9uZy1wYXNzd29y") == std::string::npos, wrong.detail.c_str());
            QCOMPARE(server.count(), 1);
        }
    }

    void aPasswordNeedsTls()
    {
        MailServer server;
        QVERIFY(server.start({QStringLiteral("--login"), QStringLiteral("gpu:canary-credential")}));
        const auto delivery =
            target(server.url("127.0.0.1", "smtp"), {"a@example.org"}, "gpu")->send(noticeGroup({idleNotice("x")}), {});
        QCOMPARE(delivery.outcome, DeliveryOutcome::Refused);
        QVERIFY2(delivery.detail.find("STARTTLS") != std::string::npos, delivery.detail.c_str());
        QCOMPARE(server.count(), 0);
    }

    void verifiesTheCertificate()
    {
        for (const char *name : {"expired", "wronghost", "selfsigned", "unknownca"}) {
            MailServer server;
            QVERIFY(server.start(withKey(QString::fromLatin1(name), {QStringLiteral("--smtps")})));
            const auto delivery = target(server.url("localhost", "smtps"))->send(noticeGroup({idleNotice("x")}), {});
            QVERIFY2(delivery.outcome == DeliveryOutcome::Refused, name);
            QVERIFY2(delivery.detail.starts_with("the certificate"), delivery.detail.c_str());
            QCOMPARE(server.count(), 0);
        }
    }

    void someRecipientsLater()
    {
        MailServer server;
        QVERIFY(server.start());
        // A target is made anew for each delivery.
        const auto mail = [&] {
            return target(server.url("127.0.0.1", "smtp"), {"a@example.org", "later@example.org", "never@example.org"});
        };
        const auto group = noticeGroup({idleNotice("x")});
        const auto first = mail()->send(group, {});
        QCOMPARE(first.outcome, DeliveryOutcome::Retry);
        QVERIFY2(first.detail.find("later@example.org") != std::string::npos, first.detail.c_str());
        QVERIFY2(first.detail.find("refused never@example.org") != std::string::npos, first.detail.c_str());
        QCOMPARE(server.got(1)[QStringLiteral("to")].toArray(), QJsonArray{QStringLiteral("a@example.org")});
        QCOMPARE(mail()->send(group, {}).outcome, DeliveryOutcome::Delivered);
        QCOMPARE(server.got(2)[QStringLiteral("to")].toArray(), QJsonArray{QStringLiteral("later@example.org")});
        QCOMPARE(header(server.got(2), QStringLiteral("Message-ID")),
                 header(server.got(1), QStringLiteral("Message-ID")));
    }

    void answersDecide()
    {
        MailServer server;
        QVERIFY(server.start());
        const std::string url = server.url("127.0.0.1", "smtp");
        const auto outcome = [&](std::vector<std::string> to, const std::string &from) {
            return target(url, std::move(to), {}, {}, from)->send(noticeGroup({idleNotice("x")}), {});
        };
        QCOMPARE(outcome({"never@example.org"}, "gpu@example.org").outcome, DeliveryOutcome::Refused);
        QCOMPARE(outcome({"later@example.org", "never@example.org"}, "gpu@example.org").outcome,
                 DeliveryOutcome::Retry);
        QCOMPARE(outcome({"a@example.org"}, "busy@example.org").outcome, DeliveryOutcome::Retry);
        const auto full = outcome({"a@example.org"}, "full@example.org");
        QCOMPARE(full.outcome, DeliveryOutcome::Refused);
        QVERIFY2(full.detail.find("552 5.2.2 mailbox full") != std::string::npos, full.detail.c_str());
        QCOMPARE(outcome({"a@example.org\r\nDATA"}, "gpu@example.org").outcome, DeliveryOutcome::Refused);
        QCOMPARE(outcome({"a@example.org"}, "gpu").outcome, DeliveryOutcome::Refused);
        QCOMPARE(server.count(), 0);
        // The message is there, even if the server never says goodbye.
        QCOMPARE(outcome({"a@example.org"}, "mute@example.org").outcome, DeliveryOutcome::Delivered);
        QCOMPARE(server.count(), 1);
    }

    void nobodyThere()
    {
        const auto delivery = target("smtp://127.0.0.1:1")->send(noticeGroup({idleNotice("x")}), {});
        QCOMPARE(delivery.outcome, DeliveryOutcome::Retry);
        for (const char *wrong :
             {"http://example.org", "smtp://", "smtp://u@example.org", "smtp://example.org?x", "smtp://[::1", ""})
            QVERIFY2(target(wrong)->send(noticeGroup({idleNotice("x")}), {}).outcome == DeliveryOutcome::Refused,
                     wrong);
    }

    void endsSoonWhenAsked()
    {
        MailServer server;
        QVERIFY(server.start({QStringLiteral("--hang")}));
        const auto mail = target(server.url("127.0.0.1", "smtp"));
        std::stop_source stop;
        QElapsedTimer clock;
        std::jthread asks([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            clock.start();
            stop.request_stop();
        });
        const auto delivery = mail->send(noticeGroup({idleNotice("x")}), stop.get_token());
        asks.join();
        QVERIFY(clock.elapsed() < 1000);
        QCOMPARE(delivery.outcome, DeliveryOutcome::Retry);
        QCOMPARE(delivery.detail, std::string("cancelled"));
    }
};

GPULEDGER_SUITE(TestMailTarget)

} // namespace tst_mailtarget

#include "tst_mailtarget.moc"
