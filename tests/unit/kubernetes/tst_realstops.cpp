// SPDX-License-Identifier: GPL-3.0-or-later
#include "realkube.h"

#include <QTest>

using namespace gpuledger;
using namespace gpuledger::test;
using Kind = ports::WriteOutcome::Kind;
using Rehearsed = ports::Rehearsal::Kind;
using model::StopVerb;

namespace {

const Json kLabels{{"app", "train"}};

// The part of a workload that makes its pods.
Json podTemplate()
{
    Json out;
    out["metadata"]["labels"] = kLabels;
    out["spec"]["containers"] = Json::array({{{"name", "main"}, {"image", "registry.example.org/train:1"}}});
    return out;
}

Json deployment(const char *name, int replicas)
{
    return object("apps/v1", "Deployment", name,
                  {{"replicas", replicas}, {"selector", {{"matchLabels", kLabels}}}, {"template", podTemplate()}});
}

Json job(const char *name)
{
    Json out = object("batch/v1", "Job", name, {{"template", podTemplate()}});
    out["spec"]["template"]["spec"]["restartPolicy"] = "Never";
    return out;
}

Json scaleSubresource()
{
    return Json::parse(R"({"status": {}, "scale": {"specReplicasPath": ".spec.replicas",
                                                   "statusReplicasPath": ".status.replicas"}})");
}

Json boolean(const char *name)
{
    return {{"type", "object"}, {"properties", {{name, {{"type", "boolean"}}}}}};
}

} // namespace

// Finds, rehearses, stops and undoes against kube-apiserver with etcd. There are no controllers: what they would do to
// pods, the test does.
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
    // What the pod leads to, stopped and set back to exactly what it was.
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
    Json putOwned(const char *name, const Json &owner) { return m_kube.put(gpuPod(name, owner)); }
    // A pod that runs, and nothing above it.
    Json putBare(const char *name)
    {
        Json pod = gpuPod(name);
        pod["status"]["conditions"] = Json::array({{{"type", "Ready"}, {"status", "True"}}});
        return m_kube.put(pod);
    }
    Json putBudget(const char *name, const char *app)
    {
        Json budget = object("policy/v1", "PodDisruptionBudget", name,
                             {{"minAvailable", 1}, {"selector", {{"matchLabels", {{"app", app}}}}}});
        budget["status"] = {{"observedGeneration", 1},
                            {"disruptionsAllowed", 0},
                            {"currentHealthy", 1},
                            {"desiredHealthy", 1},
                            {"expectedPods", 1}};
        return m_kube.put(budget);
    }
    void allow(const char *user, const Json &rules)
    {
        const std::string name = std::string("may-") + user;
        Json role = object("rbac.authorization.k8s.io/v1", "Role", name.c_str());
        role.erase("spec");
        role["rules"] = rules;
        m_kube.put(role);
        Json binding = object("rbac.authorization.k8s.io/v1", "RoleBinding", name.c_str());
        binding.erase("spec");
        binding["roleRef"] = {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "Role"}, {"name", name}};
        binding["subjects"] =
            Json::array({{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "User"}, {"name", user}}});
        m_kube.put(binding);
    }
    static Json rule(const char *group, const Json &resources, const Json &verbs)
    {
        return {{"apiGroups", Json::array({group})}, {"resources", resources}, {"verbs", verbs}};
    }
    void install(const Json &crd)
    {
        m_kube.put(crd);
        const auto isServed = [&] {
            const Json now = m_kube.get(crd);
            const Json all = now.contains("status") ? now["status"].value("conditions", Json::array()) : Json::array();
            return std::any_of(all.begin(), all.end(),
                               [](const Json &one) { return one["type"] == "Established" && one["status"] == "True"; });
        };
        QVERIFY(QTest::qWaitFor(isServed, 30000));
        const std::string list = "/apis/" + crd["spec"]["group"].get<std::string>() + '/'
            + crd["spec"]["versions"][0]["name"].get<std::string>() + "/namespaces/ml/"
            + crd["spec"]["names"]["plural"].get<std::string>();
        QVERIFY(QTest::qWaitFor([&] { return m_kube.ask("GET", list).status == 200; }, 30000));
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
        Json runs{{"type", "object"}, {"properties", {{"runPolicy", boolean("suspend")}}}};
        install(definition("kubeflow.org", "v1", "notebooks", "Notebook"));
        install(definition("kubeflow.org", "v1", "pytorchjobs", "PyTorchJob", runs));
        runs["properties"]["runPolicy"]["properties"] = {{"cleanPodPolicy", {{"type", "string"}}}};
        install(definition("kubeflow.org", "v1", "tfjobs", "TFJob", runs)); // of before there was a suspend
        install(definition("ray.io", "v1", "rayclusters", "RayCluster", boolean("suspend")));
        install(definition("jobset.x-k8s.io", "v1alpha2", "jobsets", "JobSet", boolean("suspend")));
        install(definition("kueue.x-k8s.io", "v1beta1", "workloads", "Workload"));
        install(definition("keda.sh", "v1alpha1", "scaledobjects", "ScaledObject"));
        install(definition("serving.kserve.io", "v1beta1", "inferenceservices", "InferenceService"));
        const Json open{{"type", "object"},
                        {"x-kubernetes-preserve-unknown-fields", true},
                        {"properties", {{"replicas", {{"type", "integer"}}}}}};
        install(definition("argoproj.io", "v1alpha1", "rollouts", "Rollout", open, scaleSubresource()));
        install(definition("leaderworkerset.x-k8s.io", "v1", "leaderworkersets", "LeaderWorkerSet", open,
                           scaleSubresource()));
        allow("viewer",
              Json::array({rule("", {"pods"}, {"get", "list"}),
                           rule("apps", {"deployments", "replicasets"}, {"get", "list"})}));
        allow("actor",
              Json::array({rule("", {"pods"}, {"get", "list", "delete"}),
                           rule("apps", {"deployments", "replicasets", "deployments/scale"}, {"get", "list"}),
                           rule("apps", {"deployments/scale"}, {"patch"})}));
    }

    void scalesADeployment()
    {
        const Json top = m_kube.put(deployment("serve", 3));
        Json set =
            object("apps/v1", "ReplicaSet", "serve-1",
                   {{"replicas", 3}, {"selector", {{"matchLabels", kLabels}}}, {"template", podTemplate()}}, top);
        const Json pod = putOwned("serve-1-a", m_kube.put(set));
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
        const Json pod = putOwned((kind.toLower() + QStringLiteral("-0")).toLatin1().constData(), top);
        const auto state = roundTrip(pod, top);
        QCOMPARE(QString::fromStdString(state.field), field);
        QCOMPARE(QString::fromStdString(state.ref.kind), kind);
    }

    void scalesAStatefulSet()
    {
        const Json top = m_kube.put(object("apps/v1", "StatefulSet", "db",
                                           {{"replicas", 2},
                                            {"serviceName", "db"},
                                            {"selector", {{"matchLabels", kLabels}}},
                                            {"template", podTemplate()}}));
        QCOMPARE(roundTrip(putOwned("db-0", top), top).field, std::string("spec.replicas"));
    }

    void suspendsAJob()
    {
        const Json top = m_kube.put(job("run"));
        QCOMPARE(roundTrip(putOwned("run-a", top), top).field, std::string("spec.suspend"));
        const Json done = m_kube.put(job("done"));
        QCOMPARE(m_kube.merge(done, Json::parse(R"({"status": {"startTime": "2026-11-20T10:00:00Z",
                                  "completionTime": "2026-11-20T11:00:00Z", "succeeded": 1, "conditions": [
                                  {"type": "SuccessCriteriaMet", "status": "True"}, {"type": "Complete", "status": "True"}]}})"),
                              "status"),
                 200);
        const auto state = RealTarget(m_kube)->find(holder(putOwned("done-a", done)), {});
        QVERIFY(state && state->obstacle && state->obstacle->kind == model::Obstacle::Kind::Finished);
    }

    void suspendsThroughTheQueue()
    {
        Json queued = job("queued");
        queued["metadata"]["labels"] = {{"kueue.x-k8s.io/queue-name", "gpu"}};
        queued = m_kube.put(queued);
        const Json load =
            m_kube.put(object("kueue.x-k8s.io/v1beta1", "Workload", "job-queued", {{"queueName", "gpu"}}, queued));
        const auto state = roundTrip(putOwned("queued-a", queued), load);
        QVERIFY(state.verb == StopVerb::Deactivate);
    }

    void pausesKeda()
    {
        const Json top = m_kube.put(deployment("elastic", 1));
        const Json scaler = m_kube.put(
            object("keda.sh/v1alpha1", "ScaledObject", "scaler", {{"scaleTargetRef", {{"name", "elastic"}}}}));
        QCOMPARE(roundTrip(putOwned("elastic-a", top), scaler).ref.kind, std::string("ScaledObject"));
    }

    void annotatesAnInferenceService()
    {
        Json service = object("serving.kserve.io/v1beta1", "InferenceService", "llm", {{"predictor", Json::object()}});
        service["status"]["conditions"] = Json::array({{{"type", "Stopped"}, {"status", "False"}}});
        service = m_kube.put(service);
        QVERIFY(roundTrip(putOwned("llm-a", service), service).verb == StopVerb::Annotate);
    }

    // A kind that is in no table, through its scale alone.
    void scalesAKindThatOnlyServesScale()
    {
        const Json top = m_kube.put(object("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "lws", {{"replicas", 2}}));
        const RealTarget target(m_kube);
        const auto state = target->find(holder(putOwned("lws-0", top)), {});
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

    // Who may only scale does it through the subresource; who may nothing is told what is missing.
    void usesTheRightsThatThereAre()
    {
        const Json top = m_kube.put(deployment("rights", 3));
        const Json pod = putOwned("rights-a", top);
        const RealTarget actor(m_kube, "{token: actor-canary}"), viewer(m_kube, "{token: viewer-canary}");
        auto state = actor->find(holder(pod), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        QVERIFY(!state->obstacle);
        QVERIFY(std::any_of(state->cautions.begin(), state->cautions.end(), [](const model::Caution &one) {
            return one.text.find("PodDisruptionBudget can't be listed") != std::string::npos;
        }));
        QVERIFY(actor->permission(*state, false, {})->isAllowed);
        QVERIFY(actor->rehearse(*state, mark(*state), {})->kind == Rehearsed::Accepted);
        QCOMPARE(actor->stop(*state, mark(*state), {}).text, std::string());
        const auto stopped = actor->read(state->ref, {});
        QVERIFY(stopped && stopped->isStopped && !stopped->mark);
        QCOMPARE(actor->undo(*stopped, mark(*state), {}, {}).text, std::string());
        QVERIFY(m_kube.get(top)["spec"]["replicas"] == Json(3));

        state = viewer->find(holder(pod), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        const auto allowed = viewer->permission(*state, false, {});
        QVERIFY(allowed && !allowed->isAllowed);
        QCOMPARE(allowed->missing, std::string("patch deployments.apps/scale in namespace ml"));
        const auto refused = viewer->stop(*state, mark(*state), {});
        QVERIFY(refused.kind == Kind::Refused);
        QVERIFY2(refused.text.find("viewer") != std::string::npos, refused.text.c_str());
        const Json run = m_kube.put(job("unseen"));
        const auto unseen = viewer->find(holder(putOwned("unseen-a", run)), {});
        QVERIFY(unseen && unseen->obstacle && unseen->obstacle->kind == model::Obstacle::Kind::BrokenChain);
        QVERIFY2(unseen->obstacle->text.find("forbidden") != std::string::npos, unseen->obstacle->text.c_str());
    }

    // The change comes between the look and the call: the server's own test refuses it.
    void aChangeInTheLastMomentIsRefusedByTheServer_data()
    {
        QTest::addColumn<bool>("scale");
        QTest::newRow("object") << false;
        QTest::newRow("scale") << true;
    }
    void aChangeInTheLastMomentIsRefusedByTheServer()
    {
        QFETCH(bool, scale);
        const Json top = m_kube.put(deployment(scale ? "late-scale" : "late", 3));
        const Json pod = putOwned(scale ? "late-scale-a" : "late-a", top);
        const RealTarget target(m_kube, scale ? "{token: actor-canary}" : "{token: admin-canary}");
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && !state->obstacle);
        target.between->before = [&](http::Request &request) {
            if (request.method == "PATCH")
                m_kube.merge(top, {{"spec", {{"replicas", 5}}}});
        };
        const auto outcome = target->stop(*state, mark(*state), {});
        QVERIFY2(outcome.kind == Kind::Changed, outcome.text.c_str());
        QVERIFY2(outcome.text.find("not as it was") != std::string::npos, outcome.text.c_str());
        QVERIFY(m_kube.get(top)["spec"]["replicas"] == Json(5));
    }

    // A value that the kind's own rules refuse is no change by somebody else.
    void aRuleOfTheKindIsARefusal()
    {
        Json spec = boolean("suspend");
        spec["x-kubernetes-validations"] =
            Json::array({{{"rule", "!(has(self.suspend) && self.suspend)"}, {"message", "may not be suspended here"}}});
        install(definition("ray.io", "v1", "rayservices", "RayService", spec));
        const Json top = m_kube.put(object("ray.io/v1", "RayService", "ruled"));
        const RealTarget target(m_kube);
        const auto state = target->find(holder(putOwned("ruled-a", top)), {});
        QVERIFY(state && !state->obstacle);
        const auto outcome = target->stop(*state, mark(*state), {});
        QVERIFY2(outcome.text.find("may not be suspended here") != std::string::npos, outcome.text.c_str());
        QVERIFY2(outcome.kind == Kind::Refused, outcome.text.c_str());
    }

    // A policy of the cluster answers with the code of a failed test (422), and is none.
    void aPolicyOfTheClusterIsARefusal()
    {
        m_kube.put(Json::parse(R"({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": "fridays"}, "spec": {"validations": [{"expression": "false", "message": "not on Fridays"}],
            "matchConstraints": {"resourceRules": [{"apiGroups": ["batch"], "apiVersions": ["v1"], "operations": ["UPDATE"],
            "resources": ["cronjobs"]}]}}})"));
        m_kube.put(
            Json::parse(R"({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "fridays"}, "spec": {"policyName": "fridays", "validationActions": ["Deny"]}})"));
        const Json job = {{"template", {{"spec", podTemplate()["spec"]}}}};
        Json cron =
            object("batch/v1", "CronJob", "nightly", {{"schedule", "0 1 * * *"}, {"jobTemplate", {{"spec", job}}}});
        cron["spec"]["jobTemplate"]["spec"]["template"]["spec"]["restartPolicy"] = "Never";
        const Json top = m_kube.put(cron);
        const auto isDenied = [&] { return m_kube.merge(top, {{"spec", {{"schedule", "0 2 * * *"}}}}) == 422; };
        QVERIFY(QTest::qWaitFor(isDenied, 30000)); // a policy counts after some seconds
        const RealTarget target(m_kube);
        const model::TargetRef ref{
            "prod-kube", "prod", "batch/v1", "CronJob", "ml", "nightly", m_kube.get(top)["metadata"]["uid"]};
        const auto state = target->read(ref, {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        QVERIFY(!state->obstacle && state->field == "spec.suspend");
        const auto rehearsed = target->rehearse(*state, mark(*state), {});
        QVERIFY(rehearsed && rehearsed->kind == Rehearsed::Refused);
        const auto outcome = target->stop(*state, mark(*state), {});
        QVERIFY2(outcome.text.find("not on Fridays") != std::string::npos, outcome.text.c_str());
        QVERIFY2(outcome.kind == Kind::Refused, outcome.text.c_str());
    }

    // A quota that is full meanwhile keeps a deleted pod from coming again.
    void aFullQuotaIsARefusal()
    {
        const Json pod = putBare("counted");
        const RealTarget target(m_kube);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && target->stop(*state, mark(*state), {}).kind == Kind::Done);
        m_kube.remove(pod);
        Json quota = object("v1", "ResourceQuota", "full", {{"hard", {{"pods", "0"}}}});
        quota["status"] = {{"hard", {{"pods", "0"}}}, {"used", {{"pods", "0"}}}};
        m_kube.put(quota);
        ports::WriteOutcome outcome;
        QVERIFY(QTest::qWaitFor(
            [&] {
                outcome = target->undo(*state, mark(*state), state->manifest, {});
                return outcome.kind != Kind::Done || m_kube.remove(pod) != 200;
            },
            30000));
        QCOMPARE(m_kube.remove(quota), 200);
        QVERIFY2(outcome.kind == Kind::Refused, outcome.text.c_str());
        QVERIFY2(outcome.text.find("exceeded quota: full") != std::string::npos, outcome.text.c_str());
    }

    // An operator of before there was a suspend: strict servers say so, others drop the field.
    void aFieldThatTheKindLacksIsNoStop()
    {
        const Json top = m_kube.put(object("kubeflow.org/v1", "TFJob", "old", {{"runPolicy", Json::object()}}));
        const RealTarget target(m_kube);
        const auto state = target->find(holder(putOwned("old-a", top)), {});
        QVERIFY(state && !state->obstacle);
        const auto strict = target->stop(*state, mark(*state), {});
        QVERIFY2(strict.kind == Kind::Refused, strict.text.c_str());
        QVERIFY2(strict.text.find("unknown field") != std::string::npos, strict.text.c_str());
        target.between->before = [](http::Request &request) {
            if (const auto at = request.url.find("&fieldValidation=Strict"); at != std::string::npos)
                request.url.erase(at, std::string("&fieldValidation=Strict").size());
        };
        QVERIFY(target->rehearse(*state, mark(*state), {})->kind == Rehearsed::Refused);
        const auto dropped = target->stop(*state, mark(*state), {});
        QVERIFY2(dropped.kind == Kind::Refused, dropped.text.c_str());
        QVERIFY2(dropped.text.find("dropped the field") != std::string::npos, dropped.text.c_str());
        const Json now = m_kube.get(top);
        QVERIFY2(!now["spec"]["runPolicy"].contains("suspend") && !now["metadata"].contains("annotations"),
                 now.dump().c_str());
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

    // The priority of its class is worked out anew: what the old pod had would be refused.
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

    // Who may not evict deletes; a rehearsal in the query alone would have deleted.
    void deletesABarePodAfterARehearsal()
    {
        const Json pod = putBare("doomed");
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

    void budgetsHoldAnEvictionBack()
    {
        const Json pod = putBare("guarded");
        putBudget("one", "guarded");
        const RealTarget target(m_kube);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && !state->obstacle);
        QVERIFY(std::any_of(state->cautions.begin(), state->cautions.end(), [](const model::Caution &one) {
            return one.kind == model::Caution::Kind::DisruptionBudget;
        }));
        const auto rehearsed = target->rehearse(*state, mark(*state), {});
        QVERIFY(rehearsed && rehearsed->kind == Rehearsed::Refused);
        const auto held = target->stop(*state, mark(*state), {});
        QVERIFY2(held.kind == Kind::TryLater, held.text.c_str());
        QVERIFY2(held.text.find("disruption budget") != std::string::npos, held.text.c_str());
        putBudget("two", "guarded");
        const auto both = target->stop(*state, mark(*state), {});
        QVERIFY2(both.kind == Kind::Refused, both.text.c_str());
        QVERIFY2(both.text.find("more than one") != std::string::npos, both.text.c_str());
        QVERIFY(!m_kube.get(pod)["metadata"].contains("deletionTimestamp"));
    }
};

QTEST_GUILESS_MAIN(TestRealStops)
#include "tst_realstops.moc"
