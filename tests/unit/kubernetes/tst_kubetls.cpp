// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubetest.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_kubetls {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

// How a kubeconfig specifies trust and identity.
class TestKubeTls : public QObject {
    Q_OBJECT

private:
    std::string file(const char *name) const
    {
        return QDir(m_folder.path()).filePath(QString::fromLatin1(name)).toStdString();
    }
    QString path(const char *name) const { return QString::fromStdString(file(name)); }
    // Requests the version of a server with this certificate.
    base::Result<Json> version(const char *certificate, const std::string &cluster, const std::string &user)
    {
        KubeServer server;
        const QString pem = path(certificate) + QStringLiteral(".pem"),
                      key = path(certificate) + QStringLiteral(".key");
        if (!server.start({QStringLiteral("--cert"), pem, QStringLiteral("--key"), key, QStringLiteral("--client-ca"),
                           path("ca.pem")}))
            return base::fail(ErrorCode::Internal, "the server did not start");
        writeFile(path("config"), kubeconfig(server.url("https"), user, cluster));
        auto access = auth::loadKubeconfig({file("config")}, "");
        GPULEDGER_TRY(access);
        auto credentials = std::make_shared<auth::KubeCredentials>(std::move(*access), m_secrets, m_clock);
        return kubernetes::KubeApi(std::move(credentials), server.client).get("/version", {});
    }

    QTemporaryDir m_folder;
    NoSecrets m_secrets;
    base::SystemClock m_clock;
    const std::string m_user = "{client-certificate: client.pem, client-key: client.key}";
    const std::string m_trust = "    certificate-authority: ca.pem\n";

private Q_SLOTS:
    void initTestCase()
    {
        const QString script =
            QDir(qEnvironmentVariable("GPULEDGER_SOURCE_DIR")).filePath(QStringLiteral("tests/faults/certs.sh"));
        QCOMPARE(QProcess::execute(QStringLiteral("/bin/bash"), {script, m_folder.path()}), 0);
    }

    void trustsTheNamedAuthority()
    {
        const auto answer = version("good", m_trust, m_user);
        QVERIFY2(answer, answer ? "" : answer.error().text.c_str());
        QCOMPARE((*answer)["gitVersion"].get<std::string>(), std::string("v1.30.0"));
    }

    void trustsNoOther()
    {
        const auto system = version("good", {}, m_user);
        QVERIFY(!system && system.error().code == ErrorCode::Tls);
        const auto other = version("good", "    certificate-authority: otherca.pem\n", m_user);
        QVERIFY(!other && other.error().code == ErrorCode::Tls);
    }

    void verifiesTheNameThatTheKubeconfigSays()
    {
        const auto wrong = version("wronghost", m_trust, m_user);
        QVERIFY(!wrong && wrong.error().code == ErrorCode::Tls);
        const auto named = version("wronghost", m_trust + "    tls-server-name: elsewhere.invalid\n", m_user);
        QVERIFY2(named, named ? "" : named.error().text.c_str());
        const auto other = version("good", m_trust + "    tls-server-name: elsewhere.invalid\n", m_user);
        QVERIFY(!other && other.error().code == ErrorCode::Tls);
    }

    void aServerThatWantsACertificateGetsNoAnswerWithout()
    {
        QVERIFY(!version("good", m_trust, "{token: kube-canary-4711}"));
    }

    // The token was changed: it is read again and the call is repeated once.
    void readsTheTokenAgainAfterA401()
    {
        KubeServer server;
        QVERIFY(server.start());
        server.flag("tokens", {"canary-new"});
        writeFile(path("token"), "canary-old");
        writeFile(path("config"), kubeconfig(server.url(), "{tokenFile: token, act-as: ana}"));
        auto access = auth::loadKubeconfig({file("config")}, "");
        QVERIFY(access);
        auto credentials = std::make_shared<auth::KubeCredentials>(std::move(*access), m_secrets, m_clock);
        QVERIFY(credentials->current());
        writeFile(path("token"), "canary-new\n");
        kubernetes::KubeApi api(credentials, server.client);
        QVERIFY(api.get("/version", {}));
        const auto asked = server.requests("GET");
        QCOMPARE(asked.size(), std::size_t{2});
        QCOMPARE(asked[0]["auth"].get<std::string>(), std::string("Bearer canary-old"));
        QCOMPARE(asked[1]["auth"].get<std::string>(), std::string("Bearer canary-new"));
        QCOMPARE(asked[1]["user"].get<std::string>(), std::string("ana"));
        server.flag("tokens", {"another"});
        const auto refused = api.get("/version", {});
        QVERIFY(!refused && refused.error().code == ErrorCode::Unauthorized);
        QVERIFY(refused.error().text.find("canary") == std::string::npos);
    }

    void sendsNoTokenOverPlainHttpToAnotherMachine()
    {
        writeFile(path("config"), kubeconfig("http://k8s.example.org"));
        auto access = auth::loadKubeconfig({file("config")}, "");
        QVERIFY(access);
        auto credentials = std::make_shared<auth::KubeCredentials>(std::move(*access), m_secrets, m_clock);
        const auto answer =
            kubernetes::KubeApi(credentials, std::make_shared<http::CurlHttpClient>()).get("/version", {});
        QVERIFY(!answer && answer.error().code == ErrorCode::InvalidConfig);
    }
};

GPULEDGER_SUITE(TestKubeTls)

} // namespace tst_kubetls

#include "tst_kubetls.moc"
