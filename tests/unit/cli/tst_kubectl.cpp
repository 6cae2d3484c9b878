// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/format/actions/kubectl.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

namespace tst_kubectl {

using namespace gpuledger;
using model::StopVerb;

namespace {

model::TargetState target(StopVerb verb, const char *apiVersion, const char *kind, const char *field,
                          const char *stopped, const std::string &name = "web", const std::string &space = "chat")
{
    model::TargetState state;
    state.ref = {"k8s", "prod", apiVersion, kind, space, name, "uid-1"};
    state.verb = verb;
    state.field = field;
    state.value = "null";
    state.stoppedValue = stopped;
    return state;
}

model::TargetState scaled(const std::string &name, const std::string &space)
{
    return target(StopVerb::ScaleToZero, "apps/v1", "Deployment", "spec.replicas", "0", name, space);
}

// What a POSIX shell makes of the command, with another program in place of kubectl: one argument a line.
QByteArray argumentsBySh(const std::string &command)
{
    QProcess sh;
    sh.start(QStringLiteral("/bin/sh"),
             {QStringLiteral("-c"),
              QStringLiteral("kubectl() { printf '<%s>' \"$@\"; }\n") + QString::fromStdString(command)});
    return sh.waitForFinished(10'000) && sh.exitCode() == 0 && sh.readAllStandardError().isEmpty()
        ? sh.readAllStandardOutput()
        : QByteArray();
}

} // namespace

class TestKubectl : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void doesWhatTheStopDoes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("command");
        const auto row = [](const char *title, const model::TargetState &state, const char *command) {
            QTest::newRow(title) << QString::fromStdString(ui::kubectlOf(state)) << QString::fromLatin1(command);
        };
        row("deployment", scaled("web", "chat"), "kubectl -n chat scale deployment/web --replicas=0");
        row("rollout", target(StopVerb::ScaleToZero, "argoproj.io/v1alpha1", "Rollout", "spec.replicas", "0"),
            "kubectl -n chat scale rollout.argoproj.io/web --replicas=0");
        row("job", target(StopVerb::Suspend, "batch/v1", "Job", "spec.suspend", "true"),
            R"(kubectl -n chat patch job/web --type=merge -p '{"spec":{"suspend":true}}')");
        row("training", target(StopVerb::Suspend, "kubeflow.org/v1", "PyTorchJob", "spec.runPolicy.suspend", "true"),
            R"(kubectl -n chat patch pytorchjob.kubeflow.org/web --type=merge -p '{"spec":{"runPolicy":{"suspend":true}}}')");
        row("queue", target(StopVerb::Deactivate, "kueue.x-k8s.io/v1beta1", "Workload", "spec.active", "false"),
            R"(kubectl -n chat patch workload.kueue.x-k8s.io/web --type=merge -p '{"spec":{"active":false}}')");
        row("several fields",
            target(StopVerb::Suspend, "serving.kserve.io/v1beta1", "InferenceService", "spec.predictor.minReplicas",
                   R"({"/spec/predictor/minReplicas":0,"/spec/transformer/minReplicas":0})"),
            R"(kubectl -n chat patch inferenceservice.serving.kserve.io/web --type=merge -p '{"spec":{"predictor":{"minReplicas":0},"transformer":{"minReplicas":0}}}')");
        row("notebook",
            target(StopVerb::Annotate, "kubeflow.org/v1", "Notebook", "metadata.annotations.kubeflow-resource-stopped",
                   R"("2026-11-21T12:00:00Z")"),
            "kubectl -n chat annotate --overwrite notebook.kubeflow.org/web "
            "kubeflow-resource-stopped=2026-11-21T12:00:00Z");
        row("service",
            target(StopVerb::Annotate, "serving.kserve.io/v1beta1", "InferenceService",
                   "metadata.annotations.serving.kserve.io/stop", R"("true")"),
            "kubectl -n chat annotate --overwrite inferenceservice.serving.kserve.io/web serving.kserve.io/stop=true");
        row("pod", target(StopVerb::Delete, "v1", "Pod", "metadata.uid", "null"),
            "kubectl -n chat delete pod/web --wait=false");
        row("evicted", target(StopVerb::Evict, "v1", "Pod", "", "null"),
            R"(printf '%s' '{"apiVersion":"policy/v1","deleteOptions":{"preconditions":{"uid":"uid-1"}},"kind":"Eviction","metadata":{"name":"web","namespace":"chat"}}' | kubectl create --raw /api/v1/namespaces/chat/pods/web/eviction -f -)");
        row("a machine", target(StopVerb::StopInstance, "", "Instance", "state", R"("stopped")"), "");
        row("nothing to set", target(StopVerb::ScaleToZero, "apps/v1", "Deployment", "spec.replicas", "{"), "");
        row("no verb", target(StopVerb::None, "apps/v1", "DaemonSet", "", "null"), "");
        model::TargetState never = scaled("web", "chat");
        never.obstacle = model::Obstacle{};
        row("an obstacle", never, "");
    }

    void doesWhatTheStopDoes()
    {
        QFETCH(QString, name);
        QFETCH(QString, command);
        QCOMPARE(name, command);
    }

    // Kubernetes allows none of these names; whoever made them up gets one argument, or no command.
    void hostileNamesRunNothing_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("isOffered");
        QTest::newRow("command") << QByteArray("a;reboot") << true;
        QTest::newRow("substitution") << QByteArray("$(reboot)") << true;
        QTest::newRow("backticks") << QByteArray("`reboot`") << true;
        QTest::newRow("quote") << QByteArray("a';reboot;'") << true;
        QTest::newRow("double quote") << QByteArray("a\"&&reboot") << true;
        QTest::newRow("variable") << QByteArray("$HOME") << true;
        QTest::newRow("pattern") << QByteArray("*") << true;
        QTest::newRow("backslash") << QByteArray("a\\'b") << true;
        QTest::newRow("history") << QByteArray("a!!b") << true;
        QTest::newRow("space") << QByteArray("a -A") << false;
        QTest::newRow("option") << QByteArray("--all") << false;
        QTest::newRow("slash") << QByteArray("a/b") << false;
        QTest::newRow("line") << QByteArray("a\nreboot") << false;
        QTest::newRow("escape") << QByteArray("a\x1b[201~") << false;
        QTest::newRow("right to left") << QByteArray("a\xe2\x80\xae"
                                                     "b")
                                       << false;
        QTest::newRow("nothing") << QByteArray() << false;
    }

    void hostileNamesRunNothing()
    {
        QFETCH(QByteArray, name);
        QFETCH(bool, isOffered);
        const std::string text = name.toStdString();
        const std::string command = ui::kubectlOf(scaled(text, "chat"));
        QCOMPARE(!command.empty(), isOffered);
        QCOMPARE(!ui::kubectlOf(scaled("web", text)).empty(), isOffered);
        if (!isOffered)
            return;
        QCOMPARE(argumentsBySh(command), "<-n><chat><scale><deployment/" + name + "><--replicas=0>");
        QCOMPARE(argumentsBySh(ui::kubectlOf(scaled("web", text))),
                 "<-n><" + name + "><scale><deployment/web><--replicas=0>");
        const auto noted = target(StopVerb::Annotate, "kubeflow.org/v1", "Notebook", "metadata.annotations.stopped",
                                  "\"it's $(off)\"", text);
        QCOMPARE(argumentsBySh(ui::kubectlOf(noted)),
                 "<-n><chat><annotate><--overwrite><notebook.kubeflow.org/" + name + "><stopped=it's $(off)>");
    }
};

GPULEDGER_SUITE(TestKubectl)

} // namespace tst_kubectl

#include "tst_kubectl.moc"
