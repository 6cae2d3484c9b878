// SPDX-License-Identifier: GPL-3.0-or-later
// What owners read and write at objects: notes about planned stops, and until when something is kept.
#include "kubetest.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_kubenotes {

using namespace gpuledger;
using namespace gpuledger::tests;
using Kind = ports::WriteOutcome::Kind;
using Notice = std::optional<model::StopNotice>;

class TestKubeNotes : public QObject {
    Q_OBJECT

private:
    // A Deployment with one pod, which is returned.
    Json putServing(const Json &annotations = nullptr)
    {
        Json whole = object("apps/v1", "Deployment", "serve", {{"replicas", 1}});
        if (!annotations.is_null())
            whole["metadata"]["annotations"] = annotations;
        whole = m_server.put(whole);
        return m_server.put(
            gpuPod("serve-1-a", m_server.put(object("apps/v1", "ReplicaSet", "serve-1", {{"replicas", 1}}, whole))));
    }
    Json serving() { return m_server.object("apps", "deployments", "serve"); }
    static Notice notice() { return model::StopNotice{base::fromUnix(1'800'000'000), "alert idle-cost: too much"}; }

    KubeServer m_server;
    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() { m_server.steer("reset"); }

    void notesAPlannedStop()
    {
        const Json pod = putServing({{"owner", "vision"}});
        const Json before = serving();
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state);
        const auto noted = target->announce(*state, notice(), {});
        QVERIFY2(noted.kind == Kind::Done, noted.text.c_str());
        const Json with = serving()["metadata"]["annotations"];
        QCOMPARE(with["gpu-ledger.io/stop-at"].get<std::string>(), std::string("2027-01-15T08:00:00Z"));
        QCOMPARE(with["gpu-ledger.io/stop-reason"].get<std::string>(), std::string("alert idle-cost: too much"));
        QCOMPARE(with.size(), std::size_t{3});
        QVERIFY(serving()["spec"] == before["spec"]);
        const auto after = target->read(state->ref, {});
        QVERIFY(after && after->annotations.contains(model::kStopAtNote) && !after->protectedBy && !after->isStopped);
        const auto removed = target->announce(*after, std::nullopt, {});
        QVERIFY2(removed.kind == Kind::Done, removed.text.c_str());
        QVERIFY(serving()["metadata"]["annotations"] == before["metadata"]["annotations"]);
    }

    // Nothing is planned any more once it is stopped.
    void theStopTakesTheNoteAway()
    {
        const Json pod = putServing();
        const TargetAt target(m_server, m_folder);
        auto state = target->find(holder(pod), {});
        QVERIFY(state && target->announce(*state, notice(), {}).kind == Kind::Done);
        state = target->find(holder(pod), {});
        QVERIFY(state);
        const auto stopped = target->stop(*state, mark(*state), {});
        QVERIFY2(stopped.kind == Kind::Done, stopped.text.c_str());
        const Json annotations = serving()["metadata"]["annotations"];
        QVERIFY(!annotations.contains("gpu-ledger.io/stop-at") && !annotations.contains("gpu-ledger.io/stop-reason"));
        QVERIFY(annotations.contains("gpu-ledger.io/stopped-by"));
    }

    void notesOnlyTheVersionThatWasRead()
    {
        const Json pod = putServing();
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state);
        Json now = serving();
        now["spec"]["replicas"] = 2;
        m_server.put(now);
        m_server.requests();
        QVERIFY(target->announce(*state, notice(), {}).kind == Kind::Changed);
        QVERIFY(m_server.requests("PATCH").empty());
        QVERIFY(!serving()["metadata"].contains("annotations"));
        m_server.steer("delete", {"apps", "deployments", "ml", "serve"});
        QVERIFY(target->announce(*state, notice(), {}).kind == Kind::Gone);
    }

    void refusedWithoutTheRight()
    {
        const Json pod = putServing();
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY(state);
        m_server.flag("denied", {"patch deployments.apps"});
        const auto refused = target->announce(*state, notice(), {});
        QVERIFY(refused.kind == Kind::Refused);
        QVERIFY(!refused.text.empty());
        QVERIFY(!serving()["metadata"].contains("annotations"));
    }

    void keptUntilIsToldByItsPlace_data()
    {
        QTest::addColumn<QString>("at");
        QTest::addColumn<QString>("until");
        QTest::addColumn<bool>("isKept");
        for (const char *at : {"serve", "pod", "space"}) {
            QTest::addRow("%s, later", at) << QString::fromLatin1(at) << QStringLiteral("2999-01-01T00:00:00Z") << true;
            QTest::addRow("%s, over", at) << QString::fromLatin1(at) << QStringLiteral("2020-01-01") << false;
            QTest::addRow("%s, no time", at) << QString::fromLatin1(at) << QStringLiteral("monday") << true;
        }
    }
    void keptUntilIsToldByItsPlace()
    {
        QFETCH(QString, at);
        QFETCH(QString, until);
        QFETCH(bool, isKept);
        const Json kept{{"gpu-ledger.io/keep-until", until.toStdString()}};
        Json pod = putServing(at == QLatin1String("serve") ? kept : Json());
        if (at == QLatin1String("pod")) {
            pod["metadata"]["annotations"] = kept;
            pod = m_server.put(pod);
        }
        Json space{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "ml"}}}};
        if (at == QLatin1String("space"))
            space["metadata"]["annotations"] = kept;
        m_server.put(space);
        const TargetAt target(m_server, m_folder);
        const auto state = target->find(holder(pod), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        QCOMPARE(state->protectedBy.has_value(), isKept);
        if (!isKept)
            return;
        QVERIFY(state->protectedBy->place == model::ProtectMark::Place::Annotation);
        const std::string name = at == QLatin1String("serve") ? "Deployment ml/serve"
            : at == QLatin1String("pod")                      ? "Pod ml/serve-1-a"
                                                              : "Namespace ml";
        QCOMPARE(state->protectedBy->object, name + " (gpu-ledger.io/keep-until: " + until.toStdString() + ')');
        const auto read = target->read(state->ref, {});
        QVERIFY(read && read->protectedBy && read->protectedBy->object == state->protectedBy->object);
    }
};

GPULEDGER_SUITE(TestKubeNotes)

} // namespace tst_kubenotes

#include "tst_kubenotes.moc"
