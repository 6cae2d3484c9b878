// SPDX-License-Identifier: GPL-3.0-or-later
#include "realkube.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_realstops {

using namespace gpuledger;
using namespace gpuledger::tests;
using Kind = ports::WriteOutcome::Kind;
using Rehearsed = ports::Rehearsal::Kind;
using model::StopVerb;

// Finds, rehearses, stops and undoes against kube-apiserver with etcd. There are no controllers: the test acts in their
// place.
class TestRealStops : public QObject {
    Q_OBJECT

private:
    static void check(bool isTrue, const char *what, const std::string &detail)
    {
        if (!isTrue)
            QTest::qFail((std::string(what) + ": " + detail).c_str(), __FILE__, __LINE__);
    }
    static bool restored(Json now, Json before)
    {
        for (Json *one : {&now, &before}) {
            for (const char *key : {"resourceVersion", "managedFields", "generation"})
                (*one)["metadata"].erase(key);
            if ((*one)["metadata"].contains("annotations") && (*one)["metadata"]["annotations"].empty())
                (*one)["metadata"].erase("annotations");
            if ((*one)["spec"].contains("runPolicy") && (*one)["spec"]["runPolicy"].empty())
                (*one)["spec"].erase("runPolicy");
        }
        return now == before;
    }
    // The owner of the pod, stopped and restored to exactly what it was.
    model::TargetState roundTrip(const Json &pod, const Json &object)
    {
        const RealTarget target(m_kube);
        const Json before = m_kube.get(object);
        const auto found = target->find(holder(pod), {});
        if (!found || found->obstacle) {
            QTest::qFail((found ? found->obstacle->text : found.error().text).c_str(), __FILE__, __LINE__);
            return {};
        }
        const auto allowed = target->permission(*found, false, {});
        check(allowed && allowed->isAllowed, "no permission", allowed ? allowed->missing : allowed.error().text);
        const auto rehearsed = target->rehearse(*found, mark(*found), {});
        check(rehearsed && rehearsed->kind == Rehearsed::Accepted, "the rehearsal is refused",
              rehearsed ? rehearsed->text : rehearsed.error().text);
        check(m_kube.get(object) == before, "the rehearsal changed the object", before.dump());
        const auto stopped = target->stop(*found, mark(*found), {});
        check(stopped.kind == Kind::Done, "the stop was not done", stopped.text);
        check(!stopped.receipt.empty() && !stopped.version.empty(), "no receipt", stopped.receipt);
        check(m_kube.get(object)["metadata"]["managedFields"].dump().find("gpu-ledger") != std::string::npos,
              "the change bears no name", m_kube.get(object).dump());
        check(m_kube.remove(pod) == 200, "the pod does not end", pod.dump());
        if (object["kind"] == "RayCluster")
            m_kube.merge(object, Json::parse(R"({"status": {"conditions": [{"type": "RayClusterSuspended",
                "status": "True"}]}})"),
                         "status");
        const auto after = target->read(found->ref, {});
        if (!after) {
            QTest::qFail(after.error().text.c_str(), __FILE__, __LINE__);
            return *found;
        }
        check(after->isStopped && after->holders.empty(), "it is not stopped", m_kube.get(object).dump());
        check(after->mark && after->mark->key == "act-1" && after->mark->oldValue == found->value,
              "the mark is not at the object", m_kube.get(object).dump());
        const auto undone = target->undo(*after, mark(*found), {}, {});
        check(undone.kind == Kind::Done, "the undo was not done", undone.text);
        Json now = m_kube.get(object);
        if (object["kind"] == "RayCluster")
            now.erase("status");
        check(restored(now, before), "the undo did not restore the object", now.dump() + before.dump());
        return *found;
    }
    RealKube m_kube;

private Q_SLOTS:
    void initTestCase()
    {
        const QString why = m_kube.start();
        if (why.startsWith(QLatin1String("no")))
            QSKIP(qPrintable(QStringLiteral("skipped: ") + why));
        QVERIFY2(why.isEmpty(), qPrintable(why));
        m_kube.put({{"apiVersion", "v1"},
                    {"kind", "Namespace"},
                    {"metadata", {{"name", "ml"}, {"labels", {{"cost-center", "42"}}}}}});
        const Json runs{{"type", "object"}, {"properties", {{"runPolicy", boolean("suspend")}}}};
        m_kube.install(definition("kubeflow.org", "v1", "notebooks", "Notebook"));
        m_kube.install(definition("kubeflow.org", "v1", "pytorchjobs", "PyTorchJob", runs));
        m_kube.install(definition("ray.io", "v1", "rayclusters", "RayCluster", boolean("suspend")));
        m_kube.install(definition("jobset.x-k8s.io", "v1alpha2", "jobsets", "JobSet", boolean("suspend")));
        m_kube.install(definition("kueue.x-k8s.io", "v1beta1", "workloads", "Workload"));
        m_kube.install(definition("keda.sh", "v1alpha1", "scaledobjects", "ScaledObject"));
        m_kube.install(definition("serving.kserve.io", "v1beta1", "inferenceservices", "InferenceService"));
        const Json open{{"type", "object"},
                        {"x-kubernetes-preserve-unknown-fields", true},
                        {"properties", {{"replicas", {{"type", "integer"}}}}}};
        m_kube.install(definition("argoproj.io", "v1alpha1", "rollouts", "Rollout", open, scaleSubresource()));
        m_kube.install(definition("leaderworkerset.x-k8s.io", "v1", "leaderworkersets", "LeaderWorkerSet", open,
                                  scaleSubresource()));
        m_kube.allow("actor", Json::array({rule("", {"pods"}, {"get", "list", "delete"})}));
    }

    // Kinds of owners that are read by lists of their metadata.
    void tellsApartWhatRunsSideBySide()
    {
        std::vector<Json> made;
        std::vector<Json> pods;
        for (int i = 0; i < 6; ++i) {
            const std::string name = "side-" + std::to_string(i);
            const Json top = m_kube.put(deployment(name.c_str(), 1));
            Json set = object(
                "apps/v1", "ReplicaSet", (name + "-1").c_str(),
                {{"replicas", 1}, {"selector", {{"matchLabels", kTrainLabels}}}, {"template", podTemplate()}}, top);
            pods.push_back(m_kube.putOwned((name + "-1-a").c_str(), m_kube.put(set)));
            made.insert(made.end(), {top, m_kube.get(set), pods.back()});
        }
        const RealTarget target(m_kube);
        for (std::size_t i = 0; i < pods.size(); ++i) {
            const auto found = target->find(holder(pods[i]), {});
            QVERIFY2(found && !found->obstacle, found ? "an obstacle" : found.error().text.c_str());
            QCOMPARE(found->ref.name, "side-" + std::to_string(i));
            QCOMPARE(found->holders.size(), std::size_t{1});
            QCOMPARE(found->holders.front().name, kubernetes::nameOf(pods[i]));
        }
        for (const Json &one : made)
            QVERIFY(m_kube.remove(one) == 200);
    }

    void scalesADeployment()
    {
        const Json top = m_kube.put(deployment("serve", 3));
        Json set =
            object("apps/v1", "ReplicaSet", "serve-1",
                   {{"replicas", 3}, {"selector", {{"matchLabels", kTrainLabels}}}, {"template", podTemplate()}}, top);
        const Json pod = m_kube.putOwned("serve-1-a", m_kube.put(set));
        const auto state = roundTrip(pod, top);
        QVERIFY(state.verb == StopVerb::ScaleToZero);
        QCOMPARE(state.value, std::string("3"));
        QCOMPARE(state.ref.kind, std::string("Deployment"));
        QCOMPARE(state.nameSpaceLabels.at("cost-center"), std::string("42"));
    }

    void stopsEachKind_data()
    {
        QTest::addColumn<QString>("version");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("spec");
        QTest::addColumn<QString>("field");
        const auto row = [](const char *version, const char *kind, const char *spec, const char *field) {
            QTest::newRow(kind) << QString::fromLatin1(version) << QString::fromLatin1(kind)
                                << QString::fromLatin1(spec) << QString::fromLatin1(field);
        };
        row("argoproj.io/v1alpha1", "Rollout", R"({"replicas": 2})", "spec.replicas");
        row("kubeflow.org/v1", "Notebook", "{}", "metadata.annotations.kubeflow-resource-stopped");
        row("kubeflow.org/v1", "PyTorchJob", R"({"runPolicy": {}})", "spec.runPolicy.suspend");
        row("ray.io/v1", "RayCluster", "{}", "spec.suspend");
        row("jobset.x-k8s.io/v1alpha2", "JobSet", R"({"suspend": false})", "spec.suspend");
    }
    void stopsEachKind()
    {
        QFETCH(QString, version);
        QFETCH(QString, kind);
        QFETCH(QString, spec);
        QFETCH(QString, field);
        const Json top = m_kube.put(object(version.toLatin1().constData(), kind.toLatin1().constData(), "train",
                                           Json::parse(spec.toStdString())));
        const Json pod = m_kube.putOwned((kind.toLower() + QStringLiteral("-0")).toLatin1().constData(), top);
        const auto state = roundTrip(pod, top);
        QCOMPARE(QString::fromStdString(state.field), field);
        QCOMPARE(QString::fromStdString(state.ref.kind), kind);
    }

    void scalesAStatefulSet()
    {
        const Json top = m_kube.put(object("apps/v1", "StatefulSet", "db",
                                           {{"replicas", 2},
                                            {"serviceName", "db"},
                                            {"selector", {{"matchLabels", kTrainLabels}}},
                                            {"template", podTemplate()}}));
        QCOMPARE(roundTrip(m_kube.putOwned("db-0", top), top).field, std::string("spec.replicas"));
    }

    void suspendsAJob()
    {
        const Json top = m_kube.put(job("run"));
        QCOMPARE(roundTrip(m_kube.putOwned("run-a", top), top).field, std::string("spec.suspend"));
        const Json done = m_kube.put(job("done"));
        QCOMPARE(m_kube.merge(done, Json::parse(R"({"status": {"startTime": "2026-11-20T10:00:00Z",
                                  "completionTime": "2026-11-20T11:00:00Z", "succeeded": 1, "conditions": [
                                  {"type": "SuccessCriteriaMet", "status": "True"}, {"type": "Complete", "status": "True"}]}})"),
                              "status"),
                 200);
        const auto state = RealTarget(m_kube)->find(holder(m_kube.putOwned("done-a", done)), {});
        QVERIFY(state && state->obstacle && state->obstacle->kind == model::Obstacle::Kind::Finished);
    }

    void suspendsThroughTheQueue()
    {
        Json queued = job("queued");
        queued["metadata"]["labels"] = {{"kueue.x-k8s.io/queue-name", "gpu"}};
        queued = m_kube.put(queued);
        const Json load =
            m_kube.put(object("kueue.x-k8s.io/v1beta1", "Workload", "job-queued", {{"queueName", "gpu"}}, queued));
        const auto state = roundTrip(m_kube.putOwned("queued-a", queued), load);
        QVERIFY(state.verb == StopVerb::Deactivate);
    }

    void pausesKeda()
    {
        const Json top = m_kube.put(deployment("elastic", 1));
        const Json scaler = m_kube.put(
            object("keda.sh/v1alpha1", "ScaledObject", "scaler", {{"scaleTargetRef", {{"name", "elastic"}}}}));
        QCOMPARE(roundTrip(m_kube.putOwned("elastic-a", top), scaler).ref.kind, std::string("ScaledObject"));
    }

    void annotatesAnInferenceService()
    {
        Json service = object("serving.kserve.io/v1beta1", "InferenceService", "llm", {{"predictor", Json::object()}});
        service["status"]["conditions"] = Json::array({{{"type", "Stopped"}, {"status", "False"}}});
        service = m_kube.put(service);
        QVERIFY(roundTrip(m_kube.putOwned("llm-a", service), service).verb == StopVerb::Annotate);
    }

    // A kind that is not in any table, through its scale subresource alone.
    void scalesAKindThatOnlyServesScale()
    {
        const Json top = m_kube.put(object("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "lws", {{"replicas", 2}}));
        const RealTarget target(m_kube);
        const auto state = target->find(holder(m_kube.putOwned("lws-0", top)), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        QVERIFY(!state->obstacle && state->verb == StopVerb::ScaleToZero);
        const auto rehearsed = target->rehearse(*state, mark(*state), {});
        QVERIFY(rehearsed);
        QCOMPARE(rehearsed->text, std::string());
        QVERIFY(rehearsed->kind == Rehearsed::Accepted);
        QVERIFY(m_kube.get(top)["spec"]["replicas"] == Json(2));
        QCOMPARE(target->stop(*state, mark(*state), {}).text, std::string());
        QVERIFY(m_kube.get(top)["spec"]["replicas"] == Json(0));
        const auto stopped = target->read(state->ref, {});
        QVERIFY(stopped && stopped->isStopped && stopped->value == "0");
        const auto undone = target->undo(*stopped, mark(*state), {}, {});
        QCOMPARE(undone.text, std::string());
        QVERIFY(m_kube.get(top)["spec"]["replicas"] == Json(2));
    }

    void evictsABarePodAndMakesItAgain()
    {
        Json wanted = gpuPod("bare");
        wanted["spec"]["volumes"] = Json::parse(R"([{"name": "data", "emptyDir": {}}, {"name": "kube-api-access-x",
            "projected": {"sources": [{"downwardAPI": {"items": [{"path": "n", "fieldRef": {"fieldPath": "metadata.name"}}]}}]}}])");
        wanted["spec"]["containers"][0]["volumeMounts"] = Json::parse(
            R"([{"name": "data", "mountPath": "/data"}, {"name": "kube-api-access-x", "mountPath": "/secret"}])");
        const Json pod = m_kube.put(wanted);
        const RealTarget target(m_kube);
        const auto state = target->find(holder(pod), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        QVERIFY(!state->obstacle && state->verb == StopVerb::Evict && !state->isReversible);
        const auto rehearsed = target->rehearse(*state, mark(*state), {});
        QVERIFY(rehearsed && rehearsed->kind == Rehearsed::Accepted);
        QVERIFY(!m_kube.get(pod)["metadata"].contains("deletionTimestamp"));
        auto other = *state;
        other.version = "1";
        QVERIFY(target->stop(other, mark(*state), {}).kind == Kind::Changed);
        other = *state;
        other.ref.uid = "00000000-0000-0000-0000-000000000000";
        QVERIFY(target->stop(other, mark(*state), {}).kind == Kind::Changed);
        QVERIFY(!m_kube.get(pod)["metadata"].contains("deletionTimestamp"));
        const auto stopped = target->stop(*state, mark(*state), {});
        QVERIFY2(stopped.kind == Kind::Done, stopped.text.c_str());
        QVERIFY(m_kube.get(pod)["metadata"].contains("deletionTimestamp"));
        const auto ending = target->read(state->ref, {});
        QVERIFY(ending && ending->obstacle && ending->obstacle->kind == model::Obstacle::Kind::AlreadyStopped);
        const auto early = target->undo(*state, mark(*state), state->manifest, {});
        QVERIFY2(early.kind == Kind::TryLater, early.text.c_str());
        QCOMPARE(m_kube.remove(pod), 200);
        QVERIFY(!target->read(state->ref, {}));
        const auto again = target->undo(*state, mark(*state), state->manifest, {});
        QCOMPARE(again.text, std::string());
        const Json made = m_kube.get(pod);
        QCOMPARE(made["metadata"]["uid"].get<std::string>(), again.version);
        QCOMPARE(made["spec"]["volumes"].size(), std::size_t{1});
        QVERIFY(made["spec"]["containers"][0]["resources"] == pod["spec"]["containers"][0]["resources"]);
        QVERIFY(target->undo(*state, mark(*state), state->manifest, {}).kind == Kind::Changed);
    }

    // The priority is computed again from its class: the old pod's value would be refused.
    void makesAPodAgainThoughItsClassChanged()
    {
        Json priority = {{"apiVersion", "scheduling.k8s.io/v1"},
                         {"kind", "PriorityClass"},
                         {"metadata", {{"name", "batch"}}},
                         {"value", 1000}};
        m_kube.put(priority);
        Json wanted = gpuPod("ranked");
        wanted["spec"]["priorityClassName"] = "batch";
        const Json pod = m_kube.put(wanted);
        const RealTarget target(m_kube);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && target->stop(*state, mark(*state), {}).kind == Kind::Done);
        m_kube.remove(pod);
        m_kube.remove(priority);
        priority["value"] = 2000;
        m_kube.put(priority);
        const auto again = target->undo(*state, mark(*state), state->manifest, {});
        QCOMPARE(again.text, std::string());
        QVERIFY(m_kube.get(pod)["spec"]["priority"] == Json(2000));
    }

    // Without the right to evict, the pod is deleted; a dry run in the query alone would have deleted it.
    void deletesABarePodAfterARehearsal()
    {
        const Json pod = m_kube.putBare("doomed");
        const RealTarget target(m_kube, "{token: actor-canary}");
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && state->verb == StopVerb::Delete);
        const auto rehearsed = target->rehearse(*state, mark(*state), {});
        QVERIFY(rehearsed && rehearsed->kind == Rehearsed::Accepted);
        QVERIFY(!m_kube.get(pod)["metadata"].contains("deletionTimestamp"));
        auto other = *state;
        other.version = "1";
        QVERIFY(target->stop(other, mark(*state), {}).kind == Kind::Changed);
        other = *state;
        other.ref.uid = "00000000-0000-0000-0000-000000000000";
        QVERIFY(target->stop(other, mark(*state), {}).kind == Kind::Changed);
        const auto stopped = target->stop(*state, mark(*state), {});
        QVERIFY2(stopped.kind == Kind::Done, stopped.text.c_str());
        QVERIFY(m_kube.get(pod)["metadata"].contains("deletionTimestamp"));
        m_kube.remove(pod);
        QVERIFY(target->stop(*state, mark(*state), {}).kind == Kind::Gone);
    }
};

GPULEDGER_SUITE(TestRealStops)

} // namespace tst_realstops

#include "tst_realstops.moc"
