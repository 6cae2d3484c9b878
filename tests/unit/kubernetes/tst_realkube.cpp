// SPDX-License-Identifier: GPL-3.0-or-later
#include "realkube.h"

#include "connectors/kubernetes/api/access.h"
#include "tests/support/suite.h"

#include <QTest>

#include <atomic>
#include <set>

namespace tst_realkube {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

// A login program whose first token is refused.
class LogsIn final : public ports::SecretStore {
public:
    base::Result<base::Secret> read(const model::SecretRef &) override
    {
        return base::fail(ErrorCode::NotFound, "none");
    }
    base::Result<base::Secret> run(const ports::CredentialCommand &) override
    {
        return base::Secret(Json{{"apiVersion", "client.authentication.k8s.io/v1"},
                                 {"kind", "ExecCredential"},
                                 {"status", {{"token", ++runs == 1 ? "old-canary" : "viewer-canary"}}}}
                                .dump());
    }
    std::atomic<int> runs = 0;
};

Json configMap(const std::string &name)
{
    Json out = object("v1", "ConfigMap", name.c_str());
    out.erase("spec");
    out["data"]["text"] = std::string(1000, 'x'); // so that a page is long enough for compression
    return out;
}

} // namespace

// Authentication, discovery and lists of kube-apiserver with etcd.
class TestRealKube : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<auth::KubeCredentials> credentials(const std::string &user, const std::string &authority = "ca.pem")
    {
        const QString file = m_folder.filePath(QStringLiteral("config"));
        const std::string trust =
            authority.empty() ? "" : "    certificate-authority: " + m_kube.folder + '/' + authority + "\n";
        writeFile(file, kubeconfig(m_kube.url, user, trust));
        auto access = auth::loadKubeconfig({file.toStdString()}, "");
        if (!access) {
            QTest::qFail(access.error().text.c_str(), __FILE__, __LINE__);
            return nullptr;
        }
        return std::make_shared<auth::KubeCredentials>(std::move(*access), m_secrets, m_clock);
    }
    // The user that the server sees.
    base::Result<std::string> whoAmI(const std::string &user, const std::string &authority = "ca.pem")
    {
        return whoAmI(credentials(user, authority));
    }
    base::Result<std::string> whoAmI(std::shared_ptr<auth::KubeCredentials> known)
    {
        kubernetes::KubeApi api(std::move(known), m_kube.client);
        const auto answer = api.ask("/apis/authentication.k8s.io/v1/selfsubjectreviews",
                                    {{"apiVersion", "authentication.k8s.io/v1"}, {"kind", "SelfSubjectReview"}}, {});
        GPULEDGER_TRY(answer);
        return (*answer)["status"]["userInfo"]["username"].get<std::string>();
    }
    std::string inBase64(const char *name) const
    {
        QFile file(QString::fromStdString(m_kube.folder + '/' + name));
        return file.open(QIODevice::ReadOnly) ? file.readAll().toBase64().toStdString() : std::string();
    }
    std::string certificate() const
    {
        return "{client-certificate: " + m_kube.folder + "/client.pem, client-key: " + m_kube.folder + "/client.key}";
    }

    RealKube m_kube;
    QTemporaryDir m_folder;
    NoSecrets m_secrets;
    base::SystemClock m_clock;

private Q_SLOTS:
    void initTestCase()
    {
        const QString why = m_kube.start();
        if (why.startsWith(QLatin1String("no")))
            QSKIP(qPrintable(QStringLiteral("skipped: ") + why));
        QVERIFY2(why.isEmpty(), qPrintable(why));
        m_kube.put({{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "ml"}}}});
    }

    void knowsUsByWhatTheKubeconfigSays()
    {
        QCOMPARE(whoAmI("{token: viewer-canary}").value_or(""), std::string("viewer"));
        QCOMPARE(whoAmI(certificate()).value_or(""), std::string("client"));
        QCOMPARE(whoAmI("{token: admin-canary, act-as: ana, act-as-groups: [vision]}").value_or(""),
                 std::string("ana"));
        const auto denied = whoAmI("{token: viewer-canary, act-as: ana}");
        QVERIFY(!denied && denied.error().code == ErrorCode::Forbidden);
        QVERIFY2(denied.error().text.find("cannot impersonate") != std::string::npos, denied.error().text.c_str());
        const auto wrong = whoAmI("{token: wrong-canary}");
        QVERIFY(!wrong && wrong.error().code == ErrorCode::Unauthorized);
        QVERIFY(wrong.error().text.find("canary") == std::string::npos);
    }

    void takesCertificatesFromTheFileItself()
    {
        const QString file = m_folder.filePath(QStringLiteral("inline"));
        writeFile(file,
                  kubeconfig(m_kube.url,
                             "{client-certificate-data: " + inBase64("client.pem")
                                 + ", client-key-data: " + inBase64("client.key") + "}",
                             "    certificate-authority-data: " + inBase64("ca.pem") + "\n"));
        auto access = auth::loadKubeconfig({file.toStdString()}, "");
        QVERIFY2(access, access ? "" : access.error().text.c_str());
        const auto name = whoAmI(std::make_shared<auth::KubeCredentials>(std::move(*access), m_secrets, m_clock));
        QVERIFY2(name, name ? "" : name.error().text.c_str());
        QCOMPARE(*name, std::string("client"));
    }

    void asksALoginProgramAgainWhenItsTokenIsRefused()
    {
        const QString file = m_folder.filePath(QStringLiteral("exec"));
        writeFile(file,
                  kubeconfig(m_kube.url,
                             "{exec: {apiVersion: client.authentication.k8s.io/v1, command: log-in, "
                             "interactiveMode: Never}}",
                             "    certificate-authority: " + m_kube.folder + "/ca.pem\n"));
        auto access = auth::loadKubeconfig({file.toStdString()}, "");
        QVERIFY2(access, access ? "" : access.error().text.c_str());
        LogsIn program;
        const auto known = std::make_shared<auth::KubeCredentials>(std::move(*access), program, m_clock);
        QCOMPARE(whoAmI(known).value_or(""), std::string("viewer"));
        QCOMPARE(whoAmI(known).value_or(""), std::string("viewer"));
        QCOMPARE(program.runs.load(), 2);
    }

    void trustsOnlyTheNamedAuthority()
    {
        for (const char *authority : {"otherca.pem", ""}) {
            const auto answer = whoAmI(certificate(), authority);
            QVERIFY2(!answer && answer.error().code == ErrorCode::Tls, authority);
        }
    }

    void readsATokenAgainWhenItIsRefused()
    {
        writeFile(m_folder.filePath(QStringLiteral("token")), "old-canary");
        auto known = credentials("{tokenFile: token}");
        QVERIFY(known->current());
        writeFile(m_folder.filePath(QStringLiteral("token")), "viewer-canary\n");
        kubernetes::KubeApi api(known, m_kube.client);
        const auto answer = api.get("/version", {});
        QVERIFY2(answer, answer ? "" : answer.error().text.c_str());
    }

    void asksWhatItMay()
    {
        kubernetes::KubeApi viewer(credentials("{token: viewer-canary}"), m_kube.client);
        const kubernetes::AccessQuestion question{"patch", "apps", "deployments", "scale", "ml", "serve"};
        const auto no = kubernetes::mayI(viewer, question, {});
        QVERIFY(no && !*no);
        const auto yes = kubernetes::mayI(m_kube.api(), question, {});
        QVERIFY(yes && *yes);
        const auto list = viewer.list("/api/v1/namespaces/ml/pods", [](const Json &) {}, {});
        QVERIFY(!list && list.error().code == ErrorCode::Forbidden);
        QVERIFY2(list.error().text.find("cannot list resource \"pods\"") != std::string::npos,
                 list.error().text.c_str());
    }

    void findsTheKindsThatItHas()
    {
        kubernetes::Discovery discovery(m_kube.api());
        const auto deployment = discovery.find("apps", "Deployment", {});
        QVERIFY(deployment && *deployment);
        QCOMPARE((*deployment)->plural, std::string("deployments"));
        QVERIFY((*deployment)->subresources.count("scale") == 1 && (*deployment)->isNamespaced);
        const auto scaler = discovery.find("autoscaling", "HorizontalPodAutoscaler", {});
        QVERIFY(scaler && *scaler && (*scaler)->version == "v2");
        const auto node = discovery.find("", "Node", {});
        QVERIFY(node && *node && !(*node)->isNamespaced && (*node)->listPath("ml") == "/api/v1/nodes");
        const auto pod = discovery.find("", "Pod", {});
        QVERIFY(pod && *pod && (*pod)->plural == "pods" && (*pod)->subresources.count("eviction") == 1);
        const auto absent = discovery.find("ray.io", "RayCluster", {});
        QVERIFY(absent && !*absent);
        const auto unknown = discovery.find("apps", "Nothing", {});
        QVERIFY(unknown && !*unknown);
    }

    void listsPageByPage()
    {
        for (int i = 0; i < 260; ++i)
            m_kube.put(configMap("page-" + std::to_string(i)));
        std::set<std::string> names;
        const auto version = m_kube.api().list("/api/v1/namespaces/ml/configmaps?labelSelector=",
                                               [&](const Json &one) { names.insert(one["metadata"]["name"]); }, {});
        QVERIFY2(version && !version->empty(), version ? "" : version.error().text.c_str());
        QVERIFY(names.size() >= 260);
        // If a list has expired at the server, its remainder is not taken from a later version.
        bool isCompacted = false;
        const auto expired = m_kube.api().list("/api/v1/namespaces/ml/configmaps",
                                               [&](const Json &) {
                                                   if (isCompacted)
                                                       return;
                                                   m_kube.put(configMap("newer"));
                                                   isCompacted = m_kube.compact();
                                               },
                                               {});
        QVERIFY(isCompacted);
        QVERIFY2(!expired && expired.error().code == ErrorCode::Refused,
                 expired ? "a list" : expired.error().text.c_str());
        QVERIFY(m_kube.remove(configMap("newer")) == 200);
    }

    // Many owners of one kind are read by such a list.
    void listsMetadataAlone()
    {
        Json named = configMap("meta-1");
        named["metadata"]["labels"] = {{"team", "vision"}};
        named["data"] = {{"key", "value"}};
        m_kube.put(named);
        Json found;
        const auto version = m_kube.api().listMetadata("/api/v1/namespaces/ml/configmaps",
                                                       [&](const Json &one) {
                                                           if (one["metadata"]["name"] == "meta-1")
                                                               found = one;
                                                       },
                                                       {});
        QVERIFY2(version && !version->empty(), version ? "" : version.error().text.c_str());
        QCOMPARE(kubernetes::text(found, {"metadata", "labels", "team"}), std::string("vision"));
        QVERIFY(!kubernetes::uidOf(found).empty());
        QVERIFY(!found.contains("data"));
        QVERIFY(m_kube.remove(named) == 200);
    }
};

GPULEDGER_SUITE(TestRealKube)

} // namespace tst_realkube

#include "tst_realkube.moc"
