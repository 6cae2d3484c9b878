// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/kubecredentials.h"
#include "connectors/secrets/commandconsent.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_kubeconfig {

using namespace gpuledger;
using auth::KubeAccess;
using base::ErrorCode;

namespace {

constexpr const char *kPlain = R"(
apiVersion: v1
kind: Config
current-context: main
clusters:
- name: c
  cluster:
    server: https://k8s.example.org:6443/base/
    certificate-authority: ca.pem
    tls-server-name: api.internal
    proxy-url: socks5://127.0.0.1:1080
contexts:
- name: main
  context: {cluster: c, user: u, namespace: ml}
users:
- name: u
  user:
    token: canary-token
    tokenFile: token.txt
    act-as: ana
    act-as-groups: [gpu, ops]
    act-as-user-extra: {reason: [idle]}
)";

// Prints a text chosen by the test, and records the commands that it was to run.
class Plugin final : public ports::SecretStore {
public:
    base::Result<base::Secret> read(const model::SecretRef &) override
    {
        return base::fail(ErrorCode::NotFound, "none");
    }
    base::Result<base::Secret> run(const ports::CredentialCommand &command) override
    {
        last = command;
        ++runs;
        return base::Secret(std::string(output));
    }
    ports::CredentialCommand last;
    std::string output;
    int runs = 0;
};

class MovedClock final : public base::Clock {
public:
    base::UtcTime now() const override { return time; }
    base::UtcTime time = base::fromUnix(1800000000);
};

std::string withUser(const std::string &user, const std::string &cluster = {})
{
    return "current-context: x\nclusters: [{name: c, cluster: {server: 'https://a.example.org'" + cluster
        + "}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nusers: [{name: u, user: " + user + "}]\n";
}

} // namespace

class TestKubeconfig : public QObject {
    Q_OBJECT

private:
    std::filesystem::path write(const char *name, const std::string &text)
    {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly))
            file.write(text.data(), static_cast<qint64>(text.size()));
        return file.fileName().toStdString();
    }
    base::Result<KubeAccess> load(const std::string &text, const std::string &context = {})
    {
        return auth::loadKubeconfig({write("config", text)}, context);
    }
    ErrorCode codeOf(const std::string &text)
    {
        const auto access = load(text);
        return access ? ErrorCode::Internal : access.error().code;
    }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void readsEachPart()
    {
        write("ca.pem", "PEM");
        const auto access = load(kPlain);
        QVERIFY2(access, access ? "" : access.error().text.c_str());
        QCOMPARE(access->server, std::string("https://k8s.example.org:6443/base"));
        QCOMPARE(access->caPem, std::string("PEM"));
        QCOMPARE(access->serverName, std::string("api.internal"));
        QCOMPARE(access->proxy, std::string("socks5://127.0.0.1:1080"));
        QCOMPARE(access->nameSpace, std::string("ml"));
        QCOMPARE(access->token.reveal(), std::string_view("canary-token"));
        const http::Parameters headers{{"Impersonate-User", "ana"},
                                       {"Impersonate-Group", "gpu"},
                                       {"Impersonate-Group", "ops"},
                                       {"Impersonate-Extra-reason", "idle"}};
        QVERIFY(access->headers == headers);
    }

    void dataWinsOverAPath()
    {
        const auto access = load(withUser("{client-certificate-data: Q0VSVA==, client-certificate: no.pem, "
                                          "client-key-data: S0VZ}",
                                          ", certificate-authority-data: Q0E=, certificate-authority: no.pem"));
        QVERIFY2(access, access ? "" : access.error().text.c_str());
        QCOMPARE(access->caPem, std::string("CA"));
        QCOMPARE(access->certificatePem.reveal(), std::string_view("CERT"));
        QCOMPARE(access->keyPem.reveal(), std::string_view("KEY"));
        QVERIFY(codeOf(withUser("{client-key-data: S0VZ}")) == ErrorCode::InvalidConfig);
        QVERIFY(codeOf(withUser("{client-key-data: '***', client-certificate-data: Q0E=}"))
                == ErrorCode::InvalidConfig);
    }

    void readsJson()
    {
        // As kubectl config view -o json prints it.
        const std::string server = R"({"server": "https://a.example.org"})";
        const auto access = load(R"({"current-context": "x", "clusters": [{"name": "c", "cluster": )" + server
                                 + R"(}], "contexts": [{"name": "x", "context": {"cluster": "c"}}]})");
        QVERIFY2(access, access ? "" : access.error().text.c_str());
        QCOMPARE(access->nameSpace, std::string("default"));
    }

    void theFirstFileWinsAsAWhole()
    {
        const auto first = write("first", "current-context: x\nusers: [{name: u, user: {username: ana}}]\n");
        const auto second = write("second", withUser("{token: t, username: bob}"));
        const auto access =
            auth::loadKubeconfig({m_folder.filePath(QStringLiteral("none")).toStdString(), first, second}, "");
        QVERIFY2(access, access ? "" : access.error().text.c_str());
        QCOMPARE(access->user, std::string("ana"));
        QVERIFY(access->token.empty());
    }

    void listsTheContextsOfAllFiles()
    {
        const auto first =
            write("first", "current-context: b\ncontexts:\n- {name: a, context: {}}\n- {name: b}\n- 7\n");
        const auto second = write("second", "current-context: c\ncontexts:\n- {name: b}\n- {name: c}\n");
        const auto names =
            auth::listKubeContexts({first, m_folder.filePath(QStringLiteral("none")).toStdString(), second});
        QVERIFY2(names, names ? "" : names.error().text.c_str());
        QCOMPARE(names->all, (std::vector<std::string>{"a", "b", "c"}));
        QCOMPARE(names->current, std::string("b"));
        QVERIFY(auth::listKubeContexts({}).error().code == ErrorCode::NotFound);
        QVERIFY(auth::listKubeContexts({write("odd", "contexts: {}")})->all.empty());
        QVERIFY(auth::listKubeContexts({write("wrong", "- a\n")}).error().code == ErrorCode::InvalidConfig);
    }

    void refusesWhatItMustNotFollow()
    {
        QVERIFY(codeOf("current-context: a\nclusters: &x []\nusers: *x\n") == ErrorCode::InvalidConfig);
        QVERIFY(codeOf("[1, 2]") == ErrorCode::InvalidConfig);
        QVERIFY(codeOf("a: [") == ErrorCode::InvalidConfig);
        QVERIFY(codeOf(withUser("{}", ", insecure-skip-tls-verify: true")) == ErrorCode::InvalidConfig);
        QVERIFY(codeOf(withUser("{}", ", proxy-url: 'ftp://x'")) == ErrorCode::InvalidConfig);
        QVERIFY(codeOf(withUser("{auth-provider: {name: gcp}}")) == ErrorCode::Unsupported);
        QVERIFY(load(withUser("{auth-provider: {name: oidc, config: {id-token: t}}}")));
        QVERIFY(!load(withUser("{}"), "another"));
        QVERIFY(codeOf("a: [" + std::string(250000, ',') + "]") == ErrorCode::InvalidConfig
                || codeOf("a: " + std::string(3000, '[')) == ErrorCode::InvalidConfig);
        std::string wide = "a:\n";
        for (int i = 0; i < 100001; ++i)
            wide += "- 1\n";
        QVERIFY(codeOf(wide) == ErrorCode::InvalidConfig);
        QVERIFY(!auth::loadKubeconfig({}, ""));
    }

    void aTokenFileIsReadAgain()
    {
        write("ca.pem", "PEM");
        write("token.txt", "canary-one\n");
        Plugin plugin;
        MovedClock clock;
        auto access = load(kPlain);
        QVERIFY(access);
        auth::KubeCredentials credentials(std::move(*access), plugin, clock);
        const auto first = credentials.current();
        QVERIFY(first);
        QCOMPARE((*first)->bearer.reveal(), std::string_view("canary-one"));
        write("token.txt", "canary-two\n");
        QCOMPARE((*credentials.current())->bearer.reveal(), std::string_view("canary-one"));
        QCOMPARE((*credentials.renewed(*first))->bearer.reveal(), std::string_view("canary-two"));
        write("token.txt", "canary-three\n");
        clock.time += base::Seconds(61);
        QCOMPARE((*credentials.current())->bearer.reveal(), std::string_view("canary-three"));
        QFile::remove(m_folder.filePath(QStringLiteral("token.txt")));
        clock.time += base::Seconds(61);
        QCOMPARE((*credentials.current())->bearer.reveal(), std::string_view("canary-token"));
    }

    void runsALoginProgram()
    {
        auto access = load(withUser("{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./bin/login, args: "
                                    "[--region, eu], env: [{name: PROFILE, value: ml}], interactiveMode: IfAvailable, "
                                    "provideClusterInfo: true}}"));
        QVERIFY2(access, access ? "" : access.error().text.c_str());
        Plugin plugin;
        MovedClock clock;
        auth::KubeCredentials credentials(std::move(*access), plugin, clock);
        plugin.output = R"({"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",
            "status": {"token": "canary-printed", "expirationTimestamp": "2027-01-15T09:00:00Z"}})";
        const auto first = credentials.current();
        QVERIFY2(first, first ? "" : first.error().text.c_str());
        QCOMPARE((*first)->bearer.reveal(), std::string_view("canary-printed"));
        QCOMPARE(plugin.last.arguments.front(), m_folder.filePath(QStringLiteral("bin/login")).toStdString());
        QCOMPARE(plugin.last.arguments.size(), std::size_t{3});
        QCOMPARE(plugin.last.variables.front().second, std::string("ml"));
        QCOMPARE(plugin.last.variables.back().first, std::string("KUBERNETES_EXEC_INFO"));
        QVERIFY(plugin.last.variables.back().second.find(R"("interactive":false)") != std::string::npos);
        QVERIFY(plugin.last.variables.back().second.find("a.example.org") != std::string::npos);
        QVERIFY(credentials.current());
        QCOMPARE(plugin.runs, 1);
        clock.time = base::parseTime("2027-01-15T09:00:01Z").value();
        QVERIFY(credentials.current());
        QCOMPARE(plugin.runs, 2);
        plugin.output = R"({"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1beta1",
            "status": {"token": "canary-printed"}})";
        const auto other = credentials.current();
        QVERIFY(!other && other.error().text.find("canary") == std::string::npos);
        plugin.output = R"({"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",
            "status": {"clientCertificateData": "half"}})";
        QVERIFY(!credentials.current());
    }

    // A real program: not before the user agreed to it, with its variables, and not after it changed.
    void runsALoginProgramOnlyAfterConsent()
    {
        const std::string script =
            "#!/bin/sh\necho x >> \"$0.runs\"\n[ -n \"$KUBERNETES_EXEC_INFO\" ] || exit 1\nprintf "
            "'{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
            "\"status\":{\"token\":\"canary-%s\"}}' \"$PROFILE\"\n";
        const auto program = write("login.sh", script);
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        const auto consent = connectors::makeCommandConsent(m_folder.filePath(QStringLiteral("agreed")).toStdString());
        const auto store = connectors::makeSecretStore(consent.get());
        MovedClock clock;
        const auto credentialsOf = [&](const std::string &variable) {
            auto access =
                load(withUser("{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login.sh, env: [{name: "
                              + variable + ", value: ml}], interactiveMode: Never}}"));
            return std::make_unique<auth::KubeCredentials>(std::move(access).value(), *store, clock);
        };
        const auto credentials = credentialsOf("PROFILE");
        const auto before = credentials->current();
        QVERIFY(!before && before.error().code == ErrorCode::Forbidden);
        QVERIFY(!std::filesystem::exists(program.string() + ".runs"));
        ports::CredentialCommand command = credentials->access().exec->command;
        for (const std::string &name : consent->usualEnvironment())
            command.environment.push_back(name);
        const auto plan = consent->plan(command);
        QVERIFY2(plan, plan ? "" : plan.error().text.c_str());
        QVERIFY(consent->agree(*plan));
        const auto after = credentials->current();
        QVERIFY2(after, after ? "" : after.error().text.c_str());
        QVERIFY((*after)->bearer.reveal() == "canary-ml");
        // With another variable or other content it is a program without consent.
        QVERIFY(!credentialsOf("OTHER")->current());
        QVERIFY(credentialsOf("LD_PRELOAD")->current().error().code == ErrorCode::InvalidConfig);
        std::filesystem::remove(program.string() + ".runs");
        write("login.sh", script + "true\n");
        QVERIFY(!credentials->renewed(*after));
        QVERIFY(!std::filesystem::exists(program.string() + ".runs"));
    }

    void refusesLoginProgramsThatNeedATerminalOrAnOldVersion()
    {
        QVERIFY(codeOf(withUser("{exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: "
                                "Always}}"))
                == ErrorCode::Unsupported);
        QVERIFY(codeOf(withUser("{exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}}"))
                == ErrorCode::Unsupported);
        QVERIFY(codeOf(withUser("{exec: {apiVersion: client.authentication.k8s.io/v1, command: x}}"))
                == ErrorCode::InvalidConfig);
        QVERIFY(load(withUser("{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: x}}")));
    }

    void findsItsClusterInsideOfAPod()
    {
        write("token", "canary-pod");
        write("ca.crt", "CA");
        write("namespace", "ml");
        qputenv("KUBERNETES_SERVICE_HOST", "fd00::1");
        qputenv("KUBERNETES_SERVICE_PORT", "443");
        const auto access = auth::inClusterAccess(m_folder.path().toStdString());
        qunsetenv("KUBERNETES_SERVICE_HOST");
        QVERIFY2(access, access ? "" : access.error().text.c_str());
        QCOMPARE(access->server, std::string("https://[fd00::1]:443"));
        QCOMPARE(access->caPem, std::string("CA"));
        QCOMPARE(access->nameSpace, std::string("ml"));
        QVERIFY(!auth::inClusterAccess(m_folder.path().toStdString()));
    }
};

GPULEDGER_SUITE(TestKubeconfig)

} // namespace tst_kubeconfig

#include "tst_kubeconfig.moc"
