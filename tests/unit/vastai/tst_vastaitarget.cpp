// SPDX-License-Identifier: GPL-3.0-or-later
// What Vast.ai reports about instances, and that only what was checked is stopped, once, and never destroyed.
#include "connectors/vastai/instancetarget.h"
#include "tests/support/keyedmachine.h"
#include "tests/support/suite.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace tst_vastaitarget {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using model::Obstacle;
using Json = nlohmann::json;
using Kind = ports::WriteOutcome::Kind;

namespace {

struct Setup : KeyedMachineSetup {
    Setup()
    {
        describe = [this] { return answer(Json{{"instances", instance}}.dump()); };
        changed = [] { return answer(R"({"success":true})"); };
        act = [this](const std::string &body) { set(Json::parse(body).at("state") == "running"); };
    }
    void set(bool isRunning)
    {
        instance["actual_status"] = isRunning ? "running" : "exited";
        instance["intended_status"] = instance["cur_state"] = isRunning ? "running" : "stopped";
    }
    auth::KeyedTarget target() { return KeyedMachineSetup::target(vastai::instanceService()); }
    Json instance{{"id", 4711},
                  {"label", "training"},
                  {"gpu_name", "RTX 4090"},
                  {"num_gpus", 2},
                  {"machine_id", 7},
                  {"is_bid", false},
                  {"actual_status", "running"},
                  {"intended_status", "running"},
                  {"cur_state", "running"},
                  {"start_date", 1'793'000'000.25},
                  {"end_date", 1'900'000'000.5}};
};

bool warns(const model::TargetState &state, const std::string &words)
{
    return std::any_of(state.cautions.begin(), state.cautions.end(),
                       [&](const model::Caution &one) { return one.text.find(words) != std::string::npos; });
}

} // namespace

class TestVastaiTarget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsAnInstanceByItsNames()
    {
        for (const char *name : {"C.4711", "instance-4711"}) {
            Setup setup;
            auto target = setup.target();
            const auto state = target.find(setup.holder(name), {});
            QVERIFY2(state, state ? "" : state.error().text.c_str());
            QCOMPARE(state->ref.name, std::string("4711"));
            QVERIFY(!state->obstacle && state->isReversible && state->holders.size() == 1);
            QCOMPARE(state->holders[0].instanceId, std::string("4711"));
            QCOMPARE(state->value, std::string("\"running, 2 x RTX 4090\""));
            QVERIFY(warns(*state, "can wait for them forever") && warns(*state, "disk is kept and stays billed"));
            QCOMPARE(setup.sent.at(0).url, std::string("https://api.example.org/api/v0/instances/4711/?owner=me"));
        }
        Setup setup;
        auto target = setup.target();
        for (const char *name :
             {"", "4711", "C.", "C.47/11", "../4711", "C.C.1", "047", "-1", "4711 ", "1234567890123456789"})
            QVERIFY(target.find(setup.holder(name), {}).error().code == ErrorCode::NotFound);
        QVERIFY(setup.sent.empty());
        QVERIFY(target.find(setup.holder("C.4712"), {}).error().code == ErrorCode::Parse); // another was described
    }

    void stopsAndStartsOnce()
    {
        Setup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder("C.4711"), {});
        const auto mark = Setup::mark(found->value);
        const auto stopped = target.stop(*found, mark, {});
        QVERIFY2(stopped.kind == Kind::Done && stopped.warnings.empty(), stopped.text.c_str());
        const auto after = target.read(found->ref, {});
        QVERIFY(after && after->isStopped && after->holders.empty() && after->version == stopped.version);
        QVERIFY(target.undo(*after, mark, "", {}).kind == Kind::Done);
        QCOMPARE(target.read(found->ref, {})->value, found->value);
        std::vector<std::string> bodies;
        for (const http::Request &request : setup.sent) {
            QVERIFY(request.method == "GET" || request.method == "PUT");
            if (request.method == "PUT")
                bodies.push_back(request.body);
        }
        QVERIFY((bodies == std::vector<std::string>{R"({"state":"stopped"})", R"({"state":"running"})"}));
    }

    // Waiting for GPUs, running with fewer, frozen and gone are not what was there.
    void onlyWhatWasThereIsBroughtBack()
    {
        Setup setup;
        auto target = setup.target();
        const auto found = target.find(setup.holder("C.4711"), {});
        QVERIFY(target.stop(*found, {}, {}).kind == Kind::Done);
        setup.act = [&](const std::string &) { setup.instance["intended_status"] = "running"; };
        QVERIFY(target.undo(*target.read(found->ref, {}), Setup::mark(found->value), "", {}).kind == Kind::Done);
        const auto waits = target.read(found->ref, {});
        QVERIFY(waits && !waits->isStopped && waits->value != found->value);
        setup.set(true);
        setup.instance["num_gpus"] = 1;
        QVERIFY(target.read(found->ref, {})->value != found->value);
        setup.set(false);
        setup.instance["actual_status"] = "frozen";
        QVERIFY(!target.read(found->ref, {})->isStopped); // it still pays
        setup.instance = nullptr;
        QVERIFY(target.read(found->ref, {}).error().code == ErrorCode::NotFound);
    }

    void tellsObstaclesAndWhatIsOneWay_data()
    {
        QTest::addColumn<QByteArray>("patch"); // RFC 7396
        QTest::addColumn<bool>("isObstacle");
        QTest::addColumn<bool>("isReversible");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *name, const char *patch, bool isObstacle, bool isReversible,
                            const char *words) {
            QTest::newRow(name) << QByteArray(patch) << isObstacle << isReversible << QByteArray(words);
        };
        row("bid", R"({"is_bid":true})", false, false, "it is interruptible");
        row("bid unknown", R"({"is_bid":null})", false, false, "whether it is interruptible");
        row("ends soon", R"({"end_date":1795255200})", false, true, "its rental ends at");
        row("ended", R"({"end_date":1795000000})", false, false, "its rental is over");
        row("end unknown", R"({"end_date":null})", false, false, "when its rental ends");
        row("huge end", R"({"end_date":1e300})", false, false, "when its rental ends");
        row("frozen", R"({"actual_status":"frozen"})", true, true, "");
        row("offline", R"({"actual_status":"offline"})", true, true, "");
        row("exited by itself", R"({"actual_status":"exited"})", true, true, "");
        row("no status", R"({"actual_status":null})", true, true, "");
        row("no GPUs", R"({"num_gpus":null})", true, true, "");
        row("huge", R"({"num_gpus":99999999999999999999})", true, true, "");
        row("no model", R"({"gpu_name":null})", true, true, "");
        row("no start", R"({"start_date":null})", true, true, "");
    }
    void tellsObstaclesAndWhatIsOneWay()
    {
        QFETCH(QByteArray, patch);
        QFETCH(bool, isObstacle);
        QFETCH(bool, isReversible);
        QFETCH(QByteArray, words);
        Setup setup;
        setup.instance.merge_patch(Json::parse(patch.toStdString()));
        auto target = setup.target();
        const auto found = target.find(setup.holder("C.4711"), {});
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QCOMPARE(found->obstacle.has_value(), isObstacle);
        QCOMPARE(found->isReversible, isReversible);
        QVERIFY(warns(*found, words.toStdString()));
        QCOMPARE(target.stop(*found, {}, {}).kind == Kind::Done, !isObstacle);
        QCOMPARE(setup.changes, isObstacle ? 0 : 1);
    }

    void stopsOnlyWhatWasChecked()
    {
        for (const char *patch :
             {R"({"label":"x"})", R"({"num_gpus":1})", R"({"start_date":1})", R"({"machine_id":8})"}) {
            Setup setup;
            auto target = setup.target();
            const auto found = target.find(setup.holder("C.4711"), {});
            setup.instance.merge_patch(Json::parse(patch));
            QVERIFY2(target.stop(*found, {}, {}).kind == Kind::Changed, patch);
            QCOMPARE(setup.changes, 0);
        }
    }

    void tellsHowACallEnded()
    {
        const auto outcomeOf = [](const base::Result<http::Response> &with) {
            Setup setup;
            auto target = setup.target();
            const auto found = target.find(setup.holder("C.4711"), {});
            setup.before = [&](const http::Request &request) -> std::optional<base::Result<http::Response>> {
                return request.method == "GET" ? std::nullopt : std::optional(with);
            };
            return target.stop(*found, {}, {});
        };
        QVERIFY(outcomeOf(answer(R"({"success":false,"msg":"no such offer"})")).kind == Kind::Refused);
        QVERIFY(outcomeOf(answer("<html>", 200, "text/html")).kind == Kind::Unknown);
        for (const char *unclear : {"", "{", "{}", "[]", "null", R"({"success":"yes"})", R"({"success":null})"})
            QVERIFY2(outcomeOf(answer(unclear)).kind == Kind::Unknown, unclear);
        QVERIFY(outcomeOf(answer(R"({"error":"auth_error"})", 404)).kind == Kind::Refused); // an unknown key
        QVERIFY(outcomeOf(answer(R"({"error":"no_such_instance"})", 404)).kind == Kind::Gone);
        QVERIFY(outcomeOf(answer("{}", 429)).kind == Kind::TryLater);
        QVERIFY(outcomeOf(answer("{}", 500)).kind == Kind::Unknown);
        QVERIFY(outcomeOf(base::fail(ErrorCode::Network, "lost")).kind == Kind::Unknown);
        const auto denied = outcomeOf(answer("{}", 403));
        QVERIFY(denied.kind == Kind::Refused && denied.text.find("instance_write") != std::string::npos);
    }

    // Vast.ai refuses a question that follows another one too soon; nothing was sent yet.
    void looksAgainWhenItIsAskedToWait()
    {
        for (const int refusals : {1, 2, 3}) {
            Setup setup;
            auto target = setup.target();
            const auto found = target.find(setup.holder("C.4711"), {});
            int left = refusals;
            setup.before = [&](const http::Request &request) -> std::optional<base::Result<http::Response>> {
                return request.method == "GET" && left > 0 && left-- > 0 ? std::optional(answer("{}", 429))
                                                                         : std::nullopt;
            };
            const auto outcome = target.stop(*found, {}, {});
            QVERIFY2(outcome.kind == (refusals < 3 ? Kind::Done : Kind::TryLater), outcome.text.c_str());
            QCOMPARE(setup.changes, refusals < 3 ? 1 : 0);
            QCOMPARE(setup.pause->waits.size(), static_cast<std::size_t>(std::min(refusals, 2)));
            for (const http::Milliseconds wait : setup.pause->waits)
                QVERIFY(wait >= http::Milliseconds{3'000});
        }
    }

    void hostileAnswersAreNoInstances()
    {
        Setup setup;
        auto target = setup.target();
        for (const char *body : {"", "null", "[]", "{}", R"({"instances":[]})", R"({"instances":{"id":"x"}})"}) {
            setup.describe = [body] { return answer(body); };
            QVERIFY2(target.find(setup.holder("C.4711"), {}).error().code == ErrorCode::Parse, body);
        }
    }
};

GPULEDGER_SUITE(TestVastaiTarget)

} // namespace tst_vastaitarget

#include "tst_vastaitarget.moc"
