// SPDX-License-Identifier: GPL-3.0-or-later
// Results and marks as data: what is written is read back, and so are the sentences that earlier versions wrote.
#include "app/actions/run/legacyresult.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/actions/actionrows.h"
#include "app/store/months/monthstore.h"
#include "tests/support/fakes/countingbuilder.h"
#include "tests/support/fakes/markbench.h"
#include "tests/support/suite.h"

#include <QTest>

#include <set>

namespace tst_actionresult {

using namespace gpuledger;
using namespace gpuledger::tests;
using actions::ActionResult;
using actions::Check;
using actions::CheckName;
using actions::MarkEnd;
using actions::MarkEvent;
using actions::Outcome;
using actions::ResultCode;
using actions::Why;
using model::ActionState;

namespace {

constexpr char kHostile[] = "a \"b\": {c}, 50 %1\n; nothing was done";

template <typename Enum, typename Visit> void forEach(Visit visit)
{
    for (int i = 0; i <= static_cast<int>(Enum::Last); ++i)
        visit(static_cast<Enum>(i));
}

Check failed(CheckName name, Why why, const std::string &subject)
{
    return {name, Outcome::Failed, why, subject};
}

store::AuditEvent entryOf(const std::string &details, const char *action = store::kEndLease)
{
    return {{}, "watch", action, "c/ns/pod/uid", details};
}

bool isSame(const MarkEvent &a, const MarkEvent &b)
{
    return a.kind == b.kind && a.end == b.end && a.delay == b.delay && a.check == b.check && a.action == b.action
        && a.result == b.result && a.detail == b.detail;
}

model::ActionIntent intentOf(const std::string &holder, base::UtcTime at)
{
    model::ActionIntent intent;
    intent.key = "0123456789abcdef0123456789abcdef";
    intent.plan = "p";
    intent.target = {"demo", "c", "apps/v1", "Deployment", "ns", "before", "uid-before"};
    intent.verb = model::StopVerb::ScaleToZero;
    intent.holders = holder + '\n';
    intent.actor = std::string(model::kOnBehalf) + "alex";
    intent.at = at;
    intent.evidence = "{}";
    return intent;
}

// A step as earlier versions wrote it: the sentence in its row, and under "result" in the log.
void addOldStep(const ActionBench &bench, const model::ActionIntent &intent, std::int64_t id, ActionState state,
                const std::string &sentence)
{
    const auto database =
        store::Database::open(bench.dir.path().toStdString() + "/ledger.db", store::Database::Mode::Writer).value();
    const store::ActionStep step{intent.at, sentence, {}, {}};
    QVERIFY(store::insertStep(*database, id, 1, state, step));
    store::AuditEvent event = store::auditEvent(intent, id, state, {intent.at, {}, {}, {}});
    event.details.pop_back();
    event.details += ",\"result\":\"" + sentence + "\"}";
    QVERIFY(store::appendAudit(*database, event));
}

// An action of the watch that began and ended before this round.
void addOldAction(ActionBench &bench, const std::string &holder, ActionState state, const std::string &sentence)
{
    const base::UtcTime now = bench.environment.wall.time;
    const model::ActionIntent intent = intentOf(holder, now);
    const auto ids = bench.log->begin({intent}, {100, now, now}).value();
    addOldStep(bench, intent, ids.front(), state, sentence);
}

} // namespace

class TestActionResult : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCodeIsReadBack();
    void namesTellValuesApart();
    void whatIsNoDataWasSaid();
    void everyMarkIsReadBack();
    void marksAreReadInTheirEntriesOnly();
    void sentencesOfChecks();
    void otherSentences();
    void sentencesOfMarks();
    void oldRowsAreReadAndVerified();
    void oldResultsDecide_data();
    void oldResultsDecide();
};

void TestActionResult::everyCodeIsReadBack()
{
    forEach<ResultCode>([](ResultCode code) {
        if (code == ResultCode::None)
            return;
        ActionResult result{code, kHostile, "spec.replicas", "2", "3", 7};
        if (code == ResultCode::CheckFailed) {
            result.check = failed(CheckName::StillIdle, Why::Active, kHostile);
            result.check->sampleAt = base::parseTime("2026-11-01T00:00:00Z").value();
            result.check->share = 0.0625;
        }
        QVERIFY2(actions::resultIn(actions::dataOf(result)) == result, actions::dataOf(result).c_str());
        const ActionResult bare{code, {}, {}, {}, {}, 0, result.check};
        QVERIFY2(actions::resultIn(actions::dataOf(bare)) == bare, actions::dataOf(bare).c_str());
    });
    QCOMPARE(actions::dataOf(ActionResult{}), std::string());
    QVERIFY(actions::resultIn({}) == ActionResult{});
}

void TestActionResult::namesTellValuesApart()
{
    std::set<std::string_view> names;
    forEach<ResultCode>([&](ResultCode code) { names.insert(toString(code)); });
    QCOMPARE(names.size(), static_cast<std::size_t>(ResultCode::Last) + 1);
    forEach<CheckName>([](CheckName name) { QVERIFY(actions::checkNameFrom(toString(name)) == name); });
    forEach<Why>([](Why why) { QVERIFY(actions::whyFrom(toString(why)) == why); });
    forEach<MarkEnd>([](MarkEnd end) { QVERIFY(actions::markEndFrom(toString(end)) == end); });
    forEach<actions::MarkDelay>(
        [](actions::MarkDelay delay) { QVERIFY(actions::markDelayFrom(toString(delay)) == delay); });
    QVERIFY(!actions::whyFrom("") && !actions::checkNameFrom("gone") && !actions::markEndFrom("unwatched"));
}

void TestActionResult::whatIsNoDataWasSaid()
{
    for (const char *text :
         {"{", "{}", "7", "null", "[\"check-failed\"]", "\"never-left\"", "{\"code\":7}", "{\"code\":\"nonsense\"}",
          "{\"code\":\"check-failed\"}", "{\"code\":\"check-failed\",\"check\":{\"name\":\"nonsense\"}}",
          "{\"code\":\"check-failed\",\"check\":7}", "it was done"}) {
        const ActionResult said{ResultCode::Said, text};
        QVERIFY2(actions::resultIn(text) == said, text);
    }
}

void TestActionResult::everyMarkIsReadBack()
{
    MarkEvent event;
    event.kind = MarkEvent::Kind::Over;
    const auto isReadBack = [&event] {
        const auto read = actions::markIn(entryOf("{\"id\":7,\"mark\":" + actions::dataOf(event) + '}'));
        return read && isSame(*read, event);
    };
    forEach<MarkEnd>([&](MarkEnd end) {
        event = {};
        event.kind = MarkEvent::Kind::Over;
        event.end = end;
        QVERIFY(isReadBack());
        event.detail = kHostile;
        event.action = 7;
        event.result = {ResultCode::PlatformRefused, kHostile};
        QVERIFY(isReadBack());
        event.check = failed(CheckName::StillIdle, Why::Active, kHostile);
        event.check->sampleAt = base::parseTime("2026-11-01T00:00:00Z").value();
        QVERIFY(isReadBack());
    });
    forEach<actions::MarkDelay>([&](actions::MarkDelay delay) {
        event = {};
        event.kind = MarkEvent::Kind::Postponed;
        event.delay = delay;
        QVERIFY(isReadBack());
    });
}

void TestActionResult::marksAreReadInTheirEntriesOnly()
{
    const std::string mark = R"({"mark":{"end":"worked"}})", sentence = "{\"reason\":\"the mark is over (worked)\"}";
    for (const std::string &details : {mark, sentence}) {
        QVERIFY(actions::markIn(entryOf(details)) && actions::markIn(entryOf(details, store::kPostponeLease)));
        QVERIFY(!actions::markIn(entryOf(details, "lease-protect"))); // the reason that a person typed
    }
    for (const char *details : {"", "{}", "[]", "7", R"({"mark":7})", R"({"mark":{}})", R"({"mark":{"end":"x"}})",
                                R"({"mark":{"delay":"worked"}})", R"({"reason":7})", R"({"reason":"because"})"})
        QVERIFY2(!actions::markIn(entryOf(details)), details);
}

void TestActionResult::sentencesOfChecks()
{
    forEach<CheckName>([](CheckName name) {
        forEach<Why>([name](Why why) {
            const std::string begin =
                "refused by the last check (" + std::string(toString(name)) + ": " + std::string(toString(why)) + ')';
            QVERIFY(actions::legacyResult(begin + "; nothing was done") == actions::refusedBy(failed(name, why, "")));
            for (const char *subject : {"pod (a): b", "x; nothing was done", ": y"})
                QVERIFY(actions::legacyResult(begin + ": " + subject + "; nothing was done")
                        == actions::refusedBy(failed(name, why, subject)));
        });
    });
    // The sample stays in the subject, so that the sentence can be rebuilt as it was.
    QVERIFY(actions::legacyResult("refused by the last check (still-idle: active): pod, 6.0 % at 2026-11-01T00:00:00Z; "
                                  "nothing was done")
            == actions::refusedBy(failed(CheckName::StillIdle, Why::Active, "pod, 6.0 % at 2026-11-01T00:00:00Z")));
}

void TestActionResult::otherSentences()
{
    QVERIFY((actions::resultIn("the platform refused it, nothing was done: forbidden: x")
             == ActionResult{ResultCode::PlatformRefused, "forbidden: x"}));
    QVERIFY(actions::resultIn("the program ended before its call left; nothing was done")
            == ActionResult{ResultCode::NeverLeft});
    for (const char *other :
         {"refused by the last check (", "refused by the last check (x: y); nothing was done",
          "refused by the last check (same-object: gone)",
          "refused by the last check (same-object gone); nothing was done", "the platform refused it",
          "halted by the user; nothing was done", "it was done, but did not take effect"})
        QVERIFY2((actions::resultIn(other) == ActionResult{ResultCode::Said, other}), other);
}

void TestActionResult::sentencesOfMarks()
{
    const std::string check = "refused by the last check (still-idle: active): a (b): c; nothing was done";
    forEach<MarkEnd>([&](MarkEnd end) {
        MarkEvent event;
        event.kind = MarkEvent::Kind::Over;
        event.end = end;
        const std::string begin = "the mark is over (" + std::string(toString(end)) + ')';
        QVERIFY(isSame(actions::legacyMark(begin).value(), event));
        event.action = 7;
        QVERIFY(isSame(actions::legacyMark(begin + ": action 7").value(), event));
        event.detail = "what (it) says: more";
        QVERIFY(isSame(actions::legacyMark(begin + ": action 7: " + event.detail).value(), event));
        event.detail.clear();
        event.check = failed(CheckName::StillIdle, Why::Active, "a (b): c");
        QVERIFY(isSame(actions::legacyMark(begin + ": action 7: " + check).value(), event));
        event.action = 0;
        QVERIFY(isSame(actions::legacyMark(begin + ": " + check).value(), event));
    });
    MarkEvent late;
    late.kind = MarkEvent::Kind::Postponed;
    QVERIFY(isSame(actions::legacyMark("a fresh notice (unwatched)").value(), late));
    late.delay = actions::MarkDelay::ClockJumped;
    QVERIFY(isSame(actions::legacyMark("a fresh notice (clock-jumped)").value(), late));
    for (const char *other : {"", "the mark is over", "the mark is over (nonsense)", "because", "a fresh notice (x)",
                              "a fresh notice (worked)", "the mark is over (unwatched)"})
        QVERIFY2(!actions::legacyMark(other), other);
}

void TestActionResult::oldRowsAreReadAndVerified()
{
    MarkBench bench;
    const std::string sentence = "refused by the last check (still-idle: active): train-0; nothing was done";
    addOldAction(bench, "c/ns/train-0/uid", ActionState::Refused, sentence);
    QVERIFY(bench.stopAll(bench.addIdle(1))); // as this version writes it, in the same log
    bench.reopen();
    CountingBuilder rollup;
    QVERIFY(ledger::verify(*bench.cache, rollup).value().empty());
    const auto records = bench.log->all().value();
    QCOMPARE(records.size(), std::size_t{2});
    QCOMPARE(records[0].result, sentence);
    QVERIFY(actions::resultOf(records[0]) == actions::refusedBy(failed(CheckName::StillIdle, Why::Active, "train-0")));
    QVERIFY(bench.said("action-refused").find("\"result\":\"" + sentence + '"') != std::string::npos);
    QVERIFY(records[1].state == ActionState::Verified);
}

void TestActionResult::oldResultsDecide_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<int>("end");
    const auto row = [](const char *name, ActionState state, const char *sentence, MarkEnd end) {
        QTest::newRow(name) << static_cast<int>(state) << QString::fromLatin1(sentence) << static_cast<int>(end);
    };
    row("platform", ActionState::Refused, "the platform refused it, nothing was done: forbidden",
        MarkEnd::PlatformRefused);
    row("objection", ActionState::Refused,
        "refused by the last check (not-protected: label): train-0; nothing was done", MarkEnd::Objected);
    row("check", ActionState::Refused, "refused by the last check (stoppable: managed): argo-cd:web; nothing was done",
        MarkEnd::Refused);
    row("failed", ActionState::Failed, "the object is gone", MarkEnd::Failed);
    // These are tried again, and stopped.
    row("halted", ActionState::Refused, "halted by the user; nothing was done", MarkEnd::Stopped);
    row("never left", ActionState::Failed, "the program ended before its call left; nothing was done",
        MarkEnd::Stopped);
    row("stale", ActionState::Refused, "refused by the last check (still-idle: stale): train-0; nothing was done",
        MarkEnd::Stopped);
}

// A result that an earlier version recorded for a mark has the same effect as in that version.
void TestActionResult::oldResultsDecide()
{
    QFETCH(int, state);
    QFETCH(QString, sentence);
    QFETCH(int, end);
    MarkBench bench;
    const Ids ids = bench.addIdle(1);
    QVERIFY(bench.mark(ids));
    addOldAction(bench, ids[0], static_cast<ActionState>(state), sentence.toStdString());
    const auto events = bench.watch(base::Seconds{7200});
    QVERIFY2(!bench.failed, bench.failed ? bench.failed->text.c_str() : "");
    QCOMPARE(events.size(), std::size_t{1});
    QCOMPARE(static_cast<int>(events[0].end), end);
    QCOMPARE(bench.platform.effects(), events[0].end == MarkEnd::Stopped ? 1 : 0);
    QVERIFY(bench.marks().empty());
    QVERIFY(bench.said(store::kEndLease).find("\"mark\":{\"end\":\"" + std::string(toString(events[0].end)) + '"')
            != std::string::npos);
}

GPULEDGER_SUITE(TestActionResult)

} // namespace tst_actionresult

#include "tst_actionresult.moc"
