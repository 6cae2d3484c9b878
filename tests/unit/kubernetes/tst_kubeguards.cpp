// SPDX-License-Identifier: GPL-3.0-or-later
#include "kubetest.h"
#include "tests/support/suite.h"

#include <QElapsedTimer>
#include <QTest>

#include <thread>

namespace tst_kubeguards {

using namespace gpuledger;
using namespace gpuledger::tests;
using Kind = ports::WriteOutcome::Kind;
using Obstacle = model::Obstacle::Kind;
using Caution = model::Caution::Kind;

// Objects that must not be stopped, objects that changed meanwhile, and refusals by the platform.
class TestKubeGuards : public QObject {
    Q_OBJECT

private:
    Json putDeployment(int replicas = 2)
    {
        const Json deployment = m_server.put(object("apps/v1", "Deployment", "serve", {{"replicas", replicas}}));
        const Json set = m_server.put(object("apps/v1", "ReplicaSet", "serve-1", {{"replicas", replicas}}, deployment));
        return m_server.put(gpuPod("serve-1-a", set));
    }
    Json replicas() { return m_server.object("apps", "deployments", "serve")["spec"]["replicas"]; }
    // What `find` reports about a pod; a missing obstacle fails the test that compares it.
    std::optional<Obstacle> obstacleOf(const Json &pod)
    {
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        if (!state)
            QTest::qFail(state.error().text.c_str(), __FILE__, __LINE__);
        return state && state->obstacle ? std::optional(state->obstacle->kind) : std::nullopt;
    }
    bool hasCaution(const model::TargetState &state, Caution kind)
    {
        return std::any_of(state.cautions.begin(), state.cautions.end(),
                           [&](const auto &one) { return one.kind == kind; });
    }

    KubeServer m_server;
    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() { m_server.steer("reset"); }

    // The connection test names each missing right, and changes nothing.
    void tellsItsRights()
    {
        const TargetAt target(m_server, m_folder);
        const auto all = target->probe({});
        QVERIFY2(all, all ? "" : all.error().text.c_str());
        QVERIFY(all->usable && all->product.starts_with("Kubernetes"));
        const auto named = [](const ports::ProbeReport &report, ports::FindingText text, const char *right) {
            return std::any_of(report.findings.begin(), report.findings.end(), [&](const ports::Finding &one) {
                return one.text == text && std::get<std::string>(one.terms.front()).find(right) != std::string::npos;
            });
        };
        QVERIFY(named(*all, ports::FindingText::RightGiven, "patch deployments.apps/scale"));
        m_server.flag("denied", {"patch deployments/scale.apps"});
        const auto less = target->probe({});
        QVERIFY(less && less->usable);
        QVERIFY(named(*less, ports::FindingText::RightMissing, "patch deployments.apps/scale"));
        QVERIFY(named(*all, ports::FindingText::RightGiven, "list workloads.kueue.x-k8s.io"));
        m_server.flag("denied", {"list nodes"}); // less is known about waiting jobs
        const auto roomless = target->probe({});
        QVERIFY(roomless && roomless->usable);
        QVERIFY(named(*roomless, ports::FindingText::RightMissing, "list nodes"));
        // Read rights suffice to report waiting jobs.
        m_server.flag("denied",
                      {"patch deployments/scale.apps", "patch statefulsets/scale.apps", "patch jobs.batch",
                       "delete pods", "create pods"});
        m_server.flag("missing", {"kueue.x-k8s.io"});
        const auto reader = target->probe({});
        QVERIFY(reader && reader->usable && !named(*reader, ports::FindingText::RightGiven, "kueue"));
        m_server.flag("denied", {"get pods"});
        const auto blind = target->probe({});
        QVERIFY(blind && !blind->usable);
        for (const char *method : {"PUT", "PATCH", "DELETE"})
            QVERIFY(m_server.requests(method).empty());
    }

    void refusesWhatIsNeverStopped()
    {
        const Json daemon = m_server.put(object("apps/v1", "DaemonSet", "agent"));
        QVERIFY(obstacleOf(m_server.put(gpuPod("agent-a", daemon))) == Obstacle::NeverStopped);
        Json node{{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", "node-1"}}}};
        node = m_server.put(node);
        Json fixed = gpuPod("static-node-1", node);
        // A node has no namespace, unlike its pods.
        QVERIFY(obstacleOf(m_server.put(fixed)) == Obstacle::NeverStopped);
        const Json flow = m_server.put(object("argoproj.io/v1alpha1", "Workflow", "flow"));
        QVERIFY(obstacleOf(m_server.put(gpuPod("flow-a", flow))) == Obstacle::UnknownKind);
        const Json knative = m_server.put(object("serving.knative.dev/v1", "Service", "plain"));
        QVERIFY(obstacleOf(m_server.put(gpuPod("plain-a", knative))) == Obstacle::UnknownKind);
    }

    void refusesAStatefulSetThatWouldLoseItsVolumes()
    {
        const Json set = m_server.put(
            object("apps/v1", "StatefulSet", "db",
                   {{"replicas", 1}, {"persistentVolumeClaimRetentionPolicy", {{"whenScaled", "Delete"}}}}));
        QVERIFY(obstacleOf(m_server.put(gpuPod("db-0", set))) == Obstacle::LosesVolumes);
    }

    void refusesRayJobsThatCannotBeSuspended()
    {
        const Json kept = m_server.put(object("ray.io/v1", "RayJob", "kept"));
        QVERIFY(obstacleOf(m_server.put(gpuPod("kept-a", kept))) == Obstacle::Other);
        const Json chosen = m_server.put(
            object("ray.io/v1", "RayJob", "chosen",
                   {{"shutdownAfterJobFinishes", true}, {"clusterSelector", {{"ray.io/cluster", "shared"}}}}));
        QVERIFY(obstacleOf(m_server.put(gpuPod("chosen-a", chosen))) == Obstacle::Other);
    }

    void refusesWhatIsFinishedStoppedOrManagedElsewhere()
    {
        Json done = object("batch/v1", "Job", "done");
        done["status"] = {{"conditions", {{{"type", "Complete"}, {"status", "True"}}}}};
        done = m_server.put(done);
        QVERIFY(obstacleOf(m_server.put(gpuPod("done-a", done))) == Obstacle::Finished);
        m_server.flag("keepPods", true);
        const Json off = m_server.put(object("batch/v1", "Job", "off", {{"suspend", true}}));
        QVERIFY(obstacleOf(m_server.put(gpuPod("off-a", off))) == Obstacle::AlreadyStopped);
        const Json remote =
            m_server.put(object("batch/v1", "Job", "remote", {{"managedBy", "kueue.x-k8s.io/multikueue"}}));
        QVERIFY(obstacleOf(m_server.put(gpuPod("remote-a", remote))) == Obstacle::ManagedElsewhere);
        const Json own =
            m_server.put(object("batch/v1", "Job", "own", {{"managedBy", "kubernetes.io/job-controller"}}));
        QVERIFY(!obstacleOf(m_server.put(gpuPod("own-a", own))));
    }

    // If a parent was replaced, is gone, or may not be read, its child is not stopped in its place.
    void doesNotActBelowAnOwnerThatItCannotSee()
    {
        const Json pod = putDeployment();
        m_server.flag("denied", {"get deployments.apps"});
        QVERIFY(obstacleOf(pod) == Obstacle::BrokenChain);
        m_server.flag("denied", Json::array());
        Json other = object("apps/v1", "Deployment", "serve", {{"replicas", 2}});
        other["metadata"]["uid"] = "another-uid";
        m_server.put(other);
        QVERIFY(obstacleOf(pod) == Obstacle::BrokenChain);
        m_server.steer("delete", {"apps", "deployments", "ml", "serve"});
        QVERIFY(obstacleOf(pod) == Obstacle::BrokenChain);
        m_server.flag("missing", {"Deployment"});
        QVERIFY(obstacleOf(pod) == Obstacle::BrokenChain);
    }

    void aPodOfTheSameNameIsAnotherPod()
    {
        const Json pod = putDeployment();
        auto asked = holder(pod);
        asked.uid = "old-uid";
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(asked, {});
        QVERIFY(!state && state.error().code == base::ErrorCode::NotFound);
        asked = holder(pod);
        asked.cluster = "elsewhere";
        QVERIFY(!target->find(asked, {}));
        asked = holder(pod);
        asked.node = "node-9";
        QVERIFY(!target->find(asked, {}));
    }

    // With any change between check and call, nothing is stopped.
    void stopsNothingThatChangedSince_data()
    {
        QTest::addColumn<QString>("change");
        for (const char *change : {"scaled", "replaced", "protected", "owned"})
            QTest::newRow(change) << QString::fromLatin1(change);
    }
    void stopsNothingThatChangedSince()
    {
        QFETCH(QString, change);
        const Json pod = putDeployment();
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && !state->obstacle);
        Json now = m_server.object("apps", "deployments", "serve");
        if (change == QLatin1String("scaled"))
            now["spec"]["replicas"] = 5;
        else if (change == QLatin1String("replaced"))
            now["metadata"]["uid"] = "another-uid";
        else if (change == QLatin1String("protected"))
            now["metadata"]["annotations"] = {{"gpu-ledger.io/protect", "true"}};
        else
            now["metadata"]["ownerReferences"] = {{{"kind", "App"}, {"uid", "x"}}};
        const Json wanted = now["spec"]["replicas"];
        m_server.put(now);
        const auto outcome = target->stop(*state, mark(*state), {});
        QVERIFY2(outcome.kind == Kind::Changed || outcome.kind == Kind::Gone, outcome.text.c_str());
        QVERIFY(replicas() == wanted);
        // The call itself carries the precondition, in addition to the read before it.
        m_server.requests();
        const auto again = target->find(holder(pod), {});
        if (again && !again->obstacle) {
            QVERIFY(target->stop(*again, mark(*again), {}).kind == Kind::Done);
            const auto sent = m_server.requests("PATCH");
            QCOMPARE(sent.size(), std::size_t{1});
            const Json operations = Json::parse(sent.front()["body"].get<std::string>());
            const Json first{{"op", "test"}, {"path", "/metadata/uid"}, {"value", again->ref.uid}};
            QVERIFY(operations[0] == first);
            QCOMPARE(operations[1]["path"].get<std::string>(), std::string("/metadata/resourceVersion"));
            QCOMPARE(operations[2]["path"].get<std::string>(), std::string("/spec/replicas"));
            QVERIFY(sent.front()["path"].get<std::string>().find("fieldManager=gpu-ledger&fieldValidation=Strict")
                    != std::string::npos);
        }
    }

    void refusesToUndoWhatSomebodyElseChanged()
    {
        const Json pod = putDeployment();
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state);
        QVERIFY(target->stop(*state, mark(*state), {}).kind == Kind::Done);
        const auto stopped = target->read(state->ref, {});
        QVERIFY(stopped);
        Json now = m_server.object("apps", "deployments", "serve");
        now["spec"]["replicas"] = 1;
        m_server.put(now);
        QVERIFY(target->undo(*stopped, mark(*state), {}, {}).kind == Kind::Changed);
        const auto read = target->read(state->ref, {});
        QVERIFY(read && !read->isStopped);
        QVERIFY(target->undo(*read, mark(*state), {}, {}).kind == Kind::Changed);
        QVERIFY(replicas() == Json(1));
    }

    void saysWhatThePlatformSays_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("kind");
        const auto row = [](int status, Kind kind) {
            QTest::newRow(std::to_string(status).c_str()) << status << static_cast<int>(kind);
        };
        row(400, Kind::Refused);
        row(403, Kind::Refused);
        row(404, Kind::Gone);
        row(409, Kind::Changed);
        row(410, Kind::Changed);
        row(415, Kind::Refused);
        row(422, Kind::Changed);
        row(429, Kind::TryLater);
        row(500, Kind::Unknown);
        row(503, Kind::Unknown);
        row(504, Kind::Unknown);
    }
    void saysWhatThePlatformSays()
    {
        QFETCH(int, status);
        QFETCH(int, kind);
        const Json pod = putDeployment();
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state);
        m_server.flag("faults", {{{"method", "PATCH"}, {"path", "deployments"}, {"do", status}}});
        m_server.requests();
        const auto outcome = target->stop(*state, mark(*state), {});
        QCOMPARE(static_cast<int>(outcome.kind), kind);
        QVERIFY(outcome.text.find("a planned failure") != std::string::npos);
        QVERIFY(status != 429 || outcome.retryAfter == base::Seconds(7));
        QCOMPARE(m_server.requests("PATCH").size(), std::size_t{1}); // never sent twice
        QVERIFY(replicas() == Json(2));
    }

    // It was carried out, but the answer was lost: only a read clarifies, and nothing is sent again.
    void aLostAnswerIsUnknown()
    {
        const Json pod = putDeployment();
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state);
        m_server.flag("faults", {{{"method", "PATCH"}, {"path", "deployments"}, {"do", "lost"}}});
        m_server.requests();
        QVERIFY(target->stop(*state, mark(*state), {}).kind == Kind::Unknown);
        QCOMPARE(m_server.requests("PATCH").size(), std::size_t{1});
        const auto read = target->read(state->ref, {});
        QVERIFY(read && read->isStopped && read->mark && read->mark->key == "act-1");
    }

    void aFieldThatIsDroppedIsNoStop()
    {
        const Json job =
            m_server.put(object("kubeflow.org/v1", "PyTorchJob", "train", {{"runPolicy", Json::object()}}));
        const Json pod = m_server.put(gpuPod("train-a", job));
        m_server.flag("drops", {{"PyTorchJob", "/spec/runPolicy/suspend"}});
        m_server.flag("oldServer", true);
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && !state->obstacle);
        const auto rehearsed = target->rehearse(*state, mark(*state), {});
        QVERIFY(rehearsed && rehearsed->kind == ports::Rehearsal::Kind::Refused);
        QVERIFY(target->stop(*state, mark(*state), {}).kind == Kind::Refused);
        const Json after = m_server.object("kubeflow.org", "pytorchjobs", "train");
        QVERIFY(!after["spec"]["runPolicy"].contains("suspend"));
        QVERIFY(!after["metadata"].contains("annotations") || after["metadata"]["annotations"].empty());
        m_server.flag("oldServer", false);
        const auto again = target->find(holder(pod), {});
        const auto strict = target->stop(*again, mark(*again), {});
        QVERIFY(strict.kind == Kind::Refused);
        QVERIFY(strict.text.find("strict decoding error: unknown field \"spec.runPolicy.suspend\"")
                != std::string::npos);
        QVERIFY(strict.text.find("gpu-ledger.io") == std::string::npos); // the quoted object is of no use to people
    }

    // Nothing was done, although the answer is an error 500; an error 500 inside a success is not a success either.
    void twoBudgetsAreARefusal()
    {
        const Json pod = m_server.put(gpuPod("bare"));
        const Json selector{{"selector", {{"matchLabels", {{"app", "bare"}}}}}};
        Json budget = object("policy/v1", "PodDisruptionBudget", "one", selector);
        budget["status"] = {{"disruptionsAllowed", 0}, {"desiredHealthy", 1}, {"currentHealthy", 1}};
        m_server.put(budget);
        const TargetAt target(m_server, m_folder);
        auto state = target->find(holder(pod), {});
        QVERIFY(state && hasCaution(*state, Caution::DisruptionBudget));
        const auto held = target->stop(*state, mark(*state), {});
        QVERIFY(held.kind == Kind::TryLater);
        QVERIFY(held.text.find("disruption budget") != std::string::npos);
        m_server.put(object("policy/v1", "PodDisruptionBudget", "two", selector));
        const auto both = target->stop(*state, mark(*state), {});
        QVERIFY(both.kind == Kind::Refused);
        QVERIFY(both.text.find("more than one") != std::string::npos);
        m_server.flag("faults", {{{"method", "POST"}, {"path", "eviction"}, {"do", 201}}});
        QVERIFY(target->stop(*state, mark(*state), {}).kind == Kind::Refused);
        QVERIFY(!m_server.object("", "pods", "bare")["metadata"].contains("deletionTimestamp"));
    }

    void aWebhookCanRefuseOrBeUnableToRehearse()
    {
        const Json pod = putDeployment();
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state);
        m_server.flag("webhook", "sideEffects");
        auto rehearsed = target->rehearse(*state, mark(*state), {});
        QVERIFY(rehearsed && rehearsed->kind == ports::Rehearsal::Kind::Impossible);
        m_server.flag("webhook", "refuses");
        rehearsed = target->rehearse(*state, mark(*state), {});
        QVERIFY(rehearsed && rehearsed->kind == ports::Rehearsal::Kind::Refused);
        QVERIFY(rehearsed->text.find("not on Fridays") != std::string::npos);
        QVERIFY(target->stop(*state, mark(*state), {}).kind == Kind::Refused);
        QVERIFY(replicas() == Json(2));
    }

    void warnsOfThoseWhoCouldUndoIt()
    {
        Json deployment = object("apps/v1", "Deployment", "serve", {{"replicas", 2}});
        deployment["metadata"]["annotations"] = {{"argocd.argoproj.io/tracking-id", "apps:serve"}};
        deployment = m_server.put(deployment);
        const Json set = m_server.put(object("apps/v1", "ReplicaSet", "serve-1", {{"replicas", 2}}, deployment));
        const Json pod = m_server.put(gpuPod("serve-1-a", set));
        m_server.put(
            object("autoscaling/v2", "HorizontalPodAutoscaler", "scaler",
                   {{"minReplicas", 2},
                    {"maxReplicas", 9},
                    {"scaleTargetRef", {{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"name", "serve"}}}}));
        m_server.flag("warning", "old version");
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state && !state->obstacle);
        QVERIFY(hasCaution(*state, Caution::GitOps));
        QVERIFY(hasCaution(*state, Caution::Autoscaler));
        QVERIFY(state->managers == std::vector<std::string>({"argo-cd:apps", "hpa:scaler"}));
        const auto again = target->read(state->ref, {});
        QVERIFY(again && again->managers == state->managers);
        const auto outcome = target->stop(*state, mark(*state), {});
        QVERIFY(outcome.warnings == std::vector<std::string>{"old version"});
        QVERIFY(!outcome.version.empty());
    }

    // The other controllers of an object, each with the trace that it leaves there.
    void namesItsManagers_data()
    {
        QTest::addColumn<QString>("metadata");
        QTest::addColumn<QString>("manager"); // empty: none
        const auto row = [](const char *name, const char *metadata, const char *manager) {
            QTest::newRow(name) << QString::fromLatin1(metadata) << QString::fromLatin1(manager);
        };
        row("argo, annotation",
            R"({"annotations": {"argocd.argoproj.io/tracking-id": "web:apps/Deployment:ml/serve"}})", "argo-cd:web");
        row("argo, label", R"({"labels": {"argocd.argoproj.io/instance": "web"}})", "argo-cd:web");
        row("argo, by its field manager", R"({"labels": {"app.kubernetes.io/instance": "web"}, "managedFields":
            [{"manager": "argocd-controller", "operation": "Update", "fieldsV1": {"f:metadata": {}}}]})",
            "argo-cd:web");
        row("argo, name unknown", R"({"managedFields": [{"manager": "argocd-controller", "operation": "Apply"}]})",
            "argo-cd");
        row("flux", R"({"labels": {"kustomize.toolkit.fluxcd.io/name": "apps"}})", "flux:apps");
        row("flux, helm", R"({"labels": {"helm.toolkit.fluxcd.io/name": "web"}})", "flux:web");
        row("flux, by its field manager",
            R"({"managedFields": [{"manager": "kustomize-controller", "operation": "Apply"}]})", "flux");
        row("helm by hand",
            R"({"annotations": {"meta.helm.sh/release-name": "web"}, "labels": {"app.kubernetes.io/managed-by": "Helm"}})",
            "");
        row("applied by hand", R"({"managedFields": [{"manager": "kubectl", "operation": "Apply", "fieldsV1":
            {"f:spec": {"f:replicas": {}}}}]})",
            "");
    }
    void namesItsManagers()
    {
        QFETCH(QString, metadata);
        QFETCH(QString, manager);
        Json whole = object("apps/v1", "Deployment", "serve", {{"replicas", 2}});
        whole["metadata"].update(Json::parse(metadata.toStdString()));
        whole = m_server.put(whole);
        const Json set = m_server.put(object("apps/v1", "ReplicaSet", "serve-1", {{"replicas", 2}}, whole));
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(m_server.put(gpuPod("serve-1-a", set))), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        const auto wanted = manager.isEmpty() ? std::vector<std::string>() : std::vector{manager.toStdString()};
        QVERIFY2(state->managers == wanted, state->managers.empty() ? "none" : state->managers.front().c_str());
        QVERIFY(target->read(state->ref, {})->managers == wanted);
    }

    // Where the mark is, and its kind: at a pod, at one of its owners, at the namespace.
    void aProtectMarkIsToldByItsPlace_data()
    {
        QTest::addColumn<QString>("at");
        QTest::addColumn<QString>("map");
        QTest::addColumn<QString>("object");
        for (const char *map : {"labels", "annotations"}) {
            const QByteArray name(map);
            QTest::addRow("job, %s", map)
                << QStringLiteral("job") << QString::fromLatin1(map) << QStringLiteral("Job ml/run");
            QTest::addRow("pod, %s", map)
                << QStringLiteral("pod") << QString::fromLatin1(map) << QStringLiteral("Pod ml/run-a");
            QTest::addRow("other pod, %s", map)
                << QStringLiteral("other") << QString::fromLatin1(map) << QStringLiteral("Pod ml/run-b");
            QTest::addRow("namespace, %s", map)
                << QStringLiteral("space") << QString::fromLatin1(map) << QStringLiteral("Namespace ml");
        }
    }
    void aProtectMarkIsToldByItsPlace()
    {
        QFETCH(QString, at);
        QFETCH(QString, map);
        QFETCH(QString, object);
        for (const char *name : {"gpu-ledger.io/protect", "gpuledger.io/protect"}) {
            m_server.steer("reset");
            const auto put = [&](const char *where, Json one) {
                if (at == QLatin1String(where))
                    one["metadata"][map.toStdString()][name] = "true";
                return m_server.put(one);
            };
            put("space", {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "ml"}}}});
            const Json job = put("job", tests::object("batch/v1", "Job", "run"));
            const Json pod = put("pod", gpuPod("run-a", job));
            put("other", gpuPod("run-b", job));
            const TargetAt target(m_server, m_folder);
            const auto state = target->find(holder(pod), {});
            QVERIFY2(state && state->protectedBy, name);
            QCOMPARE(QString::fromStdString(state->protectedBy->object), object);
            using Place = model::ProtectMark::Place;
            QVERIFY(state->protectedBy->place == (map == QLatin1String("labels") ? Place::Label : Place::Annotation));
            const auto read = target->read(state->ref, {});
            QVERIFY(read && read->protectedBy && read->protectedBy->object == state->protectedBy->object);
        }
    }

    void listsManyPodsPageByPage()
    {
        const Json job = m_server.put(object("batch/v1", "Job", "wide"));
        Json first;
        for (int i = 0; i < 260; ++i) {
            const Json pod = m_server.put(gpuPod(("wide-" + std::to_string(i)).c_str(), job));
            first = i == 0 ? pod : first;
        }
        const TargetAt target(m_server, m_folder);
        m_server.requests();
        const auto state = target->find(holder(first), {});
        QVERIFY(state);
        QCOMPARE(state->holders.size(), std::size_t{260});
        int pages = 0;
        for (const Json &one : m_server.requests("GET"))
            pages += one["path"].get<std::string>().find("/pods?limit=") != std::string::npos ? 1 : 0;
        QCOMPARE(pages, 2);
    }

    // Finding one object's holders in a crowded namespace: with lists, and if those are forbidden, one by one.
    void aCrowdedNamespaceCostsNoMoreCalls()
    {
        const auto crowd = [&](int from, int to) {
            Json pod;
            for (int i = from; i < to; ++i) {
                const std::string name = "w" + std::to_string(i);
                const Json whole = m_server.put(object("apps/v1", "Deployment", name.c_str(), {{"replicas", 1}}));
                Json set = object("apps/v1", "ReplicaSet", (name + "-1").c_str(), {{"replicas", 1}}, whole);
                if (i == 1)
                    set["metadata"]["labels"] = {{"gpu-ledger.io/protect", "true"}};
                set = m_server.put(set);
                const Json last = m_server.put(gpuPod((name + "-1-a").c_str(), set));
                pod = i == from ? last : pod;
            }
            return pod;
        };
        const Json first = crowd(0, 6);
        const Json set = m_server.object("apps", "replicasets", "w0-1");
        const Json twin = m_server.put(gpuPod("w0-1-b", set));
        const TargetAt target(m_server, m_folder);
        const auto callsToFind = [&](const Json &pod) {
            m_server.requests();
            const auto state = target->find(holder(pod), {});
            QTest::qCompare(bool(state), true, "found", "true", __FILE__, __LINE__);
            std::set<std::string> names;
            for (const model::HolderKey &one : state ? state->holders : std::vector<model::HolderKey>())
                names.insert(one.name);
            QTest::qCompare(names == std::set<std::string>({"w0-1-a", "w0-1-b"}), true, "holders", "two", __FILE__,
                            __LINE__);
            QTest::qCompare(state && !state->protectedBy, true, "protected", "no", __FILE__, __LINE__);
            return m_server.requests().size();
        };
        callsToFind(first); // including the discovery of kinds
        const std::size_t few = callsToFind(first);
        crowd(6, 60);
        QCOMPARE(callsToFind(first), few);
        QCOMPARE(callsToFind(twin), few);
        const auto other = target->find(holder(m_server.object("", "pods", "w1-1-a")), {});
        QVERIFY(other);
        QVERIFY(other->protectedBy);
        m_server.flag("denied", {"list replicasets.apps"});
        QVERIFY(callsToFind(first) > few + 50);
    }

    // The server repeats what it was sent; nevertheless no text may contain the token.
    void noTextHasTheToken()
    {
        const Json pod = putDeployment();
        m_server.flag("tokens", {"another"});
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(!state && state.error().code == base::ErrorCode::Unauthorized);
        QVERIFY(state.error().text.find("Unauthorized") != std::string::npos);
        QVERIFY((state.error().text + state.error().hint).find("canary") == std::string::npos);
        QVERIFY(m_server.requests("GET").front()["auth"].get<std::string>().find("canary") != std::string::npos);
    }

    void endsWhenAsked()
    {
        const Json pod = putDeployment();
        const TargetAt target(m_server, m_folder);
        std::stop_source stop;
        stop.request_stop();
        QElapsedTimer timer;
        timer.start();
        const auto state = target->find(holder(pod), stop.get_token());
        QVERIFY(!state && state.error().code == base::ErrorCode::Cancelled);
        QVERIFY(timer.elapsed() < 500);
    }
};

GPULEDGER_SUITE(TestKubeGuards)

} // namespace tst_kubeguards

#include "tst_kubeguards.moc"
