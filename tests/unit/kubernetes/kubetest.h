// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/http/curlhttpclient.h"
#include "connectors/kubernetes/kubetarget.h"
#include "tests/support/fakes/nosecrets.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <memory>

// What the tests of the Kubernetes connector share: the server of tests/support/kubeserver.py and objects for it.
namespace gpuledger::tests {

using Json = nlohmann::json;

// The process ends with this object.
class KubeServer {
public:
    KubeServer()
        : client(std::make_shared<http::CurlHttpClient>())
    {
    }
    ~KubeServer()
    {
        if (m_process.state() == QProcess::NotRunning)
            return;
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(3000)) {
            m_process.kill();
            m_process.waitForFinished(3000);
        }
    }
    bool start(const QStringList &arguments = {})
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        const QString script =
            QDir(qEnvironmentVariable("GPULEDGER_SOURCE_DIR")).filePath(QStringLiteral("tests/support/kubeserver.py"));
        m_process.start(QStringLiteral("/usr/bin/python3"),
                        QStringList{script, QStringLiteral("--with-stdin")} + arguments);
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(30000))
                return false;
        }
        const QByteArray line = m_process.readLine().trimmed();
        m_port = line.mid(line.lastIndexOf(' ') + 1).toInt();
        return m_port > 0;
    }
    int port() const { return m_port; }
    std::string url(const char *scheme = "http") const
    {
        return std::string(scheme) + "://127.0.0.1:" + std::to_string(m_port);
    }

    Json steer(const std::string &what, const Json &body = Json::object())
    {
        http::Request request;
        request.method = "POST";
        request.url = url() + "/_test/" + what;
        request.contentType = "application/json";
        request.body = body.dump();
        const auto response = client->perform(std::move(request), {});
        return response ? Json::parse(response->body, nullptr, false) : Json();
    }
    Json put(const Json &object) { return steer("put", object); }
    void flag(const char *name, const Json &value) { steer("flags", {{name, value}}); }
    Json object(const char *group, const char *plural, const char *name, const char *space = "ml")
    {
        return steer("object", {group, plural, space, name});
    }
    // Requests since the last call, only those with this method; all if it is empty.
    std::vector<Json> requests(const std::string &method = {})
    {
        std::vector<Json> found;
        const Json answer = steer("log");
        for (const Json &one : answer["log"]) {
            if (method.empty() || one["method"] == method)
                found.push_back(one);
        }
        return found;
    }

    std::shared_ptr<http::HttpClient> client;

private:
    QProcess m_process;
    int m_port = 0;
};

inline Json object(const char *version, const char *kind, const char *name, const Json &spec = Json::object(),
                   const Json &owner = nullptr)
{
    Json out{
        {"apiVersion", version}, {"kind", kind}, {"metadata", {{"name", name}, {"namespace", "ml"}}}, {"spec", spec}};
    if (!owner.is_null())
        out["metadata"]["ownerReferences"] = Json::array({{{"apiVersion", owner["apiVersion"]},
                                                           {"kind", owner["kind"]},
                                                           {"name", owner["metadata"]["name"]},
                                                           {"uid", owner["metadata"]["uid"]},
                                                           {"controller", true}}});
    return out;
}

inline Json gpuPod(const char *name, const Json &owner = nullptr)
{
    const Json spec{{"nodeName", "node-1"},
                    {"containers",
                     {{{"name", "main"},
                       {"image", "registry.example.org/train:1"},
                       {"resources", {{"limits", {{"nvidia.com/gpu", "1"}}}}}}}}};
    Json pod = object("v1", "Pod", name, spec, owner);
    pod["metadata"]["labels"] = {{"app", name}, {"team", "vision"}};
    pod["status"] = {{"phase", "Running"}};
    return pod;
}

inline void writeFile(const QString &path, const std::string &text)
{
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(text.data(), static_cast<qint64>(text.size()));
}

inline std::string kubeconfig(const std::string &server, const std::string &user = "{token: kube-canary-4711}",
                              const std::string &cluster = {})
{
    return "apiVersion: v1\nkind: Config\ncurrent-context: main\nclusters:\n- name: c\n  cluster:\n    server: "
        + server + "\n" + cluster
        + "contexts:\n- name: main\n  context: {cluster: c, user: u}\nusers:\n- name: u\n  user: " + user + "\n";
}

// A target that reaches the server through a kubeconfig of its own.
class TargetAt {
public:
    TargetAt(KubeServer &server, const QTemporaryDir &folder)
    {
        const QString file = folder.filePath(QStringLiteral("config"));
        writeFile(file, kubeconfig(server.url()));
        model::SourceSettings settings;
        settings.name = "prod-kube";
        settings.kind = "kubernetes";
        settings.cluster = "prod";
        settings.options["kubeconfig"] = file.toStdString();
        target = std::make_unique<kubernetes::KubeTarget>(settings, m_secrets, m_clock, server.client);
    }
    ports::ActionTarget *operator->() const { return target.get(); }
    std::unique_ptr<ports::ActionTarget> target;

private:
    NoSecrets m_secrets;
    base::SystemClock m_clock;
};

inline model::HolderKey holder(const Json &pod)
{
    return {"prod", "ml", pod["metadata"]["name"], pod["metadata"]["uid"], "node-1", {}};
}

inline model::StopMark mark(const model::TargetState &state)
{
    return {"act-1", "ana@example.org", "idle for 3 h", base::fromUnix(1'800'000'000), state.value};
}

} // namespace gpuledger::tests
