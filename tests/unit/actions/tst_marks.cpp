// SPDX-License-Identifier: GPL-3.0-or-later
// Workloads that are marked, to be stopped later unless someone objects: when they are stopped, when not, and why.
#include "app/actions/run/lastround.h"
#include "tests/support/fakes/markbench.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>

namespace tst_marks {

using namespace gpuledger;
using namespace gpuledger::tests;
using actions::MarkDelay;
using actions::MarkEnd;
using actions::MarkEvent;
using base::ErrorCode;
using model::ActionState;
using model::Lease;
using Call = FakePlatform::Call;

namespace {

constexpr base::Seconds kHour{3600}, kMinute{60};

bool isOver(const std::vector<MarkEvent> &events, MarkEnd end)
{
    return events.size() == 1 && events.front().kind == MarkEvent::Kind::Over && events.front().end == end;
}

} // namespace

class TestMarks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stoppedOnceWhenDue();
    void notBefore();
    void neverWhereItIsSwitchedOff();
    void marksNothingThatIsNeverStopped();
    void neverOneWayOrAgainstOthers_data();
    void neverOneWayOrAgainstOthers();
    void noticeHasLimits();
    void objections_data();
    void objections();
    void objectionWhileItIsStopped();
    void workInBetween();
    void activeWhenDue();
    void writingWhenDue();
    void gone();
    void freshNoticeAfterAGap_data();
    void freshNoticeAfterAGap();
    void freshNoticeAfterAJump();
    void unreachableIsTriedAgain();
    void givenUpInTheEnd();
    void tooMuchAtOnce();
    void tooMuchOfATeam();
    void quotaOfTheOneWhoMarked();
    void unmarkedHolderOfTheSameObject();
    void stoppedByHand();
    void undoneIsNotStoppedAgain();
    void platformRefuses();
    void changesRightBeforeTheCall();
    void crashAnywhere();
    void twoMarkersTwoRuns();
    void lastRoundIsKept();
};

void TestMarks::stoppedOnceWhenDue()
{
    MarkBench bench;
    const Ids ids = bench.addIdle(2);
    const auto marked = bench.mark(ids);
    QVERIFY2(marked.has_value(), marked ? "" : marked.error().text.c_str());
    QCOMPARE(marked->leases.size(), std::size_t{2});
    QCOMPARE(bench.platform.writes(), 0);
    const auto events = bench.watch(3 * kHour);
    QCOMPARE(events.size(), std::size_t{2});
    for (const MarkEvent &event : events)
        QVERIFY(event.kind == MarkEvent::Kind::Over && event.end == MarkEnd::Stopped && event.action > 0);
    QCOMPARE(bench.platform.effects(), 2);
    QVERIFY(bench.marks().empty());
    const auto records = bench.log->all().value();
    QCOMPARE(records.size(), std::size_t{2});
    QCOMPARE(records.front().intent.actor, std::string("watch for alex"));
    QCOMPARE(records.front().intent.reason, std::string("unused for days"));
    QVERIFY(records.front().state == ActionState::Verified);
}

void TestMarks::notBefore()
{
    MarkBench bench;
    QVERIFY(bench.mark(bench.addIdle(1)));
    QVERIFY(bench.watch(kHour - kRound).empty());
    QCOMPARE(bench.platform.writes(), 0);
    QCOMPARE(bench.marks().size(), std::size_t{1});
    QVERIFY(isOver(bench.watch(kRound), MarkEnd::Stopped));
}

void TestMarks::neverWhereItIsSwitchedOff()
{
    MarkBench bench;
    const Ids ids = bench.addIdle(1);
    QVERIFY(bench.mark(ids));
    bench.environment.config.actions.stopsMarked = false;
    QVERIFY(bench.watch(3 * kHour).empty());
    QCOMPARE(bench.platform.writes(), 0);
    QCOMPARE(bench.marks().size(), std::size_t{1});
    const auto refused = bench.mark(ids);
    QVERIFY(!refused && refused.error().code == ErrorCode::Refused);
    QVERIFY(!model::Settings().actions.stopsMarked); // by default
}

void TestMarks::marksNothingThatIsNeverStopped()
{
    MarkBench bench;
    bench.platform.add("bare", model::StopVerb::Delete).isReversible = false;
    bench.environment.addIdle(*bench.platform.named("bare"));
    const auto forbidden = bench.mark({MarkBench::idOf(*bench.platform.named("bare"))});
    QVERIFY(forbidden && forbidden->leases.empty() && !forbidden->plan.stops.front().isStoppable());
    bench.environment.config.actions.permitsIrreversible = true; // not even if it is permitted
    const auto oneWay = bench.mark({MarkBench::idOf(*bench.platform.named("bare"))});
    QVERIFY(!oneWay && oneWay.error().code == ErrorCode::Refused);
    const Ids managed = bench.addIdle(1, "managed");
    bench.platform.named("managed-0")->managers = {"keda:scaler"};
    const auto others = bench.mark(managed);
    QVERIFY(others && others->leases.empty());
    const auto many = bench.mark(bench.addIdle(11));
    QVERIFY(!many && many.error().code == ErrorCode::Refused);
    QVERIFY(bench.marks().empty());
    const Ids ids = bench.addIdle(2, "kept");
    bench.platform.named("kept-0")->labels["gpu-ledger.io/protect"] = "true";
    const auto partly = bench.mark(ids);
    QVERIFY(partly && partly->leases.size() == 1 && partly->leases.front().holder == ids[1]);
    QCOMPARE(bench.platform.writes(), 0);
}

void TestMarks::neverOneWayOrAgainstOthers_data()
{
    QTest::addColumn<bool>("isManaged");
    QTest::addColumn<bool>("isPermitted");
    QTest::addColumn<int>("end");
    QTest::newRow("managed") << true << true << static_cast<int>(MarkEnd::Refused);
    QTest::newRow("one way") << false << false << static_cast<int>(MarkEnd::Refused);
    QTest::newRow("one way, permitted") << false << true << static_cast<int>(MarkEnd::OneWay);
}

// It became so after it was marked: no one is at the watch to type a name or to confirm.
void TestMarks::neverOneWayOrAgainstOthers()
{
    QFETCH(bool, isManaged);
    QFETCH(bool, isPermitted);
    QFETCH(int, end);
    MarkBench bench;
    bench.environment.config.actions.permitsIrreversible = isPermitted;
    QVERIFY(bench.mark(bench.addIdle(1)));
    FakeObject &object = *bench.platform.named("train-0");
    if (isManaged)
        object.managers = {"argo-cd:apps"};
    else
        object.isReversible = false;
    const auto events = bench.watch(3 * kHour);
    QVERIFY(isOver(events, static_cast<MarkEnd>(end)));
    QCOMPARE(bench.platform.writes(), 0);
    QVERIFY(bench.marks().empty());
}

void TestMarks::noticeHasLimits()
{
    MarkBench bench;
    const Ids ids = bench.addIdle(1);
    for (const base::Seconds after :
         {base::Seconds{0}, base::Seconds{-60}, 10 * kMinute - base::Seconds{1}, 30 * base::kDay + base::Seconds{1}}) {
        const auto refused = bench.mark(ids, after);
        QVERIFY(!refused && refused.error().code == ErrorCode::InvalidArgument);
    }
    QVERIFY(bench.mark(ids, 10 * kMinute) && bench.mark(ids, 30 * base::kDay));
    QCOMPARE(bench.marks().size(), std::size_t{1}); // the last one applies
}

void TestMarks::objections_data()
{
    QTest::addColumn<QString>("how");
    for (const char *how : {"released", "keep-until", "protect", "label", "annotation", "namespace", "rule", "snooze"})
        QTest::newRow(how) << QString::fromLatin1(how);
}

void TestMarks::objections()
{
    QFETCH(QString, how);
    MarkBench bench;
    const Ids ids = bench.addIdle(2);
    QVERIFY(bench.mark(ids));
    FakeObject &object = *bench.platform.named("train-0");
    QVERIFY(bench.watch(30 * kMinute).empty());
    if (how == QLatin1String("released"))
        QVERIFY(bench.log->end(bench.marks().front().id, bench.environment.wall.time, "kim"));
    else if (how == QLatin1String("keep-until") || how == QLatin1String("protect") || how == QLatin1String("snooze"))
        bench.wish(ids[0], *model::leaseKindFrom(how.toStdString()));
    else if (how == QLatin1String("namespace"))
        object.nameSpaceLabels["gpuledger.io/protect"] = "true";
    else if (how == QLatin1String("rule"))
        bench.environment.idle.items[0].protection = "namespace prod";
    else if (how == QLatin1String("annotation"))
        object.annotations["gpuledger.io/protect"] = "true";
    else
        object.labels["gpu-ledger.io/protect"] = "yes";
    const auto events = bench.watch(2 * kHour);
    const bool isObjection = how != QLatin1String("snooze"); // snoozing only lists it below the others
    QCOMPARE(bench.platform.effects(), isObjection ? 1 : 2);
    QCOMPARE(bench.platform.named("train-0")->isStopped(), !isObjection);
    QVERIFY(bench.marks().empty());
    if (!isObjection || how == QLatin1String("released"))
        return;
    const auto told =
        std::find_if(events.begin(), events.end(), [&](const MarkEvent &e) { return e.lease.holder == ids[0]; });
    QVERIFY(told != events.end() && told->end == MarkEnd::Objected && told->check);
    const auto entries = bench.cache->months().audit().value();
    QVERIFY(std::any_of(entries.begin(), entries.end(), [&](const store::AuditEntry &entry) {
        const auto mark = actions::markIn(entry.event);
        return mark && entry.event.object == ids[0] && mark->end == MarkEnd::Objected && mark->check == told->check;
    }));
}

// Between the plan and the call the mark is withdrawn, a lease is requested, or the mark is postponed.
void TestMarks::objectionWhileItIsStopped()
{
    for (const char how : {'r', 'w', 'l'}) {
        MarkBench bench;
        const Ids ids = bench.addIdle(1);
        QVERIFY(bench.mark(ids));
        QVERIFY(bench.watch(kHour - kRound).empty());
        bench.environment.pass(kRound);
        int looks = 0;
        bench.environment.onLook = [&] {
            if (++looks != 2) // the last check before the call
                return;
            if (how == 'r')
                QVERIFY(bench.log->end(bench.marks().front().id, bench.environment.wall.time, "kim"));
            else if (how == 'w')
                bench.wish(ids[0], Lease::Kind::Protect);
            else
                bench.wish(ids[0], Lease::Kind::StopAfter); // ten hours from now
        };
        const auto events = bench.round();
        QCOMPARE(bench.platform.writes(), 0);
        QVERIFY(how == 'w' ? isOver(events, MarkEnd::Objected) : events.empty());
        QCOMPARE(bench.marks().size(), std::size_t{how == 'l' ? 1U : 0U});
        QVERIFY(bench.log->all().value().front().state == ActionState::Refused);
        QVERIFY(bench.watch(2 * kHour).empty());
        QCOMPARE(bench.platform.writes(), 0);
    }
}

void TestMarks::workInBetween()
{
    MarkBench bench;
    const Ids ids = bench.addIdle(1);
    QVERIFY(bench.mark(ids, 5 * kHour));
    QVERIFY(bench.watch(kHour).empty());
    bench.environment.idle.items[0].since = bench.environment.wall.time - 10 * kMinute; // it was active until then
    QVERIFY(isOver(bench.round(), MarkEnd::Worked));
    QVERIFY(bench.watch(5 * kHour).empty());
    QCOMPARE(bench.platform.writes(), 0);
}

void TestMarks::activeWhenDue()
{
    MarkBench bench;
    const Ids ids = bench.addIdle(1);
    QVERIFY(bench.mark(ids));
    bench.environment.live[ids[0]] = actions::Liveness::Kind::Active; // only according to live samples
    const auto events = bench.watch(2 * kHour);
    QVERIFY(isOver(events, MarkEnd::Refused) && events[0].check && events[0].check->why == actions::Why::Active);
    QCOMPARE(bench.platform.writes(), 0);
}

void TestMarks::writingWhenDue()
{
    MarkBench bench;
    QVERIFY(bench.mark(bench.addIdle(1)));
    bench.environment.writes = 5e6; // a checkpoint
    QVERIFY(isOver(bench.watch(2 * kHour), MarkEnd::Refused));
    QCOMPARE(bench.platform.writes(), 0);
}

void TestMarks::gone()
{
    MarkBench bench;
    QVERIFY(bench.mark(bench.addIdle(1)));
    bench.environment.idle.items.clear();
    QVERIFY(isOver(bench.watch(2 * kHour), MarkEnd::Left));
    QCOMPARE(bench.platform.writes(), 0);
}

void TestMarks::freshNoticeAfterAGap_data()
{
    QTest::addColumn<int>("minutes"); // without a round
    QTest::addColumn<bool>("isGap");
    QTest::newRow("none") << 5 << false;
    QTest::newRow("short") << 15 << false;
    QTest::newRow("long") << 16 << true;
    QTest::newRow("a night") << 600 << true;
    QTest::newRow("first start") << -1 << true;
}

void TestMarks::freshNoticeAfterAGap()
{
    QFETCH(int, minutes);
    QFETCH(bool, isGap);
    MarkBench bench;
    QVERIFY(bench.mark(bench.addIdle(1)));
    if (minutes < 0) {
        bench.environment.pass(kHour); // without any round before
    } else {
        QVERIFY(bench.watch(kHour - kRound).empty());
        bench.environment.pass(minutes * kMinute);
    }
    const base::UtcTime woken = bench.environment.wall.time;
    const auto events = bench.round();
    if (!isGap) {
        QVERIFY(isOver(events, MarkEnd::Stopped));
        return;
    }
    QCOMPARE(events.size(), std::size_t{1});
    QVERIFY(events[0].kind == MarkEvent::Kind::Postponed && events[0].delay == MarkDelay::Unwatched);
    QVERIFY(events[0].lease.until == woken + 10 * kMinute);
    QVERIFY(bench.marks().front().until == events[0].lease.until);
    QVERIFY(bench.said(store::kPostponeLease).find("unwatched") != std::string::npos);
    QCOMPARE(bench.platform.writes(), 0);
    const auto later = bench.watch(kHour);
    QVERIFY(isOver(later, MarkEnd::Stopped));
    QVERIFY(bench.log->all().value().front().intent.at >= woken + 10 * kMinute);
}

void TestMarks::freshNoticeAfterAJump()
{
    MarkBench bench;
    QVERIFY(bench.mark(bench.addIdle(1)));
    QVERIFY(bench.watch(kHour - 3 * kRound).empty());
    bench.environment.wall.time += 15 * kMinute; // only the clock: rounds continued
    const base::UtcTime jumped = bench.environment.wall.time;
    const auto events = bench.watch(2 * kHour);
    QVERIFY(!events.empty() && events.front().kind == MarkEvent::Kind::Postponed);
    QVERIFY(events.front().delay == MarkDelay::ClockJumped);
    QVERIFY(events.back().kind == MarkEvent::Kind::Over && events.back().end == MarkEnd::Stopped);
    QVERIFY(bench.log->all().value().front().intent.at >= jumped + 10 * kMinute);
    QCOMPARE(bench.platform.effects(), 1);
}

void TestMarks::unreachableIsTriedAgain()
{
    MarkBench bench;
    QVERIFY(bench.mark(bench.addIdle(1)));
    bench.environment.isBlind = true;
    auto events = bench.watch(kHour + kRound);
    QCOMPARE(events.size(), std::size_t{2}); // when due, and five minutes later
    QVERIFY(events[0].kind == MarkEvent::Kind::Waits && events[0].check);
    QCOMPARE(bench.marks().size(), std::size_t{1});
    bench.environment.isBlind = false;
    bench.environment.pass(kRound);
    QVERIFY(isOver(bench.round(), MarkEnd::Stopped));
}

void TestMarks::givenUpInTheEnd()
{
    MarkBench bench;
    QVERIFY(bench.mark(bench.addIdle(1)));
    bench.environment.isBlind = true;
    const auto events = bench.watch(8 * kHour);
    QVERIFY(events.back().kind == MarkEvent::Kind::Over && events.back().end == MarkEnd::GaveUp);
    QVERIFY(bench.marks().empty());
    bench.environment.isBlind = false;
    QVERIFY(bench.watch(kHour).empty());
    QCOMPARE(bench.platform.writes(), 0);
}

void TestMarks::tooMuchAtOnce()
{
    MarkBench bench; // each is within the limits, but all together are not
    for (const char *prefix : {"a", "b"})
        QVERIFY(bench.mark(bench.addIdle(6, prefix)));
    const auto events = bench.watch(2 * kHour);
    QCOMPARE(events.size(), std::size_t{12});
    for (const MarkEvent &event : events)
        QVERIFY(event.kind == MarkEvent::Kind::Over && event.end == MarkEnd::TooMuch);
    QVERIFY(bench.marks().empty());
    QCOMPARE(bench.platform.writes(), 0);
}

void TestMarks::tooMuchOfATeam()
{
    MarkBench bench;
    bench.environment.held["vision"] = 10;
    QVERIFY(bench.mark(bench.addIdle(2)));
    bench.environment.held["vision"] = 9; // a fifth is less than 2 by now
    const auto events = bench.watch(2 * kHour);
    QCOMPARE(events.size(), std::size_t{2});
    QVERIFY(events[0].end == MarkEnd::TooMuch && events[1].end == MarkEnd::TooMuch);
    QCOMPARE(bench.platform.writes(), 0);
}

void TestMarks::quotaOfTheOneWhoMarked()
{
    MarkBench bench;
    bench.environment.config.actions.maxPerHour = 2;
    QVERIFY(bench.mark(bench.addIdle(1, "marked")));
    QVERIFY(bench.watch(kHour - kRound).empty());
    QVERIFY(bench.stopAll(bench.addIdle(2, "hand"))); // by alex, who also made the mark
    bench.environment.pass(kRound);
    const auto events = bench.round();
    QVERIFY(events.size() == 1 && events[0].kind == MarkEvent::Kind::Waits && !events[0].detail.empty());
    QCOMPARE(bench.platform.effects(), 2);
    QVERIFY(isOver({bench.watch(2 * kHour).back()}, MarkEnd::Stopped)); // in the next hour
    QCOMPARE(bench.platform.effects(), 3);
}

void TestMarks::unmarkedHolderOfTheSameObject()
{
    MarkBench bench;
    const Ids ids = bench.addIdle(1);
    QVERIFY(bench.mark(ids));
    FakeObject &object = *bench.platform.named("train-0");
    model::HolderKey second = object.holders.front();
    second.name += "-second";
    second.uid += "-second";
    object.holders.push_back(second);
    FakeObject shown = object;
    shown.holders = {second};
    bench.environment.addIdle(shown); // idle as well, but its user was not notified
    const auto events = bench.watch(2 * kHour);
    QVERIFY(isOver(events, MarkEnd::Partly));
    QCOMPARE(events[0].detail, second.name);
    QCOMPARE(bench.platform.writes(), 0);
}

void TestMarks::stoppedByHand()
{
    MarkBench bench;
    const Ids ids = bench.addIdle(1);
    QVERIFY(bench.mark(ids));
    bench.environment.pass(kRound);
    QVERIFY(bench.stopAll(ids));
    const auto events = bench.watch(2 * kHour);
    QVERIFY(isOver(events, MarkEnd::StoppedBefore));
    QCOMPARE(bench.platform.effects(), 1);
}

void TestMarks::undoneIsNotStoppedAgain()
{
    MarkBench bench;
    const Ids ids = bench.addIdle(1);
    QVERIFY(bench.mark(ids));
    QVERIFY(isOver(bench.watch(kHour), MarkEnd::Stopped));
    QVERIFY(bench.undo(1));
    QVERIFY(bench.watch(5 * kHour).empty());
    QCOMPARE(bench.platform.effects(), 2);
    QVERIFY(!bench.platform.named("train-0")->isStopped());
}

void TestMarks::platformRefuses()
{
    MarkBench bench;
    QVERIFY(bench.mark(bench.addIdle(1)));
    bench.platform.script[Call::Stop] = {FakeAnswer::Forbidden};
    const auto events = bench.watch(2 * kHour);
    QVERIFY(isOver(events, MarkEnd::PlatformRefused));
    QVERIFY(events[0].action == 1 && events[0].result.code == actions::ResultCode::PlatformRefused);
    QVERIFY(!events[0].result.text.empty());
    QCOMPARE(bench.platform.writes(), 1);
}

// Nobody refused it; the log says what happened, and the mark is not tried again on what nobody marked.
void TestMarks::changesRightBeforeTheCall()
{
    for (const FakeAnswer answer : {FakeAnswer::Conflict, FakeAnswer::NotFound}) {
        MarkBench bench;
        QVERIFY(bench.mark(bench.addIdle(1)));
        bench.platform.script[Call::Stop] = {answer};
        const auto events = bench.watch(2 * kHour);
        QVERIFY(isOver(events, MarkEnd::Changed));
        QVERIFY(events[0].action == 1 && events[0].result.code == actions::ResultCode::ChangedMeanwhile);
        QVERIFY(events[0].result.text.starts_with(answer == FakeAnswer::Conflict ? "409" : "404"));
        QCOMPARE(bench.platform.writes(), 1);
    }
}

// Wherever it crashes, the next start neither stops it twice nor forgets it.
void TestMarks::crashAnywhere()
{
    const int calls = [] {
        MarkBench bench;
        (void)bench.mark(bench.addIdle(1));
        (void)bench.watch(kHour - kRound);
        bench.environment.pass(kRound);
        const int before = bench.platform.calls();
        (void)bench.round();
        return bench.platform.calls() - before;
    }();
    QVERIFY(calls > 3);
    for (int at = 0; at < calls; ++at) {
        for (const bool after : {false, true}) {
            MarkBench bench;
            const Ids ids = bench.addIdle(1);
            QVERIFY(bench.mark(ids));
            (void)bench.watch(kHour - kRound);
            bench.environment.pass(kRound);
            int seen = 0;
            bench.platform.hook = [&](Call, const std::string &, bool isAfter) {
                if (isAfter == after && seen++ == at)
                    bench.platform.isDead = true;
            };
            (void)bench.round();
            bench.platform.hook = nullptr;
            bench.platform.isDead = false;
            bench.reopen();
            bench.environment.pass(kMinute);
            QVERIFY(bench.settle());
            (void)bench.watch(8 * kHour);
            const QString where = QStringLiteral("call %1, after: %2").arg(at).arg(after);
            QVERIFY2(bench.marks().empty(), qPrintable(where));
            QVERIFY2(bench.platform.effects() <= 1, qPrintable(where));
            const auto records = bench.log->all().value();
            const bool isTold = std::any_of(records.begin(), records.end(), [](const auto &r) {
                return r.state == ActionState::Verified || r.state == ActionState::Failed;
            });
            QVERIFY2(isTold, qPrintable(where));
            const bool verified = records.back().state == ActionState::Verified;
            QVERIFY2(verified == (bench.platform.effects() == 1), qPrintable(where));
        }
    }
    // The stop is on disk, the end of the mark is not.
    MarkBench bench;
    const Ids ids = bench.addIdle(1);
    const auto marked = bench.mark(ids);
    QVERIFY(marked);
    QVERIFY(isOver(bench.watch(kHour), MarkEnd::Stopped));
    Lease again = marked->leases.front();
    QVERIFY(bench.log->grant(again)); // the mark as it was before
    QVERIFY(isOver(bench.watch(kRound), MarkEnd::Stopped));
    QCOMPARE(bench.platform.effects(), 1);
}

void TestMarks::twoMarkersTwoRuns()
{
    MarkBench bench;
    const Ids ids = bench.addIdle(2);
    QVERIFY(bench.mark(ids));
    Lease other = bench.marks().back();
    other.actor = "kim";
    QVERIFY(bench.log->grant(other));
    QCOMPARE(bench.watch(2 * kHour).size(), std::size_t{2});
    std::vector<std::string> actors;
    const auto records = bench.log->all().value();
    for (const auto &record : records)
        actors.push_back(record.intent.actor);
    QCOMPARE(actors, (std::vector<std::string>{"watch for alex", "watch for kim"}));
}

void TestMarks::lastRoundIsKept()
{
    QTemporaryDir dir;
    const std::filesystem::path folder = dir.path().toStdString();
    QVERIFY(!actions::lastRound(folder));
    const base::UtcTime at = base::parseTime("2026-10-04T09:00:00Z").value();
    QVERIFY(actions::setLastRound(folder, at));
    QVERIFY(actions::lastRound(folder) == at);
    QFile file(dir.filePath(QStringLiteral("marks.watched")));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("no time at all, and longer than any that could be in here\n");
    file.close();
    QVERIFY(!actions::lastRound(folder));
}

GPULEDGER_SUITE(TestMarks)

} // namespace tst_marks

#include "tst_marks.moc"
