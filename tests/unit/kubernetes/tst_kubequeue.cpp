// SPDX-License-Identifier: GPL-3.0-or-later
// The jobs that wait for GPUs in a cluster, from its API server: every kind of work, the room of nodes, missing rights,
// and answers that no server should send.
#include "kubetest.h"

#include "connectors/kubernetes/queue/kubequeue.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <thread>

namespace tst_kubequeue {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using kubernetes::KubeQueue;
using model::WaitingFacts;
using model::WaitingWork;

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4, kGib = std::int64_t{1} << 30;
const std::string kGpu = "nvidia_com_gpu";
constexpr const char *kKueue = "kueue.x-k8s.io/v1beta1";

Json container(const Json &requests)
{
    return {{"name", "main"}, {"image", "registry.example.org/train:1"}, {"resources", {{"requests", requests}}}};
}

Json wants(const Json &gpus)
{
    return {{"containers", {container({{"nvidia.com/gpu", gpus}, {"cpu", "1500m"}, {"memory", "2Gi"}})}}};
}

// Pending, without a node.
Json waitingPod(const char *name, const Json &spec)
{
    Json pod = object("v1", "Pod", name, spec);
    pod["metadata"]["labels"] = {{"app.kubernetes.io/Team", "vision"}};
    pod["status"] = {{"phase", "Pending"}};
    return pod;
}

Json gpuNode(const char *name, const Json &gpus = "8")
{
    return {{"apiVersion", "v1"},
            {"kind", "Node"},
            {"metadata", {{"name", name}, {"labels", {{"nvidia.com/gpu.product", "A100"}}}}},
            {"spec", Json::object()},
            {"status", {{"allocatable", {{"nvidia.com/gpu", gpus}, {"cpu", "64"}, {"memory", "512Gi"}}}}}};
}

Json podSet(const Json &count, const Json &spec)
{
    return {{"name", "main"}, {"count", count}, {"template", {{"spec", spec}}}};
}

Json workload(const char *name, const Json &podSets)
{
    return object(kKueue, "Workload", name, {{"queueName", "team-a"}, {"podSets", podSets}});
}

void setCondition(Json &object, const char *type, const char *status, const char *message = "")
{
    object["status"]["conditions"].push_back(
        {{"type", type}, {"status", status}, {"reason", "Pending"}, {"message", message}});
}

bool names(const std::vector<std::string> &missing, const std::string &what)
{
    return std::any_of(missing.begin(), missing.end(),
                       [&](const std::string &one) { return one.find(what) != std::string::npos; });
}

const WaitingWork *find(const WaitingFacts &facts, const std::string &name)
{
    const auto found =
        std::find_if(facts.works.begin(), facts.works.end(), [&](const auto &w) { return w.name == name; });
    return found == facts.works.end() ? nullptr : &*found;
}

// Takes almost no time to wait.
class NoPause final : public http::Pause {
public:
    http::Milliseconds steadyNow() const override { return m_real.steadyNow(); }
    bool wait(http::Milliseconds, std::stop_token stop) override
    {
        return m_real.wait(http::Milliseconds{1}, std::move(stop));
    }

private:
    http::SystemPause m_real;
};

// Answers every path with one body.
class OneAnswer final : public http::HttpClient {
public:
    explicit OneAnswer(std::string body)
        : m_body(std::move(body))
    {
    }
    void submit(http::Request, std::stop_token, Completion done) override
    {
        http::Response response;
        response.status = 200;
        response.body = m_body;
        done(std::move(response));
    }

private:
    std::string m_body;
};

} // namespace

class TestKubeQueue : public QObject {
    Q_OBJECT

private:
    base::Result<WaitingFacts> ask(std::optional<base::UtcTime> at = {}, std::stop_token stop = {},
                                   std::shared_ptr<http::HttpClient> client = {})
    {
        const QString file = m_folder.filePath(QStringLiteral("config"));
        writeFile(file, kubeconfig(m_server.url()));
        model::SourceSettings settings;
        settings.name = "prod-kube";
        settings.kind = "kubernetes";
        settings.cluster = "prod";
        settings.options["kubeconfig"] = file.toStdString();
        KubeQueue queue(settings, m_secrets, m_clock, client ? client : m_server.client, std::make_shared<NoPause>());
        return queue.waitingAt(at.value_or(m_clock.now()), std::move(stop));
    }
    // Requires an answer.
    WaitingFacts facts()
    {
        auto told = ask();
        if (!told)
            QTest::qFail(told.error().text.c_str(), __FILE__, __LINE__);
        return told.value_or(WaitingFacts{});
    }

    KubeServer m_server;
    QTemporaryDir m_folder;
    NoSecrets m_secrets;
    base::SystemClock m_clock;

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init()
    {
        m_server.steer("reset");
        m_server.requests();
    }
    // Nothing is ever written.
    void cleanup()
    {
        const auto all = m_server.requests();
        QVERIFY(std::all_of(all.begin(), all.end(), [](const Json &one) {
            return one["method"] == "GET" || one["path"].get<std::string>().starts_with("/_test/");
        }));
    }

    void readsQuantities_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("milli"); // -1: none
        const auto row = [](const char *text, qint64 milli) {
            QTest::newRow(*text ? text : "empty") << QString::fromLatin1(text) << milli;
        };
        row("\"1\"", 1000);
        row("\"0\"", 0);
        row("\"+2\"", 2000);
        row("\"1500m\"", 1500);
        row("\"0.5\"", 500);
        row("\".5\"", 500);
        row("\"2.\"", 2000);
        row("\"1e3\"", 1'000'000);
        row("\"1E3\"", 1'000'000);
        row("\"15e-1\"", 1500);
        row("\"2Gi\"", 2 * kGib * 1000);
        row("\"1.5Ki\"", 1536 * 1000);
        row("\"3k\"", 3'000'000);
        row("\"1E\"", -1); // more than the limit, like the following ones
        row("\"1n\"", 1); // rounded up
        row("\"1001u\"", 2);
        row("4", 4000);
        for (const char *garbage :
             {"\"\"",      "\"abc\"",  "\"-1\"", "-1",      "1.5",       "\"1 \"",   "\" 1\"",
              "\"1.2.3\"", "\"1kk\"",  "\"1e\"", "\"1e+\"", "\"1e999\"", "\"0x10\"", "\"NaN\"",
              "\"Inf\"",   "\"1e99\"", "null",   "true",    "[1]",       "{}",       "\"99999999999999999999\"",
              "\"9Ei\"",   "\".\"",    "\"m\"",  "\"1,5\""})
            row(garbage, -1);
    }
    void readsQuantities()
    {
        QFETCH(QString, text);
        QFETCH(qint64, milli);
        const auto value = kubernetes::quantity(Json::parse(text.toStdString()), 1000, kMost);
        QCOMPARE(static_cast<qint64>(value.value_or(-1)), milli);
    }

    // Computed as the scheduler does: containers together, init containers one by one, sidecars with both, overhead on
    // top.
    void addsUpAPod()
    {
        Json spec{
            {"containers",
             {container({{"nvidia.com/gpu", 2}, {"cpu", "1"}}),
              {{"name", "b"}, {"resources", {{"limits", {{"nvidia.com/gpu", "1"}, {"memory", "1Gi"}}}}}}}},
            {"initContainers", {container({{"cpu", "500m"}}), container({{"nvidia.com/gpu", "4"}, {"cpu", "250m"}})}},
            {"overhead", {{"cpu", "100m"}}}};
        auto needs = kubernetes::needsOf(spec, "pod a");
        QVERIFY2(needs, needs ? "" : needs.error().text.c_str());
        QCOMPARE(needs->gpus, (std::map<std::string, std::int64_t>{{kGpu, 4}}));
        QCOMPARE(*needs->cpuMilli, std::int64_t{1100});
        QCOMPARE(*needs->memoryBytes, kGib);
        spec["initContainers"][0]["restartPolicy"] = "Always"; // runs together with everything after it
        needs = kubernetes::needsOf(spec, "pod a");
        QVERIFY(needs && needs->cpuMilli == 1600 && needs->gpus[kGpu] == 4);
        spec["resources"]["requests"] = {{"cpu", "8"}};
        needs = kubernetes::needsOf(spec, "pod a");
        QVERIFY(needs && needs->cpuMilli == 8100);
        const auto other = kubernetes::needsOf(
            {{"containers",
              {container({{"nvidia.com/mig-1g.10gb", "2"}, {"nvidia.com/rdma_nic", "8"}, {"pods", "x"}})}}},
            "pod a");
        QVERIFY(other);
        QCOMPARE(other->gpus, (std::map<std::string, std::int64_t>{{"nvidia_com_mig_1g_10gb", 2}}));
    }

    void tellsPodsAndRoom()
    {
        Json pod = waitingPod("train-0", wants("2"));
        pod["spec"]["nodeSelector"] = {{"nvidia.com/gpu.product", "A100"}};
        pod["spec"]["tolerations"] = {{{"key", "gpu"}, {"operator", "Exists"}, {"effect", "NoSchedule"}}};
        setCondition(pod, "PodScheduled", "False", "0/1 nodes are available");
        const Json job = m_server.put(object("batch/v1", "Job", "train"));
        pod["metadata"]["ownerReferences"] = {{{"apiVersion", "batch/v1"},
                                               {"kind", "Job"},
                                               {"name", "train"},
                                               {"uid", job["metadata"]["uid"]},
                                               {"controller", true}}};
        pod = m_server.put(pod);
        m_server.put({{"apiVersion", "v1"},
                      {"kind", "Namespace"},
                      {"metadata", {{"name", "ml"}, {"labels", {{"cost-center", "4711"}}}}}});
        Json node = gpuNode("node-1");
        node["spec"] = {{"unschedulable", true},
                        {"taints", {{{"key", "gpu"}, {"value", "yes"}, {"effect", "NoSchedule"}}}}};
        m_server.put(node);
        m_server.put(gpuNode("plain", "0"));
        const Json holder = m_server.put(gpuPod("held"));
        Json plain = object("v1", "Pod", "web", {{"nodeName", "node-1"}, {"containers", {container({{"cpu", "3"}})}}});
        plain["status"] = {{"phase", "Running"}};
        m_server.put(plain);
        Json over = gpuPod("over");
        over["status"]["phase"] = "Succeeded";
        m_server.put(over);
        Json ending = waitingPod("ending", wants("1"));
        ending["metadata"]["deletionTimestamp"] = "2026-11-20T10:00:00Z";
        m_server.put(ending);
        m_server.put(waitingPod("no-gpus", {{"containers", {container({{"cpu", "1"}})}}}));

        const WaitingFacts told = facts();
        QVERIFY(told.isKnown && told.missing.empty());
        QCOMPARE(told.works.size(), std::size_t{1});
        const WaitingWork &work = told.works.front();
        QVERIFY(work.kind == WaitingWork::Kind::Pod && work.pods.empty());
        QCOMPARE(work.cluster + '/' + work.nameSpace + '/' + work.name, std::string("prod/ml/train-0"));
        QCOMPARE(work.uid, pod["metadata"]["uid"].get<std::string>());
        QCOMPARE(work.ownerKind + '/' + work.ownerName, std::string("Job/train"));
        QCOMPARE(work.resource, kGpu);
        QVERIFY(work.gpus == 2 && !work.wantsOthers && work.cpuMilli == 1500 && work.memoryBytes == 2 * kGib);
        QVERIFY(work.since == base::parseTime("2026-11-20T10:00:00Z").value());
        QCOMPARE(work.labels, (model::Labels{{"app_kubernetes_io_team", "vision"}}));
        QCOMPARE(work.namespaceLabels, (model::Labels{{"cost_center", "4711"}}));
        QCOMPARE(*work.selector, (model::Labels{{"nvidia_com_gpu_product", "A100"}}));
        QVERIFY(work.tolerations->size() == 1 && work.tolerations->front().op == "Exists");
        QCOMPARE(work.message, std::string("0/1 nodes are available"));

        QCOMPARE(told.nodes.size(), std::size_t{1});
        const model::NodeRoom &room = told.nodes.front();
        QVERIFY(room.name == "node-1" && room.isCordoned && room.areTaintsKnown && room.taints.size() == 1);
        QVERIFY(room.gpus.at(kGpu) == 8 && room.gpusUsed.at(kGpu) == 1);
        QVERIFY(room.cpuMilli == 64'000 && room.cpuMilliUsed == 3'000 && room.memoryBytes == 512 * kGib);
        QCOMPARE(room.labels->at("nvidia_com_gpu_product"), std::string("A100"));
        QCOMPARE(told.holders.size(), std::size_t{1});
        QCOMPARE(told.holders.front().uid, holder["metadata"]["uid"].get<std::string>());
        QVERIFY(told.holders.front().node == "node-1" && told.holders.front().gpus.at(kGpu) == 1);
        QVERIFY(told.told.size() == 1 && told.told.front().jobs && told.told.front().nodes && told.told.front().queues);
    }

    void tellsWorkloads()
    {
        Json short_ = workload("short", Json::array({podSet(1, wants("1"))}));
        setCondition(short_, "QuotaReserved", "False",
                     "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu");
        m_server.put(short_);
        Json misfit = workload("misfit", Json::array({podSet(1, wants("1"))}));
        setCondition(misfit, "QuotaReserved", "False", "untolerated taint in flavor a100");
        m_server.put(misfit);
        Json lost = workload("lost", Json::array({podSet(1, wants("1"))}));
        setCondition(lost, "QuotaReserved", "False", "LocalQueue quota for team-a doesn't exist");
        lost["status"]["conditions"][0]["reason"] = "Inadmissible";
        m_server.put(lost);
        Json checked = workload("checked", Json::array({podSet(1, wants("1"))}));
        setCondition(checked, "QuotaReserved", "True");
        m_server.put(checked);
        m_server.put(workload(
            "gang", Json::array({podSet(1, {{"containers", {container({{"cpu", "1"}})}}}), podSet(4, wants("8"))})));
        m_server.put(workload("nothing", Json::array({podSet(0, wants("8"))})));
        m_server.put(workload("plain", Json::array({podSet(3, {{"containers", {container({{"cpu", "1"}})}}})})));
        Json admitted = workload("admitted", Json::array({podSet(1, wants("1"))}));
        setCondition(admitted, "Admitted", "True");
        m_server.put(admitted);
        Json finished = workload("finished", Json::array({podSet(1, wants("1"))}));
        setCondition(finished, "Finished", "True");
        m_server.put(finished);
        Json off = workload("off", Json::array({podSet(1, wants("1"))}));
        off["spec"]["active"] = false;
        m_server.put(off);
        m_server.put(object(kKueue, "LocalQueue", "team-a", {{"clusterQueue", "research"}}));

        const WaitingFacts told = facts();
        QCOMPARE(told.works.size(), std::size_t{5});
        const WaitingWork *one = find(told, "short"), *other = find(told, "misfit"), *gang = find(told, "gang");
        QVERIFY(one && other && gang && find(told, "checked"));
        QVERIFY(one->kind == WaitingWork::Kind::Workload && one->pods.empty() && one->gpus == 1);
        QVERIFY(one->hasQuota == false && other->hasQuota == std::nullopt && find(told, "checked")->hasQuota == true);
        QVERIFY(find(told, "lost") && !find(told, "lost")->hasQuota);
        QVERIFY(other->message == "untolerated taint in flavor a100");
        QCOMPARE(one->localQueue + ' ' + one->queue, std::string("team-a research"));
        QVERIFY(gang->gpus == 32 && gang->pods.size() == 1 && gang->resource == kGpu);
        QVERIFY(gang->pods.front().count == 4 && gang->pods.front().gpus == 8 && gang->pods.front().cpuMilli == 1500);
    }

    // A pod gated by Kueue and its Workload are a single job.
    void tellsAJobOnce()
    {
        Json gated = waitingPod("alone", wants("1"));
        gated["spec"]["schedulingGates"] = {{{"name", "kueue.x-k8s.io/admission"}}};
        gated = m_server.put(gated);
        Json its = workload("pod-alone", Json::array({podSet(1, wants("1"))}));
        its["metadata"]["ownerReferences"] = {{{"apiVersion", "v1"},
                                               {"kind", "Pod"},
                                               {"name", "alone"},
                                               {"uid", gated["metadata"]["uid"]},
                                               {"controller", true}}};
        m_server.put(its);
        const Json job = m_server.put(object("batch/v1", "Job", "train"));
        Json child = waitingPod("train-x", wants("1"));
        child["metadata"]["ownerReferences"] = {
            {{"apiVersion", "batch/v1"}, {"kind", "Job"}, {"name", "train"}, {"uid", job["metadata"]["uid"]}}};
        m_server.put(child);
        Json ofJob = workload("job-train", Json::array({podSet(1, wants("1"))}));
        ofJob["metadata"]["ownerReferences"] = child["metadata"]["ownerReferences"];
        m_server.put(ofJob);
        m_server.put(waitingPod("other", wants("1")));
        WaitingFacts told = facts();
        QCOMPARE(told.works.size(), std::size_t{3});
        QVERIFY(find(told, "pod-alone") && find(told, "job-train") && find(told, "other"));
        // Without the right to list Workloads, only the pods are known.
        m_server.flag("denied", {"list workloads.kueue.x-k8s.io"});
        told = facts();
        QVERIFY(find(told, "alone") && find(told, "train-x") && find(told, "other") && told.works.size() == 3);
        QVERIFY(told.isKnown && !told.told.front().queues && names(told.missing, "list workloads.kueue.x-k8s.io"));
    }

    void takesTheVersionThatIsServed()
    {
        m_server.put(workload("one", Json::array({podSet(1, wants("1"))})));
        m_server.flag("versions", {{"kueue.x-k8s.io", {"v1beta2", "v1beta1"}}});
        m_server.requests();
        QVERIFY(find(facts(), "one"));
        const auto all = m_server.requests("GET");
        QVERIFY(std::any_of(all.begin(), all.end(), [](const Json &one) {
            return one["path"].get<std::string>().starts_with("/apis/kueue.x-k8s.io/v1beta2/workloads?");
        }));
    }

    void withoutKueue()
    {
        m_server.flag("missing", {"kueue.x-k8s.io"});
        m_server.put(waitingPod("train-0", wants("1")));
        const WaitingFacts told = facts();
        QVERIFY(told.isKnown && told.missing.empty() && told.works.size() == 1 && told.told.front().queues);
    }

    void missingRights()
    {
        m_server.put(waitingPod("train-0", wants("1")));
        m_server.put(workload("queued", Json::array({podSet(1, wants("1"))})));
        m_server.put(gpuNode("node-1"));
        m_server.put(gpuPod("held"));
        m_server.flag("denied", {"list nodes"});
        WaitingFacts told = facts();
        QVERIFY(told.isKnown && told.works.size() == 2);
        QCOMPARE(told.missing, std::vector<std::string>{"list nodes"});
        // Held GPUs exist on the node; whether it has more is unknown.
        QVERIFY(told.nodes.size() == 1 && !told.nodes.front().areTaintsKnown && !told.nodes.front().labels);
        QVERIFY(told.nodes.front().gpus == told.nodes.front().gpusUsed && !told.told.front().nodes);
        m_server.flag("denied", {"list pods"});
        told = facts();
        QVERIFY(!told.isKnown && told.nodes.empty() && told.holders.empty() && find(told, "queued"));
        QCOMPARE(told.missing, std::vector<std::string>{"list pods"});
        m_server.flag("denied", {"list namespaces", "list localqueues.kueue.x-k8s.io"});
        told = facts();
        QVERIFY(told.isKnown && told.works.size() == 2);
        QCOMPARE(told.missing, (std::vector<std::string>{"list localqueues.kueue.x-k8s.io", "list namespaces"}));
        QVERIFY(find(told, "queued")->queue.empty() && find(told, "queued")->localQueue == "team-a");
        m_server.flag("denied", Json::array());
        m_server.flag("tokens", {"another"});
        const auto refused = ask();
        QVERIFY(!refused && refused.error().code == ErrorCode::Unauthorized && refused.error().source == "prod-kube");
    }

    // Every page exactly once, even if the list expires on the way.
    void beginsAgain()
    {
        m_server.flag("mostItems", 25);
        for (int i = 0; i < 60; ++i)
            m_server.put(waitingPod(("train-" + std::to_string(i)).c_str(), wants("1")));
        m_server.flag(
            "faults",
            {{{"method", "GET"}, {"path", "/api/v1/pods"}, {"query", "continue"}, {"do", 410}, {"reason", "Expired"}}});
        QCOMPARE(facts().works.size(), std::size_t{60});
        m_server.flag(
            "faults",
            {{{"method", "GET"}, {"path", "/api/v1/pods"}, {"query", "continue"}, {"do", 410}, {"times", 99}}});
        const auto never = ask();
        QVERIFY(!never && never.error().code == ErrorCode::Refused);
        QVERIFY(never.error().text.find("list /api/v1/pods") != std::string::npos);
    }

    // An invalid amount is an error: the message names the object and the value.
    void hostileObjects_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("told");
        const auto row = [](const char *name, const char *path, const char *value, const char *told) {
            QTest::newRow(name) << QString::fromLatin1(path) << QString::fromLatin1(value) << QString::fromLatin1(told);
        };
        const char *gpu = "/spec/containers/0/resources/requests/nvidia.com~1gpu";
        row("text", gpu, "\"many\"", "pod ml/train-0 has \"many\" of nvidia.com/gpu");
        row("negative", gpu, "-2", "has -2 of nvidia.com/gpu");
        row("negative text", gpu, "\"-2\"", "has \"-2\" of nvidia.com/gpu");
        row("half", gpu, "\"500m\"", "has \"500m\" of nvidia.com/gpu");
        row("too many", gpu, "\"1e9\"", "has \"1e9\" of nvidia.com/gpu");
        row("cpu", "/spec/containers/0/resources/requests/cpu", "[]", "has [] of cpu");
        row("resources", "/spec/containers/0/resources/requests", "7", "resources that are not a map");
        row("containers", "/spec/containers", "\"x\"", "containers that are not a list");
        row("container", "/spec/containers/0", "4", "a container that is not an object");
        row("spec", "/spec", "[]", "has no spec");
        row("node", "/spec/nodeName", "5", "a nodeName that is not a string");
        row("phase", "/status/phase", "{}", "has no phase");
        row("name", "/metadata/name", "[]", "pod has no name");
        row("tolerations", "/spec/tolerations", "true", "tolerations that are not a list");
    }
    void hostileObjects()
    {
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(QString, told);
        Json pod = waitingPod("train-0", wants("1"));
        pod[Json::json_pointer(path.toStdString())] = Json::parse(value.toStdString());
        kubernetes::QueueFacts facts("prod");
        const auto added = facts.addPod(pod);
        QVERIFY(!added && added.error().code == ErrorCode::Parse);
        QVERIFY2(added.error().text.find(told.toStdString()) != std::string::npos, added.error().text.c_str());
        QVERIFY(!facts.hasWorks());
    }

    // A list that can't be parsed does not suppress the others.
    void hostileLists()
    {
        m_server.put(waitingPod("train-0", wants("1")));
        m_server.put(gpuNode("node-1", "plenty"));
        Json strange = workload("strange", Json::array({podSet(-3, wants("1"))}));
        m_server.put(strange);
        WaitingFacts told = facts();
        QVERIFY(told.isKnown && told.works.size() == 1 && told.nodes.empty() && !told.told.front().nodes);
        QVERIFY(names(told.missing, "list nodes (node node-1 has \"plenty\" of nvidia.com/gpu)"));
        QVERIFY(names(told.missing, "workload ml/strange has -3 pods"));
        QVERIFY(!told.told.front().queues);
        strange["spec"]["podSets"] = {{"count", 1}};
        m_server.put(strange);
        QVERIFY(names(facts().missing, "pod sets that are not a list"));
        Json pod = waitingPod("odd", wants("a few"));
        m_server.put(pod);
        const auto failed = ask();
        QVERIFY(!failed && failed.error().code == ErrorCode::Parse);
        QVERIFY(failed.error().text.find("pod ml/odd") != std::string::npos);
        for (const char *body : {"<html>", "[]", "{}", R"({"items": 5, "metadata": {}})",
                                 R"({"items": [3], "metadata": {}})", R"({"items": ["x", null], "metadata": []})"}) {
            const auto odd = ask({}, {}, std::make_shared<OneAnswer>(body));
            QVERIFY2(!odd && odd.error().code == ErrorCode::Parse && !odd.error().text.empty(), body);
        }
        // An endless list is aborted.
        const auto endless =
            ask({}, {},
                std::make_shared<OneAnswer>(R"({"items": [], "metadata": {"continue": "x", "resourceVersion": "1"}})"));
        QVERIFY(!endless && endless.error().code == ErrorCode::TooMuch);
    }

    void onlyKnowsThePresent()
    {
        const auto past = ask(m_clock.now() - base::Seconds{400});
        QVERIFY(!past && past.error().code == ErrorCode::Unsupported);
        QCOMPARE(past.error().text, std::string("only the current time is supported"));
        QVERIFY(m_server.requests("GET").empty());
        QVERIFY(ask(m_clock.now() - base::Seconds{200}));
    }

    void canBeCancelled()
    {
        std::stop_source stopped;
        stopped.request_stop();
        const auto never = ask({}, stopped.get_token());
        QVERIFY(!never && never.error().code == ErrorCode::Cancelled);
        m_server.flag("latency", 5);
        std::stop_source stop;
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            stop.request_stop();
        });
        const auto begin = std::chrono::steady_clock::now();
        const auto cut = ask({}, stop.get_token());
        QVERIFY(!cut && cut.error().code == ErrorCode::Cancelled);
        QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(3));
        m_server.flag("latency", 0);
    }

    void unreachable()
    {
        m_server.flag("faults", {{{"method", "GET"}, {"path", "/api/v1/nodes"}, {"do", 500}, {"times", 99}}});
        const auto failed = ask();
        QVERIFY(!failed && failed.error().code == ErrorCode::Server);
        QVERIFY(failed.error().text.find("list /api/v1/nodes") != std::string::npos);
    }
};

GPULEDGER_SUITE(TestKubeQueue)

} // namespace tst_kubequeue

#include "tst_kubequeue.moc"
