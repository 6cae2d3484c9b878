// SPDX-License-Identifier: GPL-3.0-or-later
// Marks of alert rules while it is not known whether the rule fires: nothing is marked, released or stopped.
#include "tests/support/suite.h"
#include "tests/unit/actions/rulebench.h"

#include <QTest>

#include <algorithm>

namespace tst_rulemarkwaits {

using namespace gpuledger;
using namespace gpuledger::tests;
using actions::MarkEnd;
using actions::MarkEvent;

namespace {

// How it can be that nobody knows.
enum class Doubt { NotEvaluated, Unknown, NoSuchRule };

void doubt(RuleBench &bench, Doubt how)
{
    if (how == Doubt::NotEvaluated)
        bench.rules.front().isEvaluated = false;
    else if (how == Doubt::Unknown)
        bench.rules.front().unknown = {"vision"};
    else
        bench.rules.clear();
}

} // namespace

class TestRuleMarkWaits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDueMarkWaitsUntilItsRuleIsEvaluated_data()
    {
        QTest::addColumn<int>("how");
        QTest::newRow("not evaluated") << static_cast<int>(Doubt::NotEvaluated);
        QTest::newRow("unknown") << static_cast<int>(Doubt::Unknown);
    }
    void aDueMarkWaitsUntilItsRuleIsEvaluated()
    {
        QFETCH(int, how);
        RuleBench bench;
        bench.addIdle(1);
        QVERIFY(bench.watchRules(kHour).empty());
        const auto before = bench.rules;
        doubt(bench, static_cast<Doubt>(how));
        const auto events = bench.watchRules(3 * kHour + 2 * actions::kTriedFor);
        QVERIFY(!events.empty());
        QVERIFY(std::all_of(events.begin(), events.end(), [](const MarkEvent &event) {
            return event.kind == MarkEvent::Kind::Waits
                && event.detail == "it is not known whether the alert idle-cost fires now";
        }));
        QCOMPARE(bench.platform.effects(), 0);
        QCOMPARE(bench.marks().size(), std::size_t{1});
        bench.rules = before;
        const auto stopped = bench.watchRules(kRound);
        QVERIFY(!stopped.empty() && stopped.front().end == MarkEnd::Stopped);
        QCOMPARE(bench.platform.effects(), 1);
    }

    // The round that would have released the mark failed.
    void aDueMarkOfARuleThatIsGoneIsNotStopped()
    {
        RuleBench bench;
        bench.addIdle(1);
        bench.apply();
        bench.watch(4 * kHour - kRound);
        bench.environment.pass(kRound);
        doubt(bench, Doubt::NoSuchRule);
        const auto events = bench.round();
        QVERIFY(events.size() == 1 && events.front().kind == MarkEvent::Kind::Waits);
        QCOMPARE(bench.platform.effects(), 0);
    }

    // A person's mark rests on no alert, and an objection ends a mark at once.
    void whatDoesNotRestOnTheAlertDoesNotWait()
    {
        RuleBench bench;
        const Ids ids = bench.addIdle(2);
        bench.apply();
        QVERIFY(bench.log->end(bench.marks().back().id, bench.environment.wall.time, "kim"));
        const auto left = bench.marks();
        QCOMPARE(left.size(), std::size_t{1});
        const std::string ended = ids[0] == left.front().holder ? ids[1] : ids[0];
        QVERIFY(bench.mark({ended}, 2 * kHour));
        doubt(bench, Doubt::NotEvaluated);
        auto events = bench.watchRules(3 * kHour);
        QVERIFY(events.size() == 1 && events.front().end == MarkEnd::Stopped);
        QCOMPARE(bench.platform.effects(), 1);
        bench.wish(left.front().holder, model::Lease::Kind::KeepUntil);
        events = bench.watchRules(2 * kHour);
        QVERIFY(!events.empty() && events.front().end == MarkEnd::Objected);
        QCOMPARE(bench.platform.effects(), 1);
    }

    void nothingIsMarkedAnew_data()
    {
        QTest::addColumn<int>("how");
        QTest::newRow("not evaluated") << static_cast<int>(Doubt::NotEvaluated);
        QTest::newRow("unknown") << static_cast<int>(Doubt::Unknown);
    }
    void nothingIsMarkedAnew()
    {
        QFETCH(int, how);
        RuleBench bench;
        bench.addIdle(1);
        QCOMPARE(bench.apply().size(), std::size_t{1});
        const auto before = bench.rules;
        doubt(bench, static_cast<Doubt>(how));
        bench.addIdle(1, "late");
        QVERIFY(bench.apply().empty());
        QCOMPARE(bench.marks().size(), std::size_t{1}); // and nothing is released
        QCOMPARE(bench.noteAt("late-0"), std::string());
        bench.rules = before;
        QCOMPARE(bench.apply().size(), std::size_t{1});
        QCOMPARE(bench.marks().size(), std::size_t{2});
    }

    // What fired is not known either, because the rule is not the one that is stored.
    void nothingIsReleasedWithoutAnEvaluation()
    {
        RuleBench bench;
        bench.addIdle(1);
        bench.apply();
        bench.rules.front().firing.clear();
        bench.rules.front().isEvaluated = false;
        QVERIFY(bench.apply().empty());
        QCOMPARE(bench.marks().size(), std::size_t{1});
        bench.rules.front().isEvaluated = true;
        const auto told = bench.apply();
        QVERIFY(told.size() == 1 && told.front().kind == actions::RuleMark::Kind::Released);
    }
};

GPULEDGER_SUITE(TestRuleMarkWaits)

} // namespace tst_rulemarkwaits

#include "tst_rulemarkwaits.moc"
