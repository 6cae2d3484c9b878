// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kubetest.h"

#include "connectors/kubernetes/api/discovery.h"

#include <QTest>

#include <algorithm>
#include <cctype>

// What the tests against the real API server share: the servers of tests/support/realkube.py, and an administrator who
// creates objects and acts in place of kubelets and controllers.
namespace gpuledger::tests {

struct RealAnswer {
    int status = 0;
    Json body; // null if it was not JSON
};

// The processes end with this object.
class RealKube {
public:
    RealKube()
        : client(std::make_shared<http::CurlHttpClient>())
    {
    }
    ~RealKube()
    {
        m_process.closeWriteChannel();
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(10000)) {
            m_process.terminate();
            m_process.waitForFinished(3000);
        }
    }
    // Empty if it runs. Begins with "no" if something is not installed here. Otherwise the reason of the failure.
    QString start()
    {
        const QString script =
            QDir(qEnvironmentVariable("GPULEDGER_SOURCE_DIR")).filePath(QStringLiteral("tests/support/realkube.py"));
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral("/usr/bin/python3"), {script});
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(200000))
                return QStringLiteral("the servers did not start");
        }
        const QByteArray line = m_process.readLine().trimmed();
        const Json told = Json::parse(line.toStdString(), nullptr, false);
        if (!told.is_object())
            return QString::fromUtf8(line);
        url = "https://127.0.0.1:" + std::to_string(told["port"].get<int>());
        etcd = told["etcd"];
        folder = told["folder"];
        QFile authority(QString::fromStdString(folder + "/ca.pem"));
        if (authority.open(QIODevice::ReadOnly))
            m_authority = authority.readAll().toStdString();
        auth::KubeAccess access;
        access.server = url;
        access.caPem = m_authority;
        access.token = base::Secret("admin-canary");
        m_api = std::make_unique<kubernetes::KubeApi>(
            std::make_shared<auth::KubeCredentials>(std::move(access), m_secrets, m_clock), client);
        qInfo("etcd and kube-apiserver %s were ready after %.1f s",
              ask("GET", "/version").body.value("gitVersion", "").c_str(), told["seconds"].get<double>());
        return {};
    }

    RealAnswer ask(const char *method, const std::string &path, const Json &body = nullptr,
                   const char *type = "application/json", const char *token = "admin-canary")
    {
        http::Request request;
        request.method = method;
        request.url = url + path;
        request.caPem = m_authority;
        request.headers = {{"Accept", "application/json"}};
        auto credentials = std::make_shared<http::Credentials>();
        credentials->bearer = base::Secret(token);
        request.credentials = std::move(credentials);
        if (!body.is_null()) {
            request.contentType = type;
            request.body = body.dump();
        }
        const auto response = client->perform(std::move(request), {});
        if (!response)
            return {0, response.error().text};
        auto json = Json::parse(response->body, nullptr, false);
        return {response->status, json.is_discarded() ? Json() : std::move(json)};
    }
    std::string path(const Json &object, const std::string &sub = {})
    {
        const auto resource = resourceOf(object);
        return resource ? resource->path(object["metadata"].value("namespace", ""), object["metadata"]["name"], sub)
                        : std::string("/no-such-kind");
    }
    // Creates it with its status; fails the test if the server rejects it.
    Json put(const Json &object)
    {
        const auto resource = resourceOf(object);
        if (!resource) {
            QTest::qFail(("no kind of " + object.dump()).c_str(), __FILE__, __LINE__);
            return {};
        }
        auto made = ask("POST", resource->listPath(object["metadata"].value("namespace", "")), object);
        if (made.status == 201 && object.contains("status")) {
            made.body["status"] = object["status"];
            made = ask("PUT", path(object, "status"), made.body);
        }
        if (made.status != 200 && made.status != 201)
            QTest::qFail((std::to_string(made.status) + ' ' + made.body.dump()).c_str(), __FILE__, __LINE__);
        return made.body;
    }
    Json get(const Json &object) { return ask("GET", path(object)).body; }
    int merge(const Json &object, const Json &patch, const std::string &sub = {})
    {
        return ask("PATCH", path(object, sub), patch, "application/merge-patch+json").status;
    }
    // What a kubelet does after a pod has ended.
    int remove(const Json &object)
    {
        return ask("DELETE", path(object), {{"apiVersion", "v1"}, {"kind", "DeleteOptions"}, {"gracePeriodSeconds", 0}})
            .status;
    }
    // Compacts: everything older than now is forgotten.
    bool compact()
    {
        const auto post = [&](const char *what, const Json &body) {
            http::Request request;
            request.method = "POST";
            request.url = etcd + "/v3/kv/" + what;
            request.contentType = "application/json";
            request.body = body.dump();
            const auto response = client->perform(std::move(request), {});
            return response && response->status == 200 ? Json::parse(response->body, nullptr, false) : Json();
        };
        const Json now = post("range", {{"key", "AA=="}});
        return now.is_object()
            && post("compaction", {{"revision", now["header"]["revision"]}, {"physical", true}}).is_object();
    }
    // Waits until a kind is served.
    void install(const Json &crd)
    {
        put(crd);
        const auto isServed = [&] {
            const Json now = get(crd);
            const Json all = now.contains("status") ? now["status"].value("conditions", Json::array()) : Json::array();
            return std::any_of(all.begin(), all.end(),
                               [](const Json &one) { return one["type"] == "Established" && one["status"] == "True"; });
        };
        QVERIFY(QTest::qWaitFor(isServed, 30000));
        const std::string list = "/apis/" + crd["spec"]["group"].get<std::string>() + '/'
            + crd["spec"]["versions"][0]["name"].get<std::string>() + "/namespaces/ml/"
            + crd["spec"]["names"]["plural"].get<std::string>();
        QVERIFY(QTest::qWaitFor([&] { return ask("GET", list).status == 200; }, 30000));
    }
    // Grants these rights to a user: in the namespace (Role) or everywhere (ClusterRole).
    void allow(const std::string &user, const Json &rules, const std::string &kind = "Role")
    {
        const std::string name = "may-" + user, version = "rbac.authorization.k8s.io/v1";
        Json role{{"apiVersion", version}, {"kind", kind}, {"metadata", {{"name", name}}}, {"rules", rules}};
        Json binding{{"apiVersion", version}, {"kind", kind + "Binding"}, {"metadata", {{"name", name}}}};
        if (kind == "Role")
            role["metadata"]["namespace"] = binding["metadata"]["namespace"] = "ml";
        binding["roleRef"] = {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", kind}, {"name", name}};
        binding["subjects"] =
            Json::array({{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "User"}, {"name", user}}});
        put(role);
        put(binding);
    }
    Json putOwned(const char *name, const Json &owner) { return put(gpuPod(name, owner)); }
    // A running pod without an owner.
    Json putBare(const char *name)
    {
        Json pod = gpuPod(name);
        pod["status"]["conditions"] = Json::array({{{"type", "Ready"}, {"status", "True"}}});
        return put(pod);
    }
    kubernetes::KubeApi &api() { return *m_api; }

    std::shared_ptr<http::HttpClient> client;
    std::string url, etcd, folder;

private:
    std::optional<kubernetes::Resource> resourceOf(const Json &object)
    {
        const std::string version = object["apiVersion"], kind = object["kind"];
        auto &known = m_kinds[version + ' ' + kind];
        if (!known) {
            kubernetes::Discovery discovery(*m_api); // a new one, because kinds are installed in between
            if (const auto found = discovery.find(kubernetes::groupOf(version), kind, {}))
                known = *found;
        }
        return known;
    }

    QProcess m_process;
    std::string m_authority;
    std::map<std::string, std::optional<kubernetes::Resource>> m_kinds;
    NoSecrets m_secrets;
    base::SystemClock m_clock;
    std::unique_ptr<kubernetes::KubeApi> m_api;
};

// Lets a test act between two calls: `before` sees each request and may change it.
class Between final : public http::HttpClient {
public:
    explicit Between(std::shared_ptr<http::HttpClient> inner)
        : m_inner(std::move(inner))
    {
    }
    void submit(http::Request request, std::stop_token stop, Completion done) override
    {
        if (before)
            before(request);
        m_inner->submit(std::move(request), std::move(stop), std::move(done));
    }
    std::function<void(http::Request &)> before;

private:
    std::shared_ptr<http::HttpClient> m_inner;
};

// A target that reaches the real server through a kubeconfig with its CA.
class RealTarget {
public:
    explicit RealTarget(RealKube &server, const std::string &user = "{token: admin-canary}")
        : between(std::make_shared<Between>(server.client))
    {
        const QString file = m_folder.filePath(QStringLiteral("config"));
        writeFile(file, kubeconfig(server.url, user, "    certificate-authority: " + server.folder + "/ca.pem\n"));
        model::SourceSettings settings;
        settings.name = "prod-kube";
        settings.kind = "kubernetes";
        settings.cluster = "prod";
        settings.options["kubeconfig"] = file.toStdString();
        m_target = std::make_unique<kubernetes::KubeTarget>(settings, m_secrets, m_clock, between);
    }
    ports::ActionTarget *operator->() const { return m_target.get(); }
    std::shared_ptr<Between> between;

private:
    QTemporaryDir m_folder;
    NoSecrets m_secrets;
    base::SystemClock m_clock;
    std::unique_ptr<ports::ActionTarget> m_target;
};

// A definition of a kind whose spec and status accept everything, unless `spec` restricts it.
inline Json definition(const char *group, const char *version, const char *plural, const char *kind,
                       const Json &spec = {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}},
                       const Json &subresources = {{"status", Json::object()}})
{
    const Json open{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}};
    std::string singular = kind;
    std::transform(singular.begin(), singular.end(), singular.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    Json out = Json::parse(R"({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "spec": {"scope": "Namespaced", "versions": [{"served": true, "storage": true}]}})");
    out["metadata"]["name"] = std::string(plural) + '.' + group;
    out["spec"]["group"] = group;
    out["spec"]["names"] = {{"plural", plural}, {"singular", singular}, {"kind", kind}};
    Json &only = out["spec"]["versions"][0];
    only["name"] = version;
    only["subresources"] = subresources;
    Json &schema = only["schema"]["openAPIV3Schema"];
    schema["type"] = "object";
    schema["properties"]["spec"] = spec;
    schema["properties"]["status"] = open;
    return out;
}

inline const Json kTrainLabels{{"app", "train"}};

// The pod template of a workload.
inline Json podTemplate()
{
    Json out;
    out["metadata"]["labels"] = kTrainLabels;
    out["spec"]["containers"] = Json::array({{{"name", "main"}, {"image", "registry.example.org/train:1"}}});
    return out;
}

inline Json deployment(const char *name, int replicas)
{
    return object("apps/v1", "Deployment", name,
                  {{"replicas", replicas}, {"selector", {{"matchLabels", kTrainLabels}}}, {"template", podTemplate()}});
}

inline Json job(const char *name)
{
    Json out = object("batch/v1", "Job", name, {{"template", podTemplate()}});
    out["spec"]["template"]["spec"]["restartPolicy"] = "Never";
    return out;
}

inline Json scaleSubresource()
{
    return Json::parse(R"({"status": {}, "scale": {"specReplicasPath": ".spec.replicas",
                                                   "statusReplicasPath": ".status.replicas"}})");
}

inline Json boolean(const char *name)
{
    return {{"type", "object"}, {"properties", {{name, {{"type", "boolean"}}}}}};
}

inline Json rule(const char *group, const Json &resources, const Json &verbs)
{
    return {{"apiGroups", Json::array({group})}, {"resources", resources}, {"verbs", verbs}};
}

} // namespace gpuledger::tests
