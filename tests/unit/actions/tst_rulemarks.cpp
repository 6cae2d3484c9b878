// SPDX-License-Identifier: GPL-3.0-or-later
// Marks that alert rules make: what they mark, when they take a mark back, and how an owner objects at the object.
#include "app/actions/run/announced.h"
#include "tests/support/suite.h"
#include "tests/unit/actions/rulebench.h"

#include <QTest>

#include <algorithm>
#include <utility>

namespace tst_rulemarks {

using namespace gpuledger;
using namespace gpuledger::tests;
using actions::LeftOut;
using actions::MarkEnd;
using actions::MarkEvent;
using actions::RuleMark;
using model::Lease;
using Call = FakePlatform::Call;

namespace {

bool isAll(const std::vector<RuleMark> &told, RuleMark::Kind kind, std::size_t count)
{
    return told.size() == count
        && std::all_of(told.begin(), told.end(), [&](const RuleMark &mark) { return mark.kind == kind; });
}

} // namespace

class TestRuleMarks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void marksWhatIsIdleInItsScope();
    void marksInAPoolOfOneCluster();
    void stoppedAfterItsNotice();
    void marksOnceAlsoAfterARestart();
    void leavesOutWhatIsKept_data();
    void leavesOutWhatIsKept();
    void staysWithinTheLimits();
    void releasedWhenTheAlertResolves();
    void neverReleasesAPersonsMark();
    void keepUntilObjects_data();
    void keepUntilObjects();
    void changingTheNoteObjects_data();
    void changingTheNoteObjects();
    void anObjectionOutlivesAPostponement();
    void anObjectionOutlivesTheAlert();
    void anObjectionOutlivesANewPod();
    void anObjectionAtTheLastMoment();
    void aPersonsMarkHasNoNoteToChange();
    void anObjectionHoldsUntilItWorks();
    void noteFollowsTheMark();
    void staysLocalWithoutTheRight();
    void aLostNoteIsTriedAgain();
    void crashBetweenNoteAndMark();
    void aClockAheadMarksNothing();
    void newPodOfAMarkedObject();
    void offByDefault();
};

void TestRuleMarks::marksWhatIsIdleInItsScope()
{
    RuleBench bench;
    const Ids ids = bench.addIdle(2);
    bench.environment.addIdle(bench.platform.add("other"), "speech");
    const auto told = bench.apply();
    QVERIFY2(!bench.ruleError, bench.ruleError ? bench.ruleError->text.c_str() : "");
    QVERIFY(isAll(told, RuleMark::Kind::Marked, 2));
    const auto marks = bench.marks();
    QCOMPARE(marks.size(), std::size_t{2});
    for (const Lease &mark : marks) {
        QCOMPARE(mark.actor, std::string("alert idle-cost"));
        QCOMPARE(mark.reason, std::string("too much"));
        QVERIFY(mark.until == bench.environment.wall.time + 4 * kHour);
        QVERIFY(std::find(ids.begin(), ids.end(), mark.holder) != ids.end());
    }
    QCOMPARE(bench.grants(), std::size_t{2});
    QCOMPARE(bench.noteAt("train-0"), base::toRfc3339(*marks.front().until));
    QCOMPARE(bench.noteAt("train-0", model::kStopReasonNote), std::string("alert idle-cost: too much"));
    QCOMPARE(bench.noteAt("other"), std::string());
    QCOMPARE(bench.platform.writes(), 0); // nothing is stopped at once
}

void TestRuleMarks::marksInAPoolOfOneCluster()
{
    RuleBench bench;
    bench.addIdle(4);
    for (std::size_t i = 0; i < 3; ++i)
        bench.environment.idle.items[i].nodePool = i == 0 ? "other" : "a100";
    bench.environment.idle.items[2].cluster = "c2";
    bench.rules.front().scope = actions::MarkScope::Pool;
    bench.rules.front().firing = {{"c1/a100", "too much"}};
    const auto told = bench.apply();
    QVERIFY(isAll(told, RuleMark::Kind::Marked, 1));
    QCOMPARE(told.front().holder, bench.environment.idle.items[1].id);
}

void TestRuleMarks::stoppedAfterItsNotice()
{
    RuleBench bench;
    bench.addIdle(1);
    QVERIFY(bench.watchRules(4 * kHour - kRound).empty());
    QCOMPARE(bench.platform.effects(), 0);
    const auto events = bench.watchRules(kRound);
    QVERIFY(events.size() == 1 && events.front().end == MarkEnd::Stopped);
    QCOMPARE(bench.log->all().value().front().intent.actor, std::string("watch for alert idle-cost"));
    QCOMPARE(bench.platform.effects(), 1);
}

void TestRuleMarks::marksOnceAlsoAfterARestart()
{
    RuleBench bench;
    bench.addIdle(2);
    QVERIFY(isAll(bench.apply(), RuleMark::Kind::Marked, 2));
    const auto first = bench.marks();
    bench.environment.pass(kHour);
    QVERIFY(bench.apply().empty());
    bench.memory = {};
    bench.reopen();
    QVERIFY(bench.apply().empty());
    QCOMPARE(bench.grants(), std::size_t{2});
    QVERIFY(bench.marks().front().until == first.front().until);
}

void TestRuleMarks::leavesOutWhatIsKept_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<int>("why");
    for (const char *how : {"rule", "keep-until", "protect", "snooze", "released", "sibling"})
        QTest::newRow(how) << QString::fromLatin1(how) << static_cast<int>(LeftOut::Kept);
    for (const char *how : {"label", "note", "namespace", "active", "managed"})
        QTest::newRow(how) << QString::fromLatin1(how) << static_cast<int>(LeftOut::Check);
    QTest::newRow("one way") << QStringLiteral("one way") << static_cast<int>(LeftOut::OneWay);
}

void TestRuleMarks::leavesOutWhatIsKept()
{
    QFETCH(QString, how);
    QFETCH(int, why);
    RuleBench bench;
    const Ids ids = bench.addIdle(1);
    FakeObject &object = *bench.platform.named("train-0");
    if (how == QLatin1String("rule"))
        bench.environment.idle.items[0].protection = "namespace prod";
    else if (const auto kind = model::leaseKindFrom(how.toStdString()))
        bench.wish(ids[0], *kind);
    else if (how == QLatin1String("released")) {
        QVERIFY(bench.mark(ids));
        bench.environment.idle.items[0].since = bench.environment.wall.time - kHour;
        QVERIFY(bench.log->end(bench.marks().front().id, bench.environment.wall.time, "kim"));
    } else if (how == QLatin1String("label"))
        object.labels["gpu-ledger.io/protect"] = "true";
    else if (how == QLatin1String("note"))
        object.annotations["gpu-ledger.io/keep-until"] = "2026-12-01";
    else if (how == QLatin1String("namespace"))
        object.nameSpaceLabels["gpu-ledger.io/keep-until"] = "2026-12-01";
    else if (how == QLatin1String("active"))
        bench.environment.live[ids[0]] = actions::Liveness::Kind::Active;
    else if (how == QLatin1String("managed"))
        object.managers = {"keda:scaler"};
    else if (how == QLatin1String("one way")) {
        object.isReversible = false;
        bench.environment.config.actions.permitsIrreversible = true;
    } else { // another pod of the object is snoozed
        object.holders.push_back({"c1", "ml", "train-0-second", "pod-second", "n1", {}});
        bench.environment.idle.items.clear();
        bench.environment.addIdle(object);
        bench.wish(actions::idOf(object.holders.back()), Lease::Kind::Snooze);
    }
    const auto told = bench.apply();
    QVERIFY(!told.empty() && told.front().kind == RuleMark::Kind::LeftOut);
    QCOMPARE(static_cast<int>(told.front().why), why);
    QVERIFY(bench.marks().empty());
    QCOMPARE(bench.noteAt("train-0"), std::string());
    QVERIFY(bench.apply().empty()); // told once
    bench.environment.pass(actions::kLookAgain);
    QVERIFY(!bench.apply().empty());
    QVERIFY(bench.marks().empty());
}

void TestRuleMarks::staysWithinTheLimits()
{
    RuleBench bench;
    bench.environment.config.actions.maxPerAction = 3;
    bench.addIdle(2);
    QVERIFY(isAll(bench.apply(), RuleMark::Kind::Marked, 2));
    bench.addIdle(2, "late");
    const auto told = bench.apply();
    QCOMPARE(told.size(), std::size_t{2});
    QVERIFY(told[0].kind == RuleMark::Kind::Marked);
    QVERIFY(told[1].kind == RuleMark::Kind::LeftOut && told[1].why == LeftOut::TooMuch);
    QCOMPARE(bench.marks().size(), std::size_t{3});
    RuleBench small;
    small.environment.held["vision"] = 4; // one of four is more than a fifth
    small.addIdle(1);
    const auto none = small.apply();
    QVERIFY(none.size() == 1 && none.front().why == LeftOut::TooMuch);
    QVERIFY(small.marks().empty());
}

void TestRuleMarks::releasedWhenTheAlertResolves()
{
    RuleBench bench;
    bench.addIdle(2);
    bench.apply();
    bench.rules.front().firing.clear();
    QVERIFY(isAll(bench.apply(), RuleMark::Kind::Released, 2));
    QVERIFY(bench.marks().empty());
    QCOMPARE(bench.noteAt("train-0"), std::string());
    QVERIFY(actions::announcedIn(bench.folder()).empty());
    const std::string said = bench.said(store::kEndLease);
    QVERIFY2(said.find("\"resolved\"") != std::string::npos, said.c_str());
    bench.environment.pass(kHour); // it fires again: a whole notice again
    bench.rules.front().firing["vision"] = "too much again";
    QVERIFY(isAll(bench.apply(), RuleMark::Kind::Marked, 2));
    QVERIFY(bench.marks().front().until == bench.environment.wall.time + 4 * kHour);
    bench.rules.clear(); // the rule is gone from the configuration
    QVERIFY(isAll(bench.apply(), RuleMark::Kind::Released, 2));
}

void TestRuleMarks::neverReleasesAPersonsMark()
{
    RuleBench bench;
    const Ids ids = bench.addIdle(1);
    QVERIFY(bench.mark(ids));
    QVERIFY(bench.apply().empty());
    bench.rules.front().firing.clear();
    QVERIFY(bench.apply().empty());
    QCOMPARE(bench.marks().size(), std::size_t{1});
    QCOMPARE(bench.marks().front().actor, std::string("alex"));
}

void TestRuleMarks::keepUntilObjects_data()
{
    QTest::addColumn<QString>("until");
    QTest::addColumn<bool>("isKept");
    QTest::newRow("a time") << QStringLiteral("2026-10-04T14:00:00Z") << true;
    QTest::newRow("a day") << QStringLiteral("2026-10-06") << true;
    QTest::newRow("not a time") << QStringLiteral("next week") << true; // someone objects
    QTest::newRow("empty") << QString() << true;
    QTest::newRow("in the past") << QStringLiteral("2026-10-04T12:00:00Z") << false;
}

// The owner annotates the object after it was marked.
void TestRuleMarks::keepUntilObjects()
{
    QFETCH(QString, until);
    QFETCH(bool, isKept);
    RuleBench bench; // it is 09:00, and due at 13:00
    bench.addIdle(1);
    QVERIFY(bench.watchRules(kHour).empty());
    bench.platform.named("train-0")->annotations[model::kKeepUntil] = until.toStdString();
    const auto events = bench.watchRules(4 * kHour);
    QCOMPARE(events.size(), std::size_t{1});
    QCOMPARE(bench.platform.effects(), isKept ? 0 : 1);
    QVERIFY(events.front().end == (isKept ? MarkEnd::Objected : MarkEnd::Stopped));
    QVERIFY(bench.marks().empty());
    if (!isKept)
        return;
    QVERIFY(events.front().check && events.front().check->why == actions::Why::Annotation);
    QVERIFY(events.front().check->subject.find(model::kKeepUntil) != std::string::npos);
    QVERIFY(bench.said(store::kEndLease).find("objected") != std::string::npos);
    QCOMPARE(bench.noteAt("train-0"), std::string()); // nothing is planned any more
    QCOMPARE(bench.noteAt("train-0", model::kKeepUntil), until.toStdString()); // the owner's stays
}

void TestRuleMarks::changingTheNoteObjects_data()
{
    QTest::addColumn<QString>("note"); // what the owner makes of stop-at; "-": removed; "reason": only that is removed
    QTest::addColumn<bool>("isKept");
    QTest::newRow("removed") << QStringLiteral("-") << true;
    QTest::newRow("later") << QStringLiteral("2026-12-01T00:00:00Z") << true;
    QTest::newRow("not a time") << QStringLiteral("never") << true;
    QTest::newRow("empty") << QString() << true;
    QTest::newRow("unchanged") << QStringLiteral("2026-10-04T13:00:00Z") << false;
    QTest::newRow("the same moment") << QStringLiteral("2026-10-04T15:00:00+02:00") << false;
    QTest::newRow("the reason") << QStringLiteral("reason") << false;
}

// The owner changes what the program wrote at the object.
void TestRuleMarks::changingTheNoteObjects()
{
    QFETCH(QString, note);
    QFETCH(bool, isKept);
    RuleBench bench; // it is 09:00, and due at 13:00
    bench.addIdle(1);
    QVERIFY(bench.watchRules(kHour).empty());
    QCOMPARE(bench.noteAt("train-0"), std::string("2026-10-04T13:00:00Z"));
    model::Labels &annotations = bench.platform.named("train-0")->annotations;
    if (note == QStringLiteral("-"))
        annotations.erase(model::kStopAtNote);
    else if (note == QStringLiteral("reason"))
        annotations.erase(model::kStopReasonNote);
    else
        annotations[model::kStopAtNote] = note.toStdString();
    const auto events = bench.watchRules(4 * kHour);
    QCOMPARE(events.size(), std::size_t{1});
    QCOMPARE(bench.platform.effects(), isKept ? 0 : 1);
    QVERIFY(events.front().end == (isKept ? MarkEnd::Objected : MarkEnd::Stopped));
    QVERIFY(bench.marks().empty());
    if (!isKept)
        return;
    QVERIFY(events.front().check && events.front().check->why == actions::Why::Annotation);
    QVERIFY(events.front().check->subject.find(model::kStopAtNote) != std::string::npos);
    QVERIFY(bench.said(store::kEndLease).find("objected") != std::string::npos);
    QCOMPARE(bench.noteAt("train-0"), std::string()); // nothing is planned any more
}

// The watch was off when it fell due. The new time does not hide what the owner made of the old one.
void TestRuleMarks::anObjectionOutlivesAPostponement()
{
    for (const bool isRefused : {false, true}) {
        RuleBench bench;
        bench.addIdle(1);
        bench.apply();
        model::Labels &annotations = bench.platform.named("train-0")->annotations;
        if (!isRefused)
            annotations.erase(model::kStopAtNote);
        bench.environment.pass(5 * kHour);
        const auto postponed = bench.round();
        QVERIFY(postponed.size() == 1 && postponed.front().kind == MarkEvent::Kind::Postponed);
        if (isRefused) {
            bench.platform.script[Call::Announce] = {FakeAnswer::Forbidden};
            bench.apply();
            QCOMPARE(bench.noteAt("train-0"), std::string("2026-10-04T13:00:00Z"));
            annotations.erase(model::kStopAtNote);
        }
        const auto events = bench.watchRules(kHour);
        QVERIFY(!events.empty() && events.front().end == MarkEnd::Objected);
        QCOMPARE(bench.platform.effects(), 0);
    }
}

// The alert ends for a while before the mark is due, first when the object can't be read.
void TestRuleMarks::anObjectionOutlivesTheAlert()
{
    RuleBench bench;
    bench.addIdle(1);
    bench.apply();
    bench.platform.named("train-0")->annotations.erase(model::kStopAtNote);
    const auto firing = std::exchange(bench.rules.front().firing, {});
    bench.platform.script[Call::Read] = {FakeAnswer::TimedOut};
    QVERIFY(bench.apply().empty());
    QCOMPARE(bench.marks().size(), std::size_t{1});
    const auto told = bench.apply();
    QVERIFY(isAll(told, RuleMark::Kind::Released, 1));
    QVERIFY(told.front().check && told.front().check->why == actions::Why::Annotation);
    QVERIFY(bench.said(store::kEndLease).find("objected") != std::string::npos);
    bench.rules.front().firing = firing;
    for (int days = 0; days < 3; ++days) {
        bench.environment.pass(base::kDay);
        bench.memory = {};
        QVERIFY(isAll(bench.apply(), RuleMark::Kind::LeftOut, 1));
        QVERIFY(bench.marks().empty());
    }
    bench.environment.idle.items[0].since = bench.environment.wall.time - kHour;
    bench.memory = {};
    QVERIFY(isAll(bench.apply(), RuleMark::Kind::Marked, 1));
}

// A mark of another pod would be noted at the same object.
void TestRuleMarks::anObjectionOutlivesANewPod()
{
    RuleBench bench;
    bench.addIdle(1);
    bench.apply();
    bench.platform.named("train-0")->annotations.erase(model::kStopAtNote);
    bench.addPod();
    const auto told = bench.apply();
    QVERIFY(isAll(told, RuleMark::Kind::LeftOut, 1) && told.front().why == LeftOut::Kept);
    QCOMPARE(bench.noteAt("train-0"), std::string());
    bench.before = bench.environment.wall.time;
    const auto events = bench.watchRules(10 * kHour);
    QVERIFY(events.size() == 1 && events.front().end == MarkEnd::Objected);
    QCOMPARE(bench.platform.effects(), 0);
}

// The note is removed while the watch checks the due marks.
void TestRuleMarks::anObjectionAtTheLastMoment()
{
    RuleBench bench;
    bench.addIdle(1);
    bench.watchRules(4 * kHour - 2 * kRound);
    QCOMPARE(bench.platform.effects(), 0);
    bench.environment.pass(kRound);
    bench.platform.hook = [&bench](Call call, const std::string &, bool isAfter) {
        if (call == Call::Read && !isAfter)
            bench.platform.named("train-0")->annotations.erase(model::kStopAtNote);
    };
    const auto events = bench.round();
    QVERIFY(events.size() == 1 && events.front().end == MarkEnd::Objected);
    QCOMPARE(bench.platform.effects(), 0);
}

// A person's mark writes nothing at the object, and what is left there of a rule's mark says nothing about it.
void TestRuleMarks::aPersonsMarkHasNoNoteToChange()
{
    RuleBench bench;
    const Ids ids = bench.addIdle(1);
    bench.apply();
    const auto notes = actions::announcedIn(bench.folder());
    QVERIFY(bench.log->end(bench.marks().front().id, bench.environment.wall.time, "kim"));
    bench.rules.clear();
    bench.platform.named("train-0")->annotations.clear();
    QVERIFY(bench.mark(ids));
    QVERIFY(actions::setAnnounced(bench.folder(), notes)); // as after a crash
    const auto events = bench.watch(kHour);
    QVERIFY(events.size() == 1 && events.front().end == MarkEnd::Stopped);
}

void TestRuleMarks::anObjectionHoldsUntilItWorks()
{
    RuleBench bench;
    bench.addIdle(1);
    bench.apply();
    QVERIFY(bench.log->end(bench.marks().front().id, bench.environment.wall.time, "kim"));
    for (int days = 0; days < 3; ++days) {
        bench.environment.pass(base::kDay);
        bench.memory = {};
        bench.apply();
        QVERIFY(bench.marks().empty());
    }
    bench.environment.idle.items[0].since = bench.environment.wall.time - kHour;
    bench.memory = {};
    QVERIFY(isAll(bench.apply(), RuleMark::Kind::Marked, 1));
}

// The watch was off when it fell due, so that the mark is postponed; then a person takes it back.
void TestRuleMarks::noteFollowsTheMark()
{
    RuleBench bench;
    bench.addIdle(1);
    bench.apply();
    bench.environment.pass(5 * kHour);
    const auto events = bench.round();
    QVERIFY(events.size() == 1 && events.front().kind == MarkEvent::Kind::Postponed);
    bench.apply();
    QCOMPARE(bench.noteAt("train-0"), base::toRfc3339(*bench.marks().front().until));
    QVERIFY(bench.log->end(bench.marks().front().id, bench.environment.wall.time, "kim"));
    bench.apply();
    QCOMPARE(bench.noteAt("train-0"), std::string());
}

void TestRuleMarks::staysLocalWithoutTheRight()
{
    RuleBench bench;
    bench.addIdle(1);
    bench.platform.script[Call::Announce] = {FakeAnswer::Forbidden};
    const auto told = bench.apply();
    QVERIFY(isAll(told, RuleMark::Kind::Marked, 1));
    QVERIFY(told.front().detail.find("403") != std::string::npos);
    QVERIFY(bench.marks().front().reason.find("not noted at the object: 403") != std::string::npos);
    bench.environment.pass(kHour);
    QVERIFY(bench.apply().empty());
    QCOMPARE(bench.noteAt("train-0"), std::string()); // not tried again
}

void TestRuleMarks::aLostNoteIsTriedAgain()
{
    for (const FakeAnswer answer : {FakeAnswer::TimedOut, FakeAnswer::TimedOutDone, FakeAnswer::TooMany,
                                    FakeAnswer::Conflict, FakeAnswer::ServerError}) {
        RuleBench bench;
        bench.addIdle(1);
        bench.platform.script[Call::Announce] = {answer};
        QVERIFY(isAll(bench.apply(), RuleMark::Kind::Marked, 1));
        bench.environment.pass(kRound);
        QVERIFY(bench.apply().empty());
        QCOMPARE(bench.noteAt("train-0"), base::toRfc3339(*bench.marks().front().until));
        bench.rules.front().firing.clear();
        bench.platform.script[Call::Announce] = {answer, answer};
        bench.apply();
        bench.apply();
        bench.apply();
        QCOMPARE(bench.noteAt("train-0"), std::string());
        QVERIFY(actions::announcedIn(bench.folder()).empty());
    }
}

// The note was written, but the mark was not.
void TestRuleMarks::crashBetweenNoteAndMark()
{
    RuleBench bench;
    bench.addIdle(1);
    bench.apply();
    const auto notes = actions::announcedIn(bench.folder());
    QCOMPARE(notes.size(), std::size_t{1});
    bench.rules.front().firing.clear();
    FakeObject &object = *bench.platform.named("train-0");
    const model::Labels before = object.annotations;
    bench.apply();
    object.annotations = before;
    QVERIFY(actions::setAnnounced(bench.folder(), notes));
    bench.reopen();
    bench.apply();
    QVERIFY(object.annotations.empty());
    QVERIFY(actions::announcedIn(bench.folder()).empty());
}

void TestRuleMarks::aClockAheadMarksNothing()
{
    RuleBench bench;
    bench.addIdle(1);
    bench.round();
    bench.apply();
    const auto due = bench.marks().front().until;
    bench.addIdle(1, "late");
    bench.environment.wall.time += 6 * kHour; // but no time has passed
    const auto told = bench.apply();
    QVERIFY(isAll(told, RuleMark::Kind::LeftOut, 1));
    QVERIFY(told.front().check && told.front().check->why == actions::Why::Jumped);
    bench.round();
    QCOMPARE(bench.platform.effects(), 0);
    bench.environment.wall.time -= 6 * kHour; // set right again: not remembered as left out
    bench.clock.emplace();
    QVERIFY(isAll(bench.apply(), RuleMark::Kind::Marked, 1));
    QVERIFY(bench.marks().front().until >= due);
}

// An object is stopped as a whole, so its pods have one time.
void TestRuleMarks::newPodOfAMarkedObject()
{
    RuleBench bench;
    bench.addIdle(1);
    bench.apply();
    bench.addPod();
    QVERIFY(!bench.apply().empty());
    const auto marks = bench.marks();
    QCOMPARE(marks.size(), std::size_t{2});
    for (const Lease &mark : marks)
        QVERIFY(mark.until == bench.environment.wall.time + 4 * kHour);
    QCOMPARE(bench.noteAt("train-0"), base::toRfc3339(*marks.front().until));
    bench.before = bench.environment.wall.time;
    const auto events = bench.watchRules(4 * kHour);
    QCOMPARE(bench.platform.effects(), 1);
    QCOMPARE(events.size(), std::size_t{2});
}

void TestRuleMarks::offByDefault()
{
    RuleBench bench;
    bench.addIdle(1);
    bench.environment.config.actions.stopsMarked = false;
    QVERIFY(bench.apply().empty());
    QVERIFY(bench.marks().empty());
    QCOMPARE(bench.noteAt("train-0"), std::string());
}

GPULEDGER_SUITE(TestRuleMarks)

} // namespace tst_rulemarks

#include "tst_rulemarks.moc"
