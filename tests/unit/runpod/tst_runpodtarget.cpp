// SPDX-License-Identifier: GPL-3.0-or-later
// What RunPod reports about pods, and that only what was checked is stopped, once, and never terminated.
#include "connectors/runpod/podtarget.h"
#include "tests/support/keyedmachine.h"
#include "tests/support/suite.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace tst_runpodtarget {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::Caution;
using model::Obstacle;
using Json = nlohmann::json;
using Kind = ports::WriteOutcome::Kind;

namespace {

struct Setup : KeyedMachineSetup {
    Setup()
    {
        describe = [this] { return answer(pod.dump()); };
        act = [this](const std::string &body) {
            const bool starts = Json::parse(body).at("action") == "start";
            pod["status"] = starts ? "RUNNING" : "EXITED";
            pod["runtime"] = starts ? runtimeOf(pod["gpu"]["count"]) : Json();
            pod["actions"] = starts ? Json{"stop", "restart", "terminate"} : Json{"start", "terminate"};
        };
    }
    static Json runtimeOf(std::size_t gpus) { return {{"gpus", Json(gpus, {{"util", 0}})}}; }
    auth::KeyedTarget target() { return KeyedMachineSetup::target(runpod::podService()); }
    // A target whose answers to changes are these.
    void answersChanges(const base::Result<http::Response> &with, bool acts = false)
    {
        before = [this, with, acts](const http::Request &request) -> std::optional<base::Result<http::Response>> {
            if (request.method == "GET")
                return std::nullopt;
            if (acts)
                act(request.body);
            return with;
        };
    }
    Json pod{{"id", "pod_abc123"},
             {"name", "training"},
             {"status", "RUNNING"},
             {"actions", {"stop", "restart", "terminate"}},
             {"gpu", {{"id", "NVIDIA H100 80GB HBM3"}, {"count", 2}}},
             {"cloud", "SECURE"},
             {"dataCenterId", "US-KS-2"},
             {"locked", false},
             {"mounts", {{"persistent", {{"size", 100}}}}},
             {"runtime", runtimeOf(2)},
             {"createdAt", "2026-09-01T00:00:00Z"},
             {"startedAt", "2026-11-01T00:00:00Z"}};
};

bool warns(const model::TargetState &state, const std::string &words)
{
    return std::any_of(state.cautions.begin(), state.cautions.end(),
                       [&](const Caution &one) { return one.text.find(words) != std::string::npos; });
}

} // namespace

class TestRunpodTarget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsAPodAndSaysWhatIsLost()
    {
        Setup setup;
        auto target = setup.target();
        const auto state = target.find(setup.holder("pod_abc123"), {});
        QVERIFY2(state, state ? "" : state.error().text.c_str());
        QVERIFY(!state->obstacle && !state->isStopped && !state->isReversible);
        QCOMPARE(state->value, std::string("\"running, 2 x NVIDIA H100 80GB HBM3\""));
        QVERIFY(state->holders == std::vector{setup.holder("pod_abc123")});
        QVERIFY(warns(*state, "container disk is wiped")
                && warns(*state, "(100 GB) is kept and stays billed, at twice"));
        QVERIFY(warns(*state, "fewer, with none or not at all") && warns(*state, "no precondition"));
        QVERIFY(!target.hasPreconditions() && !target.leavesMarks());
        QCOMPARE(setup.sent.at(0).url, std::string("https://api.example.org/v2/pods/pod_abc123"));
        const auto again = target.read(state->ref, {});
        QVERIFY(again && again->version == state->version && again->holders.size() == 1);
        QVERIFY(target.rehearse(*state, {}, {})->kind == ports::Rehearsal::Kind::Impossible);
    }

    void saysWhichVolumesAreKept()
    {
        const auto row = [](const char *mounts, const char *words, bool losesAll) {
            Setup setup;
            setup.pod["mounts"] = Json::parse(mounts);
            auto target = setup.target();
            const auto state = target.find(setup.holder("pod_abc123"), {});
            return state && warns(*state, words) && warns(*state, "none of its files are kept") == losesAll;
        };
        QVERIFY(row(R"({"persistent":{"size":20,"path":"/w"}})", "(20 GB) is kept and stays billed", false));
        QVERIFY(row(R"({"network":[{"volumeId":"v","path":"/w"}]})", "network volume is kept and stays billed", false));
        QVERIFY(row(R"({"network":[]})", "it has no volume disk", true));
        QVERIFY(row("{}", "it has no volume disk", true));
        QVERIFY(row("null", "could not be read", false));
    }

    void stopsAndStartsOnce()
    {
        Setup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder("pod_abc123"), {});
        const auto mark = Setup::mark(found->value);
        const auto stopped = target.stop(*found, mark, {});
        QVERIFY2(stopped.kind == Kind::Done && stopped.warnings.empty(), stopped.text.c_str());
        const auto after = target.read(found->ref, {});
        QVERIFY(after && after->isStopped && after->holders.empty());
        QCOMPARE(after->version, stopped.version);
        QVERIFY(target.undo(*after, mark, "", {}).kind == Kind::Done);
        QCOMPARE(target.read(found->ref, {})->value, found->value);
        QCOMPARE(setup.changes, 2);
        std::vector<std::string> bodies;
        for (const http::Request &request : setup.sent) {
            QVERIFY(request.method == "GET" || request.method == "POST");
            QVERIFY(request.body.find("terminate") == std::string::npos);
            if (request.method != "POST")
                continue;
            QVERIFY(request.once && !request.followsRedirects);
            QCOMPARE(request.url, std::string("https://api.example.org/v2/pods/pod_abc123/action"));
            bodies.push_back(request.body);
        }
        QVERIFY((bodies == std::vector<std::string>{R"({"action":"stop"})", R"({"action":"start"})"}));
    }

    // What came back is compared with what was there.
    void fewerGpusAreNotWhatWasThere()
    {
        for (const bool isRuntime : {false, true}) {
            Setup setup;
            auto target = setup.target();
            const auto found = target.find(setup.holder("pod_abc123"), {});
            QVERIFY(target.stop(*found, Setup::mark(found->value), {}).kind == Kind::Done);
            const auto stopped = target.read(found->ref, {});
            setup.act = [&setup, isRuntime, start = setup.act](const std::string &body) {
                if (!isRuntime)
                    setup.pod["gpu"]["count"] = 0;
                start(body);
                if (isRuntime)
                    setup.pod["runtime"]["gpus"] = Json::array();
            };
            const auto after = target.undo(target.read(found->ref, {}).value(), Setup::mark(found->value), "", {});
            QVERIFY(after.kind == Kind::Done);
            const auto now = target.read(found->ref, {});
            QVERIFY(now && !now->isStopped && now->value != found->value);
            QCOMPARE(now->value, std::string("\"running, 0 x NVIDIA H100 80GB HBM3\""));
        }
    }

    // While its container starts, a pod that reports RUNNING has no runtime.
    void unknownGpusAreNotWhatWasThere()
    {
        Setup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder("pod_abc123"), {});
        setup.pod["runtime"] = nullptr;
        const auto now = target.read(found->ref, {});
        QVERIFY(now && !now->isStopped && now->obstacle && now->value != found->value);
        QCOMPARE(now->value, std::string("\"status RUNNING, unknown GPUs\""));
        QVERIFY(target.stop(*found, Setup::mark(found->value), {}).kind == Kind::Changed);
        QCOMPARE(setup.changes, 0);
    }

    void tellsObstacles_data()
    {
        QTest::addColumn<QByteArray>("patch"); // RFC 7396
        QTest::addColumn<int>("obstacle");
        const auto row = [](const char *name, const char *patch, Obstacle::Kind kind) {
            QTest::newRow(name) << QByteArray(patch) << static_cast<int>(kind);
        };
        row("locked", R"({"locked":true})", Obstacle::Kind::StopProtection);
        row("lock unknown", R"({"locked":null})", Obstacle::Kind::Other);
        row("lock a text", R"({"locked":"no"})", Obstacle::Kind::Other);
        row("member", R"({"cluster":{"id":"c"}})", Obstacle::Kind::ManagedElsewhere);
        row("not offered", R"({"actions":["terminate"]})", Obstacle::Kind::NeverStopped);
        row("no actions", R"({"actions":null})", Obstacle::Kind::NeverStopped);
        row("starting", R"({"status":"STARTING"})", Obstacle::Kind::Other);
        row("unknown status", R"({"status":"HIBERNATED"})", Obstacle::Kind::Other);
        row("stopped", R"({"status":"EXITED"})", Obstacle::Kind::AlreadyStopped);
        row("no GPU", R"({"gpu":null})", Obstacle::Kind::Other);
        row("huge", R"({"gpu":{"count":99999999999999999999999}})", Obstacle::Kind::Other);
        row("negative", R"({"gpu":{"count":-1}})", Obstacle::Kind::Other);
        row("GPUs not told", R"({"runtime":null})", Obstacle::Kind::Other);
        row("GPUs no list", R"({"runtime":{"gpus":2}})", Obstacle::Kind::Other);
        row("two numbers", R"({"runtime":{"gpus":[]}})", Obstacle::Kind::Other);
    }
    void tellsObstacles()
    {
        QFETCH(QByteArray, patch);
        QFETCH(int, obstacle);
        Setup setup;
        setup.pod.merge_patch(Json::parse(patch.toStdString()));
        auto target = setup.target();
        const auto found = target.find(setup.holder("pod_abc123"), {});
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QCOMPARE(found->obstacle ? static_cast<int>(found->obstacle->kind) : -1, obstacle);
        QCOMPARE(found->isChanging, patch.contains("STARTING"));
        QVERIFY(target.stop(*found, {}, {}).kind == Kind::Refused);
        QCOMPARE(setup.changes, 0);
    }

    void stopsOnlyWhatWasChecked()
    {
        for (const char *patch :
             {R"({"name":"other"})", R"({"gpu":{"count":1}})", R"({"startedAt":"2026-11-20T09:00:00Z"})",
              R"({"createdAt":"2026-11-20T09:00:00Z"})", R"({"status":"EXITED"})"}) {
            Setup setup;
            auto target = setup.target();
            const auto found = target.find(setup.holder("pod_abc123"), {});
            setup.pod.merge_patch(Json::parse(patch));
            QVERIFY2(target.stop(*found, {}, {}).kind == Kind::Changed, patch);
            QCOMPARE(setup.changes, 0);
        }
        Setup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder("pod_abc123"), {});
        setup.pod["locked"] = true; // its version does not have that
        QVERIFY(target.stop(*found, {}, {}).kind == Kind::Refused);
        setup.pod["status"] = "TERMINATED";
        QVERIFY(target.stop(*found, {}, {}).kind == Kind::Gone);
        QVERIFY(target.read(found->ref, {}).error().code == ErrorCode::NotFound);
        QCOMPARE(setup.changes, 0);
    }

    void startsOnlyItsOwnStop()
    {
        Setup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder("pod_abc123"), {});
        const auto mark = Setup::mark(found->value);
        QVERIFY(target.undo(*found, mark, "", {}).kind == Kind::Changed); // it runs
        QVERIFY(target.stop(*found, mark, {}).kind == Kind::Done);
        QVERIFY(target.undo(*target.read(found->ref, {}), Setup::mark("\"stopped\""), "", {}).kind == Kind::Refused);
        setup.pod["actions"] = Json::array();
        QVERIFY(target.undo(*target.read(found->ref, {}), mark, "", {}).kind == Kind::Refused);
        setup.pod["actions"] = {"start"};
        setup.pod["startedAt"] = "2026-11-20T12:00:00Z"; // someone started it and stopped it again
        QVERIFY(target.undo(*target.read(found->ref, {}), mark, "", {}).kind == Kind::Changed);
        QCOMPARE(setup.changes, 1);
    }

    void tellsHowACallEnded_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("kind");
        const auto row = [](const char *name, int status, Kind kind) {
            QTest::newRow(name) << status << static_cast<int>(kind);
        };
        row("forbidden", 403, Kind::Refused);
        row("key", 401, Kind::Refused);
        row("gone", 404, Kind::Gone);
        row("conflict", 409, Kind::Changed);
        row("often", 429, Kind::TryLater);
        row("bad", 400, Kind::Refused);
        row("broken", 500, Kind::Unknown);
        row("busy", 503, Kind::Unknown);
        row("redirect", 302, Kind::Unknown);
        row("lost", 0, Kind::Unknown);
    }
    void tellsHowACallEnded()
    {
        QFETCH(int, status);
        QFETCH(int, kind);
        Setup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder("pod_abc123"), {});
        http::Response response = answer(js("{'title':'T','detail':'canary-credential \\u001b[31m'}"), status);
        response.retryAfter = base::Seconds{7};
        setup.answersChanges(status ? base::Result<http::Response>(response) : base::fail(ErrorCode::Timeout, "lost"),
                             true);
        const auto outcome = target.stop(*found, {}, {});
        QCOMPARE(static_cast<int>(outcome.kind), kind);
        QVERIFY(outcome.text.find("canary") == std::string::npos && outcome.text.find('\x1b') == std::string::npos);
        QCOMPARE(outcome.text.find("permission to write pods") != std::string::npos, status == 403);
        QCOMPARE(outcome.retryAfter.has_value(), status != 0);
        const auto posts = std::count_if(setup.sent.begin(), setup.sent.end(),
                                         [](const http::Request &one) { return one.method == "POST"; });
        QCOMPARE(posts, status == 401 ? 2 : 1); // a new key may be accepted; all else is sent once
    }

    void idsReachNoOtherPath()
    {
        Setup setup;
        auto target = setup.target();
        for (const char *name : {"", "../billing", "a/b", "a%2fb", "..", "a?b", "a b", "a\nb", "x;y"}) {
            const auto found = target.find(setup.holder(name), {});
            QVERIFY(!found && found.error().code == ErrorCode::NotFound);
            model::TargetState state;
            state.ref.name = name;
            QVERIFY(target.stop(state, {}, {}).kind == Kind::Gone);
        }
        QVERIFY(target.find(setup.holder(std::string(65, 'a')), {}).error().code == ErrorCode::NotFound);
        QVERIFY(setup.sent.empty());
        // An answer about another pod is none.
        QVERIFY(target.find(setup.holder("pod_other"), {}).error().code == ErrorCode::Parse);
    }

    void leavesPodsAndJobsToWhoStartedThem()
    {
        Setup setup;
        auto target = setup.target();
        for (const auto kind : {model::SubjectKind::Pod, model::SubjectKind::SlurmJob}) {
            model::HolderKey key = setup.holder("4711");
            key.node = "pod_abc123";
            key.kind = kind;
            const auto found = target.find(key, {});
            QVERIFY(found && found->obstacle && found->obstacle->kind == Obstacle::Kind::ManagedElsewhere);
        }
    }

    void hostileAnswersAreNoPods()
    {
        Setup setup;
        auto target = setup.target();
        for (const char *body : {"", "null", "[]", "{}", R"({"id":"pod_abc123"})", "[[[[", R"({"id":7,"status":[]})"}) {
            setup.describe = [body] { return answer(body); };
            QVERIFY2(target.find(setup.holder("pod_abc123"), {}).error().code == ErrorCode::Parse, body);
        }
    }

    void theProbeSaysWhatMayBeDone()
    {
        Setup setup;
        setup.describe = [] { return answer(R"({"pods":[]})"); };
        auto target = setup.target();
        const auto report = target.probe({});
        QVERIFY(report && report->usable && report->findings.size() == 1);
        setup.before = [](const http::Request &) { return base::Result<http::Response>(answer("{}", 403)); };
        QVERIFY(target.probe({}).error().code == ErrorCode::Forbidden);
    }
};

GPULEDGER_SUITE(TestRunpodTarget)

} // namespace tst_runpodtarget

#include "tst_runpodtarget.moc"
