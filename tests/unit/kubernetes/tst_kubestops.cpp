// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubetest.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_kubestops {

using namespace gpuledger;
using namespace gpuledger::tests;
using Kind = ports::WriteOutcome::Kind;
using model::StopVerb;

// Every supported kind: found from its pod, stopped, read back, and restored to exactly what it was.
class TestKubeStops : public QObject {
    Q_OBJECT

private:
    // Stops the owner of the pod and undoes it. `restored`: what the object must be afterwards, except for its version.
    model::TargetState roundTrip(const Json &pod, const char *group, const char *plural, const char *name)
    {
        const TargetAt target(m_server, m_folder);
        const Json before = m_server.object(group, plural, name);
        auto state = target->find(holder(pod), {});
        if (!state) {
            QTest::qFail(state.error().text.c_str(), __FILE__, __LINE__);
            return {};
        }
        if (state->obstacle) {
            QTest::qFail(state->obstacle->text.c_str(), __FILE__, __LINE__);
            return *state;
        }
        const auto first = *state;
        const auto rehearsed = target->rehearse(first, mark(first), {});
        check(rehearsed && rehearsed->kind == ports::Rehearsal::Kind::Accepted, "the rehearsal is refused",
              rehearsed ? rehearsed->text : rehearsed.error().text);
        check(m_server.object(group, plural, name) == before, "the rehearsal changed the object", name);
        const auto stopped = target->stop(first, mark(first), {});
        check(stopped.kind == Kind::Done, "the stop was not done", stopped.text);
        check(!stopped.receipt.empty(), "no receipt", name);
        model::TargetState after;
        const auto isOver = [&] {
            if (!isAtRest(first.ref.kind, group, plural, name))
                return false;
            const auto read = target->read(first.ref, {});
            if (read)
                after = *read;
            return read && read->isStopped && read->holders.empty();
        };
        check(QTest::qWaitFor(isOver, 15000), "the pods did not end", name);
        check(after.mark && after.mark->key == "act-1" && after.mark->actor == "ana@example.org"
                  && after.mark->oldValue == first.value,
              "the mark is not at the object", name);
        const auto undone = target->undo(after, mark(first), {}, {});
        check(undone.kind == Kind::Done, "the undo was not done", undone.text);
        check(restored(m_server.object(group, plural, name), before), "the undo did not restore the object",
              m_server.object(group, plural, name).dump());
        return first;
    }
    // Whether its operator has recorded the change; it can't be undone before that.
    bool isAtRest(const std::string &kind, const char *group, const char *plural, const char *name)
    {
        return kind != "RayCluster"
            || !kubernetes::at(m_server.object(group, plural, name), {"status", "conditions"}).is_null();
    }
    static void check(bool isTrue, const char *what, const std::string &detail)
    {
        if (!isTrue)
            QTest::qFail((std::string(what) + ": " + detail).c_str(), __FILE__, __LINE__);
    }
    static bool restored(Json now, Json before)
    {
        for (Json *one : {&now, &before}) {
            (*one)["metadata"].erase("resourceVersion");
            (*one)["metadata"].erase("managedFields");
            (*one).erase("status");
            if ((*one)["metadata"].contains("annotations") && (*one)["metadata"]["annotations"].empty())
                (*one)["metadata"].erase("annotations");
            // A map that was absent may remain as an empty one.
            if ((*one)["spec"].contains("runPolicy") && (*one)["spec"]["runPolicy"].empty())
                (*one)["spec"].erase("runPolicy");
        }
        return now == before;
    }

    KubeServer m_server;
    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init()
    {
        m_server.steer("reset");
        m_server.put({{"apiVersion", "v1"},
                      {"kind", "Namespace"},
                      {"metadata", {{"name", "ml"}, {"labels", {{"cost-center", "42"}}}}}});
    }

    void scalesADeployment()
    {
        const Json deployment = m_server.put(object("apps/v1", "Deployment", "serve", {{"replicas", 3}}));
        const Json set = m_server.put(object("apps/v1", "ReplicaSet", "serve-1", {{"replicas", 3}}, deployment));
        const Json pod = m_server.put(gpuPod("serve-1-a", set));
        m_server.put(gpuPod("serve-1-b", set));
        m_server.put(gpuPod("other"));
        const auto state = roundTrip(pod, "apps", "deployments", "serve");
        QVERIFY(state.verb == StopVerb::ScaleToZero);
        QCOMPARE(state.field, std::string("spec.replicas"));
        QCOMPARE(state.value, std::string("3"));
        QCOMPARE(state.ref.kind, std::string("Deployment"));
        QCOMPARE(state.holders.size(), std::size_t{2});
        QCOMPARE(state.nameSpaceLabels.at("cost-center"), std::string("42"));
        QCOMPARE(state.labels.at("team"), std::string("vision"));
        QCOMPARE(state.holders.front().node, std::string("node-1"));
    }

    // Kinds with one owner above the pod, by the field that stops them.
    void suspendsEachKind_data()
    {
        QTest::addColumn<QString>("version");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("plural");
        QTest::addColumn<QString>("spec");
        QTest::addColumn<QString>("field");
        const auto row = [](const char *version, const char *kind, const char *plural, const char *spec,
                            const char *field) {
            QTest::newRow(kind) << QString::fromLatin1(version) << QString::fromLatin1(kind)
                                << QString::fromLatin1(plural) << QString::fromLatin1(spec)
                                << QString::fromLatin1(field);
        };
        row("apps/v1", "StatefulSet", "statefulsets", R"({"replicas": 2})", "spec.replicas");
        row("argoproj.io/v1alpha1", "Rollout", "rollouts", R"({"replicas": 2})", "spec.replicas");
        row("batch/v1", "Job", "jobs", R"({"parallelism": 1})", "spec.suspend");
        row("kubeflow.org/v1", "Notebook", "notebooks", R"({})", "metadata.annotations.kubeflow-resource-stopped");
        row("ray.io/v1", "RayCluster", "rayclusters", R"({"suspend": false})", "spec.suspend");
        row("ray.io/v1", "RayJob", "rayjobs", R"({"shutdownAfterJobFinishes": true})", "spec.suspend");
        row("ray.io/v1", "RayService", "rayservices", R"({})", "spec.suspend");
        row("kubeflow.org/v1", "PyTorchJob", "pytorchjobs", R"({"runPolicy": {"cleanPodPolicy": "None"}})",
            "spec.runPolicy.suspend");
        row("kubeflow.org/v1", "TFJob", "tfjobs", R"({})", "spec.runPolicy.suspend");
        row("kubeflow.org/v1", "XGBoostJob", "xgboostjobs", R"({"runPolicy": {}})", "spec.runPolicy.suspend");
        row("kubeflow.org/v1", "PaddleJob", "paddlejobs", R"({"runPolicy": {}})", "spec.runPolicy.suspend");
        row("kubeflow.org/v1", "JAXJob", "jaxjobs", R"({"runPolicy": {"suspend": false}})", "spec.runPolicy.suspend");
        row("kubeflow.org/v2beta1", "MPIJob", "mpijobs", R"({"runPolicy": {}})", "spec.runPolicy.suspend");
        row("jobset.x-k8s.io/v1alpha2", "JobSet", "jobsets", R"({})", "spec.suspend");
        row("trainer.kubeflow.org/v1alpha1", "TrainJob", "trainjobs", R"({"suspend": false})", "spec.suspend");
    }
    void suspendsEachKind()
    {
        QFETCH(QString, version);
        QFETCH(QString, kind);
        QFETCH(QString, plural);
        QFETCH(QString, spec);
        QFETCH(QString, field);
        const std::string api = version.toStdString(), name = kind.toStdString();
        const Json owner = m_server.put(object(api.c_str(), name.c_str(), "train", Json::parse(spec.toStdString())));
        const Json pod = m_server.put(gpuPod("train-0", owner));
        const auto state = roundTrip(pod, api.substr(0, api.find('/')).c_str(), plural.toStdString().c_str(), "train");
        QCOMPARE(QString::fromStdString(state.field), field);
        QCOMPARE(QString::fromStdString(state.ref.kind), kind);
        QCOMPARE(QString::fromStdString(state.ref.apiVersion), version);
    }

    void takesTheTopmostOwner()
    {
        const Json train = m_server.put(object("trainer.kubeflow.org/v1alpha1", "TrainJob", "t"));
        const Json set = m_server.put(object("jobset.x-k8s.io/v1alpha2", "JobSet", "t", {}, train));
        const Json job = m_server.put(object("batch/v1", "Job", "t-node-0", {}, set));
        const Json pod = m_server.put(gpuPod("t-node-0-0", job));
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state);
        QCOMPARE(state->ref.kind, std::string("TrainJob"));
    }

    void stopsOneRunOfACronJob()
    {
        const Json cron = m_server.put(object("batch/v1", "CronJob", "nightly", {{"schedule", "0 1 * * *"}}));
        const Json job = m_server.put(object("batch/v1", "Job", "nightly-1", {{"suspend", false}}, cron));
        const Json pod = m_server.put(gpuPod("nightly-1-a", job));
        const auto state = roundTrip(pod, "batch", "jobs", "nightly-1");
        QCOMPARE(state.ref.kind, std::string("Job"));
        QCOMPARE(state.cautions.size(), std::size_t{1});
        QVERIFY(state.cautions.front().kind == model::Caution::Kind::FutureRuns);
    }

    void stopsAnInferenceServiceThroughItsWholeChain()
    {
        Json service = object("serving.kserve.io/v1beta1", "InferenceService", "llm", {{"predictor", Json::object()}});
        service["status"] = {{"conditions", {{{"type", "Stopped"}, {"status", "False"}}}}};
        service = m_server.put(service);
        const Json knative = m_server.put(object("serving.knative.dev/v1", "Service", "llm-p", {}, service));
        const Json configuration =
            m_server.put(object("serving.knative.dev/v1", "Configuration", "llm-p", {}, knative));
        const Json revision = m_server.put(object("serving.knative.dev/v1", "Revision", "llm-p-1", {}, configuration));
        const Json deployment = m_server.put(object("apps/v1", "Deployment", "llm-p-1", {{"replicas", 1}}, revision));
        const Json set = m_server.put(object("apps/v1", "ReplicaSet", "llm-p-1-x", {{"replicas", 1}}, deployment));
        const Json pod = m_server.put(gpuPod("llm-p-1-x-a", set));
        const auto state = roundTrip(pod, "serving.kserve.io", "inferenceservices", "llm");
        QCOMPARE(state.field, std::string("metadata.annotations.serving.kserve.io/stop"));
        QVERIFY(state.verb == StopVerb::Annotate);
    }

    void anOldKnativeServiceGoesToZeroPerComponent()
    {
        Json service =
            object("serving.kserve.io/v1beta1", "InferenceService", "old",
                   {{"predictor", {{"minReplicas", 2}}}, {"transformer", {{"image", "registry.example.org/t:1"}}}});
        service["status"] = {{"deploymentMode", "Serverless"}};
        service = m_server.put(service);
        const Json pod = m_server.put(gpuPod("old-a", service));
        const auto state = roundTrip(pod, "serving.kserve.io", "inferenceservices", "old");
        QVERIFY(Json::parse(state.value)
                == Json::parse(R"({"/spec/predictor/minReplicas": 2, "/spec/transformer/minReplicas": null})"));
    }

    // This version raises `minReplicas: 0` to 1: nothing would stop.
    void anOldServiceOfModeStandardIsOnlyReported()
    {
        Json service = object("serving.kserve.io/v1beta1", "InferenceService", "old", {{"predictor", Json::object()}});
        service["status"] = {{"deploymentMode", "RawDeployment"}};
        service = m_server.put(service);
        const Json pod = m_server.put(gpuPod("old-a", service));
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && state->obstacle);
        QVERIFY(state->obstacle->kind == model::Obstacle::Kind::TooOld);
        m_server.requests();
        QVERIFY(target->stop(*state, mark(*state), {}).kind == Kind::Refused);
        QVERIFY(m_server.requests("PATCH").empty());
    }

    // An API server's answer may have any shape: nothing is sent, and the program continues.
    void refusesAnObjectWhoseFieldIsBelowNoMap()
    {
        Json odd = object("ray.io/v1", "RayService", "odd-notes");
        odd["metadata"]["annotations"] = Json::array({"a"});
        odd = m_server.put(odd);
        const Json texts = m_server.put(object("ray.io/v1", "RayService", "odd-spec", Json("text")));
        const Json list = m_server.put(object("kubeflow.org/v1", "TFJob", "odd-run", {{"runPolicy", {1, 2}}}));
        const TargetAt target(m_server, m_folder);
        for (const Json &owner : {odd, texts, list}) {
            const Json pod = m_server.put(gpuPod("odd-a", owner));
            const auto state = target->find(holder(pod), {});
            QVERIFY2(state, state ? "" : state.error().text.c_str());
            const auto rehearsed = target->rehearse(*state, mark(*state), {});
            QVERIFY(rehearsed && rehearsed->kind == ports::Rehearsal::Kind::Refused);
            const auto stopped = target->stop(*state, mark(*state), {});
            QVERIFY(stopped.kind == Kind::Refused);
            QVERIFY2(stopped.text.find("not a map") != std::string::npos, stopped.text.c_str());
        }
        QVERIFY(m_server.requests("PATCH").empty());
    }

    // Kueue would restore the job's own suspend.
    void suspendsThroughTheQueue()
    {
        Json job = object("batch/v1", "Job", "queued", {{"suspend", false}});
        job["metadata"]["labels"] = {{"kueue.x-k8s.io/queue-name", "gpu"}};
        job = m_server.put(job);
        m_server.put(object("kueue.x-k8s.io/v1beta1", "Workload", "job-queued", {{"queueName", "gpu"}}, job));
        const Json pod = m_server.put(gpuPod("queued-a", job));
        const auto state = roundTrip(pod, "kueue.x-k8s.io", "workloads", "job-queued");
        QVERIFY(state.verb == StopVerb::Deactivate);
        QCOMPARE(state.ref.kind, std::string("Workload"));
        QCOMPARE(state.holders.size(), std::size_t{1});
        QVERIFY(std::any_of(state.cautions.begin(), state.cautions.end(),
                            [](const auto &one) { return one.kind == model::Caution::Kind::Queue; }));
        QVERIFY(std::find(state.losses.begin(), state.losses.end(), model::Loss::QueuePlace) != state.losses.end());
        QTRY_VERIFY(m_server.object("batch", "jobs", "queued")["spec"]["suspend"] == Json(false));
    }

    void aQueuedJobWithoutItsWorkloadIsLeftAlone()
    {
        Json job = object("batch/v1", "Job", "queued", {{"suspend", false}});
        job["metadata"]["labels"] = {{"kueue.x-k8s.io/queue-name", "gpu"}};
        job = m_server.put(job);
        const Json pod = m_server.put(gpuPod("queued-a", job));
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && state->obstacle);
        QVERIFY(state->obstacle->kind == model::Obstacle::Kind::ManagedElsewhere);
    }

    void pausesKeda()
    {
        const Json deployment = m_server.put(object("apps/v1", "Deployment", "serve", {{"replicas", 1}}));
        const Json set = m_server.put(object("apps/v1", "ReplicaSet", "serve-1", {{"replicas", 1}}, deployment));
        const Json pod = m_server.put(gpuPod("serve-1-a", set));
        m_server.put(object("keda.sh/v1alpha1", "ScaledObject", "scaler", {{"scaleTargetRef", {{"name", "serve"}}}}));
        const auto state = roundTrip(pod, "keda.sh", "scaledobjects", "scaler");
        QCOMPARE(state.field, std::string("metadata.annotations.autoscaling.keda.sh/paused-replicas"));
        QCOMPARE(state.holders.size(), std::size_t{1});
        QVERIFY(state.managers == std::vector<std::string>{"keda:scaler"});
    }

    // KEDA with the HPA that it created; a paused KEDA, which would leave it at 0 forever; an HPA with minReplicas 0.
    void namesItsAutoscalers()
    {
        const Json whole = m_server.put(object("apps/v1", "Deployment", "serve", {{"replicas", 2}}));
        const Json set = m_server.put(object("apps/v1", "ReplicaSet", "serve-1", {{"replicas", 2}}, whole));
        const Json pod = m_server.put(gpuPod("serve-1-a", set));
        const TargetAt target(m_server, m_folder);
        Json scaler = object("keda.sh/v1alpha1", "ScaledObject", "elastic", {{"scaleTargetRef", {{"name", "serve"}}}});
        scaler = m_server.put(scaler);
        const Json of{{"scaleTargetRef", {{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"name", "serve"}}}};
        Json made = object("autoscaling/v2", "HorizontalPodAutoscaler", "keda-hpa-elastic", of, scaler);
        made["spec"]["maxReplicas"] = 3;
        made = m_server.put(made);
        auto state = target->find(holder(pod), {});
        QVERIFY(state && state->managers == std::vector<std::string>{"keda:elastic"});
        QCOMPARE(state->ref.kind, std::string("ScaledObject"));
        QVERIFY(target->read(state->ref, {})->managers == state->managers);

        scaler["metadata"]["annotations"] = {{"autoscaling.keda.sh/paused", "true"}};
        m_server.put(scaler);
        m_server.steer("delete", {"autoscaling", "horizontalpodautoscalers", "ml", "keda-hpa-elastic"});
        state = target->find(holder(pod), {});
        QVERIFY(state && state->managers.empty() && !state->obstacle);
        QCOMPARE(state->ref.kind, std::string("Deployment"));
        QVERIFY(!state->cautions.empty() && state->cautions.front().kind == model::Caution::Kind::Other);
        QVERIFY(!target->read(state->ref, {})->obstacle);

        m_server.steer("delete", {"keda.sh", "scaledobjects", "ml", "elastic"});
        Json plain = object("autoscaling/v2", "HorizontalPodAutoscaler", "plain", of);
        plain["spec"]["minReplicas"] = 0;
        m_server.put(plain);
        state = target->find(holder(pod), {});
        QVERIFY(state && state->managers == std::vector<std::string>{"hpa:plain"});
        QVERIFY(std::any_of(state->cautions.begin(), state->cautions.end(), [](const model::Caution &one) {
            return one.text.find("starts it again from 0") != std::string::npos;
        }));
        m_server.flag("denied", {"list horizontalpodautoscalers.autoscaling"}); // there may be one
        state = target->find(holder(pod), {});
        QVERIFY(state && state->managers == std::vector<std::string>{"hpa:unknown"});
    }

    // Kueue can't suspend a pod, only delete it. Stopping it through its Workload is just as irreversible.
    void aWorkloadOfABarePodIsOneWay()
    {
        const Json pod = m_server.put(gpuPod("lone"));
        m_server.put(object("kueue.x-k8s.io/v1beta1", "Workload", "pod-lone", {{"queueName", "gpu"}}, pod));
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        QCOMPARE(state->ref.kind, std::string("Workload"));
        QVERIFY(!state->isReversible && state->manifest.empty());
        QVERIFY(!target->read(state->ref, {})->isReversible);
    }

    void scalesAKindThatOnlyServesScale()
    {
        const Json group =
            m_server.put(object("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "lws", {{"replicas", 2}}));
        const Json set = m_server.put(object("apps/v1", "StatefulSet", "lws", {{"replicas", 1}}, group));
        const Json pod = m_server.put(gpuPod("lws-0", set));
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && !state->obstacle);
        QCOMPARE(state->ref.kind, std::string("LeaderWorkerSet"));
        QCOMPARE(state->value, std::string("2"));
        QVERIFY(target->stop(*state, mark(*state), {}).kind == Kind::Done);
        const auto stopped = target->read(state->ref, {});
        QVERIFY(stopped && stopped->isStopped);
        QVERIFY(target->undo(*stopped, mark(*state), {}, {}).kind == Kind::Done);
        QVERIFY(m_server.object("leaderworkerset.x-k8s.io", "leaderworkersets", "lws")["spec"]["replicas"] == Json(2));
    }

    // Only deployments/scale may be patched, as with the role in the documentation.
    void scalesThroughTheSubresourceWhereOnlyThatIsAllowed()
    {
        m_server.flag("denied", {"patch deployments.apps"});
        const Json deployment = m_server.put(object("apps/v1", "Deployment", "serve", {{"replicas", 3}}));
        const Json set = m_server.put(object("apps/v1", "ReplicaSet", "serve-1", {{"replicas", 3}}, deployment));
        const Json pod = m_server.put(gpuPod("serve-1-a", set));
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state);
        m_server.flag("denied", {"patch deployments.apps", "get deployments/scale.apps"}); // the minimum of rights
        const auto allowed = target->permission(*state, false, {});
        QVERIFY(allowed && allowed->isAllowed);
        QCOMPARE(target->stop(*state, mark(*state), {}).text, std::string());
        const auto stopped = target->read(state->ref, {});
        QVERIFY(stopped && stopped->isStopped && !stopped->mark);
        QVERIFY(target->undo(*stopped, mark(*state), {}, {}).kind == Kind::Done);
        QVERIFY(m_server.object("apps", "deployments", "serve")["spec"]["replicas"] == Json(3));
        m_server.flag("denied", {"patch deployments.apps", "patch deployments/scale.apps"});
        const auto denied = target->permission(*state, false, {});
        QVERIFY(denied && !denied->isAllowed);
        QCOMPARE(denied->missing, std::string("patch deployments.apps/scale in namespace ml"));
    }

    void evictsABarePodAndMakesItAgain()
    {
        Json bare = gpuPod("bare");
        bare["spec"]["volumes"] = {{{"name", "kube-api-access-x"}, {"projected", Json::object()}},
                                   {{"name", "data"}, {"emptyDir", Json::object()}}};
        bare["spec"]["containers"][0]["volumeMounts"] = {{{"name", "kube-api-access-x"}}, {{"name", "data"}}};
        const Json pod = m_server.put(bare);
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && !state->obstacle);
        QVERIFY(state->verb == StopVerb::Evict);
        QVERIFY(!state->isReversible);
        QVERIFY(std::find(state->losses.begin(), state->losses.end(), model::Loss::LocalDisk) != state->losses.end());
        const auto rehearsed = target->rehearse(*state, mark(*state), {});
        QVERIFY(rehearsed && rehearsed->kind == ports::Rehearsal::Kind::Accepted);
        QVERIFY(!m_server.object("", "pods", "bare")["metadata"].contains("deletionTimestamp"));
        m_server.flag("delay", 1.5);
        QVERIFY(target->stop(*state, mark(*state), {}).kind == Kind::Done);
        const auto early = target->undo(*state, mark(*state), state->manifest, {});
        QVERIFY(early.kind == Kind::TryLater);
        QTRY_VERIFY_WITH_TIMEOUT(!target->read(state->ref, {}), 10000);
        const auto again = target->undo(*state, mark(*state), state->manifest, {});
        QCOMPARE(again.text, std::string());
        QVERIFY(again.kind == Kind::Done && !again.version.empty() && again.version != state->ref.uid);
        const Json made = m_server.object("", "pods", "bare");
        QCOMPARE(made["spec"]["volumes"].size(), std::size_t{1});
        QVERIFY(!made["spec"].contains("nodeName"));
        QCOMPARE(made["metadata"]["uid"].get<std::string>(), again.version);
        const auto twice = target->undo(*state, mark(*state), state->manifest, {});
        QVERIFY(twice.kind == Kind::Changed);
    }

    // In a DELETE with a body the query is ignored: a rehearsal that relied on it would delete.
    void rehearsesADeleteInItsBody()
    {
        m_server.flag("denied", {"create pods/eviction"});
        const Json pod = m_server.put(gpuPod("bare"));
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && state->verb == StopVerb::Delete);
        m_server.requests();
        const auto rehearsed = target->rehearse(*state, mark(*state), {});
        QVERIFY(rehearsed && rehearsed->kind == ports::Rehearsal::Kind::Accepted);
        QVERIFY(!m_server.object("", "pods", "bare")["metadata"].contains("deletionTimestamp"));
        const auto sent = m_server.requests("DELETE");
        QCOMPARE(sent.size(), std::size_t{1});
        const Json body = Json::parse(sent.front()["body"].get<std::string>());
        QVERIFY(body["dryRun"] == Json::array({"All"}));
        QCOMPARE(body["preconditions"]["uid"].get<std::string>(), state->ref.uid);
        QVERIFY(target->stop(*state, mark(*state), {}).kind == Kind::Done);
        QTRY_VERIFY_WITH_TIMEOUT(!target->read(state->ref, {}), 10000);
    }
};

GPULEDGER_SUITE(TestKubeStops)

} // namespace tst_kubestops

#include "tst_kubestops.moc"
