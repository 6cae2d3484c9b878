// SPDX-License-Identifier: GPL-3.0-or-later
#include "realkube.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_realguards {

using namespace gpuledger;
using namespace gpuledger::tests;
using Kind = ports::WriteOutcome::Kind;
using Rehearsed = ports::Rehearsal::Kind;
using model::StopVerb;

// The refusals of kube-apiserver with etcd, and what it reveals about controllers that could undo a stop.
class TestRealGuards : public QObject {
    Q_OBJECT

private:
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
        const Json runs{{"type", "object"},
                        {"properties", {{"runPolicy", {{"type", "object"}, {"properties", Json::object()}}}}}};
        m_kube.install(definition("kubeflow.org", "v1", "tfjobs", "TFJob", runs)); // of a version without suspend
        m_kube.allow("viewer",
                     Json::array({rule("", {"pods"}, {"get", "list"}),
                                  rule("apps", {"deployments", "replicasets"}, {"get", "list"})}));
        m_kube.allow("actor",
                     Json::array({rule("", {"pods"}, {"get", "list", "delete"}),
                                  rule("apps", {"deployments", "replicasets"}, {"get", "list"}),
                                  rule("apps", {"deployments/scale"}, {"patch"})}));
    }

    // Server-side apply and an autoscaler leave their traces as the server writes them.
    void warnsOfThoseWhoCouldUndoIt()
    {
        const Json wanted = deployment("kept", 2);
        const auto applied =
            m_kube.ask("PATCH", m_kube.path(wanted) + "?fieldManager=keeper", wanted, "application/apply-patch+yaml");
        QVERIFY2(applied.status == 201, applied.body.dump().c_str());
        m_kube.put(object("autoscaling/v2", "HorizontalPodAutoscaler", "scaler",
                          {{"minReplicas", 2},
                           {"maxReplicas", 9},
                           {"scaleTargetRef", {{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"name", "kept"}}}}));
        const auto state = RealTarget(m_kube)->find(holder(m_kube.putOwned("kept-a", applied.body)), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        const auto says = [&](model::Caution::Kind kind, const char *what) {
            return std::any_of(state->cautions.begin(), state->cautions.end(), [&](const model::Caution &one) {
                return one.kind == kind && one.text.find(what) != std::string::npos;
            });
        };
        QVERIFY(says(model::Caution::Kind::GitOps, "keeper"));
        QVERIFY(says(model::Caution::Kind::Autoscaler, "scaler scales it between 2 and 9"));
        // A person who applied it by hand is not a manager.
        QVERIFY(state->managers == std::vector<std::string>{"hpa:scaler"});
    }

    // Each controller writes to a real server, which maintains the field managers itself.
    void namesThoseWhoManageIt_data()
    {
        QTest::addColumn<QByteArray>("fieldManager");
        QTest::addColumn<QByteArray>("metadata");
        QTest::addColumn<QByteArray>("manager");
        QTest::newRow("argo") << QByteArray("argocd-controller")
                              << QByteArray(R"({"annotations": {"argocd.argoproj.io/tracking-id":
                                             "web:apps/Deployment:ml/by-argo"}})")
                              << QByteArray("argo-cd:web");
        QTest::newRow("argo-field") << QByteArray("argocd-controller")
                                    << QByteArray(R"({"labels": {"app.kubernetes.io/instance": "web"}})")
                                    << QByteArray("argo-cd:web");
        QTest::newRow("flux") << QByteArray("kustomize-controller")
                              << QByteArray(R"({"labels": {"kustomize.toolkit.fluxcd.io/name": "apps"}})")
                              << QByteArray("flux:apps");
        QTest::newRow("flux-field") << QByteArray("kustomize-controller") << QByteArray("{}") << QByteArray("flux");
        QTest::newRow("by-hand") << QByteArray("kubectl") << QByteArray("{}") << QByteArray();
    }
    void namesThoseWhoManageIt()
    {
        QFETCH(QByteArray, fieldManager);
        QFETCH(QByteArray, metadata);
        QFETCH(QByteArray, manager);
        const std::string name = std::string("by-") + QTest::currentDataTag();
        Json wanted = deployment(name.c_str(), 2);
        wanted["metadata"].update(Json::parse(metadata.toStdString()));
        const auto applied = m_kube.ask("PATCH", m_kube.path(wanted) + "?fieldManager=" + fieldManager.toStdString(),
                                        wanted, "application/apply-patch+yaml");
        QVERIFY2(applied.status == 201, applied.body.dump().c_str());
        const RealTarget target(m_kube);
        const auto state = target->find(holder(m_kube.putOwned((name + "-a").c_str(), applied.body)), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        const auto expected = manager.isEmpty() ? std::vector<std::string>() : std::vector{manager.toStdString()};
        QVERIFY2(state->managers == expected, state->managers.empty() ? "none" : state->managers.front().c_str());
        QVERIFY(target->read(state->ref, {})->managers == expected);
    }

    // KEDA in the cluster: it has to be named if it is active, but not if it is paused.
    void namesKeda()
    {
        m_kube.install(definition("keda.sh", "v1alpha1", "scaledobjects", "ScaledObject"));
        const Json top = m_kube.put(deployment("flexible", 1));
        const Json pod = m_kube.putOwned("flexible-a", top);
        const Json scaler = m_kube.put(
            object("keda.sh/v1alpha1", "ScaledObject", "stretch", {{"scaleTargetRef", {{"name", "flexible"}}}}));
        const RealTarget target(m_kube);
        auto state = target->find(holder(pod), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        QVERIFY(state->managers == std::vector<std::string>{"keda:stretch"});
        QCOMPARE(m_kube.merge(scaler, {{"metadata", {{"annotations", {{"autoscaling.keda.sh/paused", "true"}}}}}}),
                 200);
        state = target->find(holder(pod), {});
        QVERIFY(state && state->managers.empty() && state->ref.kind == "Deployment");
        QCOMPARE(m_kube.remove(scaler), 200);
    }

    void tellsProtectMarksByTheirPlace()
    {
        const Json top = m_kube.put(deployment("kept-back", 1));
        const Json pod = m_kube.putOwned("kept-back-a", top);
        const RealTarget target(m_kube);
        using Place = model::ProtectMark::Place;
        QVERIFY(!target->find(holder(pod), {})->protectedBy);
        for (const char *map : {"annotations", "labels"}) {
            QCOMPARE(m_kube.merge(top, {{"metadata", {{map, {{"gpu-ledger.io/protect", "true"}}}}}}), 200);
            const auto state = target->find(holder(pod), {});
            QVERIFY(state && state->protectedBy);
            QVERIFY(state->protectedBy->place == (std::string(map) == "labels" ? Place::Label : Place::Annotation));
            QCOMPARE(state->protectedBy->object, std::string("Deployment ml/kept-back"));
        }
    }

    void notesAPlannedStop()
    {
        const Json top = m_kube.put(deployment("planned", 1));
        const Json pod = m_kube.putOwned("planned-a", top);
        const RealTarget target(m_kube);
        const auto state = target->find(holder(pod), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        const std::optional notice{model::StopNotice{base::fromUnix(1'800'000'000), "alert idle-cost: too much"}};
        const auto noted = target->announce(*state, notice, {});
        QVERIFY2(noted.kind == Kind::Done, noted.text.c_str());
        QVERIFY(target->announce(*state, notice, {}).kind == Kind::Changed); // another version by now
        QCOMPARE(m_kube.get(top)["metadata"]["annotations"].value(model::kStopAtNote, ""),
                 std::string("2027-01-15T08:00:00Z"));
        QCOMPARE(m_kube.merge(top, {{"metadata", {{"annotations", {{model::kKeepUntil, "2999-01-01"}}}}}}), 200);
        const auto kept = target->find(holder(pod), {});
        QVERIFY(kept && kept->protectedBy);
        const auto removed = target->announce(*kept, std::nullopt, {});
        QVERIFY2(removed.kind == Kind::Done, removed.text.c_str());
        const Json annotations = m_kube.get(top)["metadata"]["annotations"];
        QVERIFY(!annotations.contains(model::kStopAtNote) && !annotations.contains(model::kStopReasonNote));
        QVERIFY(annotations.contains(model::kKeepUntil));
    }

    void refusesWhatIsNeverStopped()
    {
        Json node{{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", "node-1"}}}};
        node = m_kube.put(node);
        const RealTarget target(m_kube);
        auto state = target->find(holder(m_kube.putOwned("static-node-1", node)), {});
        QVERIFY(state && state->obstacle && state->obstacle->kind == model::Obstacle::Kind::NeverStopped);
        const Json volatileSet =
            m_kube.put(object("apps/v1", "StatefulSet", "volatile",
                              {{"replicas", 1},
                               {"serviceName", "v"},
                               {"persistentVolumeClaimRetentionPolicy", {{"whenScaled", "Delete"}}},
                               {"selector", {{"matchLabels", kTrainLabels}}},
                               {"template", podTemplate()}}));
        state = target->find(holder(m_kube.putOwned("volatile-0", volatileSet)), {});
        QVERIFY(state && state->obstacle && state->obstacle->kind == model::Obstacle::Kind::LosesVolumes);
        const Json remote = m_kube.put([] {
            Json out = job("remote");
            out["spec"]["managedBy"] = "kueue.x-k8s.io/multikueue";
            return out;
        }());
        state = target->find(holder(m_kube.putOwned("remote-a", remote)), {});
        QVERIFY(state && state->obstacle && state->obstacle->kind == model::Obstacle::Kind::ManagedElsewhere);
    }

    // Users with the right to scale use the subresource; users without any right get to know what is missing.
    void usesTheRightsThatThereAre()
    {
        const Json top = m_kube.put(deployment("rights", 3));
        const Json pod = m_kube.putOwned("rights-a", top);
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
        const auto unseen = viewer->find(holder(m_kube.putOwned("unseen-a", run)), {});
        QVERIFY(unseen && unseen->obstacle && unseen->obstacle->kind == model::Obstacle::Kind::BrokenChain);
        QVERIFY2(unseen->obstacle->text.find("forbidden") != std::string::npos, unseen->obstacle->text.c_str());
    }

    // Only the minimal roles: find, query, rehearse, stop and undo. Every read is answered.
    void theLeastRightsAreEnough()
    {
        const Json read{"get", "list"};
        m_kube.allow(
            "ana",
            Json::array({rule("", {"pods", "nodes", "namespaces"}, read),
                         rule("apps", {"deployments", "replicasets", "statefulsets", "daemonsets"}, read),
                         rule("batch", {"jobs", "cronjobs"}, read), rule("policy", {"poddisruptionbudgets"}, read),
                         rule("autoscaling", {"horizontalpodautoscalers"}, read),
                         rule("keda.sh", {"scaledobjects"}, read)}), // this cluster has KEDA
            "ClusterRole");
        m_kube.allow("ana",
                     Json::array({rule("apps", {"deployments/scale", "statefulsets/scale"}, {"patch", "update"}),
                                  rule("batch", {"jobs", "cronjobs"}, {"patch"}),
                                  rule("", {"pods/eviction"}, {"create"}), rule("", {"pods"}, {"delete", "create"})}));
        const Json service = m_kube.put(deployment("least", 2)), run = m_kube.put(job("least"));
        const RealTarget target(m_kube, "{token: admin-canary, act-as: ana}");
        for (const Json &pod :
             {m_kube.putOwned("least-a", service), m_kube.putOwned("least-b", run), m_kube.putBare("least")}) {
            const std::string name = pod["metadata"]["name"];
            const auto state = target->find(holder(pod), {});
            QVERIFY2(state, state ? "" : state.error().text.c_str());
            QVERIFY2(!state->obstacle && state->cautions.empty(), name.c_str());
            for (const bool undo : {false, true}) {
                const auto allowed = target->permission(*state, undo, {});
                QVERIFY2(allowed && allowed->isAllowed, name.c_str());
            }
            const auto rehearsed = target->rehearse(*state, mark(*state), {});
            QVERIFY2(rehearsed && rehearsed->kind == Rehearsed::Accepted, name.c_str());
            QCOMPARE(target->stop(*state, mark(*state), {}).text, std::string());
            m_kube.remove(pod);
            auto after = target->read(state->ref, {});
            QVERIFY2(after || name == "least", name.c_str());
            const auto undone = target->undo(after ? *after : *state, mark(*state), state->manifest, {});
            QCOMPARE(undone.text, std::string());
        }
        QVERIFY(m_kube.get(service)["spec"]["replicas"] == Json(2));
        QVERIFY(m_kube.get(run)["spec"]["suspend"] == Json(false));
    }

    // The change comes between the read and the call: the server's own test refuses it.
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
        const Json pod = m_kube.putOwned(scale ? "late-scale-a" : "late-a", top);
        const RealTarget target(m_kube, scale ? "{token: actor-canary}" : "{token: admin-canary}");
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && !state->obstacle);
        target.between->before = [&](http::Request &request) {
            if (request.method == "PATCH")
                m_kube.merge(top, {{"spec", {{"replicas", 5}}}});
        };
        const auto outcome = target->stop(*state, mark(*state), {});
        QVERIFY2(outcome.kind == Kind::Changed, outcome.text.c_str());
        QVERIFY2(outcome.text.find("changed after it was checked") != std::string::npos, outcome.text.c_str());
        QVERIFY(m_kube.get(top)["spec"]["replicas"] == Json(5));
    }

    // A value that the kind's own rules reject is not reported as a change by others.
    void aRuleOfTheKindIsARefusal()
    {
        Json spec = boolean("suspend");
        spec["x-kubernetes-validations"] =
            Json::array({{{"rule", "!(has(self.suspend) && self.suspend)"}, {"message", "may not be suspended here"}}});
        m_kube.install(definition("ray.io", "v1", "rayservices", "RayService", spec));
        const Json top = m_kube.put(object("ray.io/v1", "RayService", "ruled"));
        const RealTarget target(m_kube);
        const auto state = target->find(holder(m_kube.putOwned("ruled-a", top)), {});
        QVERIFY(state && !state->obstacle);
        const auto outcome = target->stop(*state, mark(*state), {});
        QVERIFY2(outcome.text.find("may not be suspended here") != std::string::npos, outcome.text.c_str());
        QVERIFY2(outcome.kind == Kind::Refused, outcome.text.c_str());
    }

    // A policy of the cluster answers with the code of a failed test (422), but is not one.
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
        QVERIFY(QTest::qWaitFor(isDenied, 30000)); // a policy takes effect after some seconds
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

    // A quota that is exhausted meanwhile prevents a deleted pod from being recreated.
    void aFullQuotaIsARefusal()
    {
        const Json pod = m_kube.putBare("counted");
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

    // An operator version without suspend: strict validation reports the field, otherwise it is dropped.
    void aFieldThatTheKindLacksIsNoStop()
    {
        const Json top = m_kube.put(object("kubeflow.org/v1", "TFJob", "old", {{"runPolicy", Json::object()}}));
        const RealTarget target(m_kube);
        const auto state = target->find(holder(m_kube.putOwned("old-a", top)), {});
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

    void budgetsHoldAnEvictionBack()
    {
        const Json pod = m_kube.putBare("guarded");
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

GPULEDGER_SUITE(TestRealGuards)

} // namespace tst_realguards

#include "tst_realguards.moc"
