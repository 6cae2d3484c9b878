// SPDX-License-Identifier: GPL-3.0-or-later
// A meeting's decision is stored, can't be changed, and is measured by its outcome.
#include "app/reports/months/decisions.h"
#include "app/services/billing/billingservice.h"
#include "app/services/workspace/workspace.h"
#include "app/store/months/monthstore.h"
#include "app/store/values/integrityproblem.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <thread>

namespace tst_decisions {

using namespace gpuledger;
using namespace gpuledger::tests;
using reports::Decision;
using reports::DecisionDraft;
using reports::DecisionState;
using reports::Figures;
using reports::Measure;

namespace {

constexpr std::int64_t kUnit = 1'000'000'000;

base::Money usd(std::int64_t units)
{
    return {units * kUnit, base::Currency::usd()};
}

Figures figures(std::int64_t total, std::int64_t idle, std::int64_t activeHours)
{
    return {usd(total), usd(idle), base::GpuTime{activeHours * 3600 * base::GpuTime::kTicksPerSecond}};
}

DecisionDraft draft(Measure measure = Measure::Idle)
{
    DecisionDraft one;
    one.month = {2026, 10};
    one.team = "vision";
    one.what = "Stop notebooks at night";
    one.owner = "alex";
    one.due = base::dayOf(base::parseTime("2026-11-15").value());
    one.measure = measure;
    one.before = figures(1000, 300, 400);
    one.target = usd(150);
    return one;
}

class FixedClock final : public base::Clock {
public:
    base::UtcTime now() const override { return base::parseTime("2026-11-02T10:00:00Z").value(); }
};

struct Office {
    QTemporaryDir dir;
    FakeCatalog catalog;
    mutable NoSecrets secrets;
    FixedClock clock;
    std::unique_ptr<services::Workspace> open(const std::string &who) const
    {
        return services::Workspace::open(model::Settings(), {dir.path().toStdString(), "UTC", false, who}, catalog,
                                         secrets, clock)
            .value();
    }
};

Decision made(Measure measure = Measure::Idle)
{
    Decision one;
    one.id = 1;
    one.draft = draft(measure);
    return one;
}

} // namespace

class TestDecisions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void staysAsItWasMade()
    {
        Office office;
        DecisionDraft hostile = draft(Measure::Total);
        hostile.team = "a\"b\\\xff\n,{}";
        hostile.what = "  two\nlines \t";
        hostile.target.reset();
        hostile.before.active.reset();
        const auto first = office.open("alex")->billing().decide(draft());
        QVERIFY(first);
        QCOMPARE(first->by, std::string("alex"));
        QVERIFY(office.open("kim")->billing().decide(hostile));
        const auto all = office.open("sam")->billing().decisions().value();
        QCOMPARE(all.size(), 2u);
        const DecisionDraft &one = all[0].draft;
        QVERIFY(one.month == draft().month);
        QCOMPARE(one.team, draft().team);
        QCOMPARE(one.what, draft().what);
        QCOMPARE(one.owner, draft().owner);
        QVERIFY(one.due == draft().due && one.measure == Measure::Idle && one.view == reports::CostView::Effective);
        QVERIFY(one.before.total == usd(1000) && one.before.idle == usd(300));
        QVERIFY(one.before.active == draft().before.active && one.target == draft().target);
        QCOMPARE(all[1].draft.what, std::string("two lines"));
        QVERIFY(!all[1].draft.target && !all[1].draft.before.active);
        QCOMPARE(all[1].by, std::string("kim"));
        QVERIFY(office.open("sam")->verify().value().empty());
    }

    void isSettledOnce()
    {
        Office office;
        const auto workspace = office.open("alex");
        const std::int64_t id = workspace->billing().decide(draft())->id;
        const auto settled = office.open("kim")->billing().settle(id, DecisionState::Done);
        QVERIFY(settled);
        QCOMPARE(settled->settledBy, std::string("kim"));
        const auto again = workspace->billing().settle(id, DecisionState::Dropped);
        QVERIFY(!again && again.error().code == base::ErrorCode::Refused);
        QVERIFY(!workspace->billing().settle(id + 7, DecisionState::Done));
        QVERIFY(!workspace->billing().settle(id, DecisionState::Open));
        const Decision kept = workspace->billing().decisions().value().front();
        QVERIFY(kept.state == DecisionState::Done && kept.settledBy == "kim");
    }

    void threeAtMost()
    {
        Office office;
        const auto workspace = office.open("alex");
        for (int i = 0; i < 3; ++i)
            QVERIFY(workspace->billing().decide(draft()));
        const auto fourth = workspace->billing().decide(draft());
        QVERIFY(!fourth && fourth.error().code == base::ErrorCode::Refused);
        DecisionDraft other = draft();
        other.team = "speech";
        QVERIFY(workspace->billing().decide(other));
        QVERIFY(workspace->billing().settle(workspace->billing().decisions()->front().id, DecisionState::Dropped));
        QVERIFY(workspace->billing().decide(draft()));
    }

    // Many concurrent attempts, each with a store of its own: never more than three decisions.
    void threeAtMostOfManyPeople()
    {
        Office office;
        (void)office.open("first");
        std::atomic<int> done = 0;
        std::vector<std::thread> people;
        for (int i = 0; i < 6; ++i)
            people.emplace_back(
                [&, i] { done += office.open("p" + std::to_string(i))->billing().decide(draft()) ? 1 : 0; });
        for (std::thread &one : people)
            one.join();
        QCOMPARE(done.load(), 3);
        QVERIFY(office.open("sam")->verify().value().empty());
    }

    void wrongOnesAreRefused()
    {
        const auto code = [](DecisionDraft one) { return reports::checked(std::move(one)).error().code; };
        DecisionDraft one = draft();
        one.what = " \n ";
        QVERIFY(code(one) == base::ErrorCode::InvalidArgument);
        one = draft();
        one.owner.clear();
        QVERIFY(code(one) == base::ErrorCode::InvalidArgument);
        one = draft();
        one.what = std::string(DecisionDraft::kLongestText + 1, 'x');
        QVERIFY(code(one) == base::ErrorCode::InvalidArgument);
        one = draft();
        one.due = base::dayOf(base::parseTime("2026-09-30").value());
        QVERIFY(code(one) == base::ErrorCode::InvalidArgument);
        one = draft();
        one.target = base::Money(1, base::Currency::parse("EUR").value());
        QVERIFY(code(one) == base::ErrorCode::InvalidArgument);
        one.target = usd(-1);
        QVERIFY(code(one) == base::ErrorCode::InvalidArgument);
    }

    void outcomes_data()
    {
        QTest::addColumn<int>("measure");
        QTest::addColumn<qlonglong>("total");
        QTest::addColumn<qlonglong>("idle");
        QTest::addColumn<qlonglong>("active");
        QTest::addColumn<qlonglong>("brought");
        const int idle = static_cast<int>(Measure::Idle), total = static_cast<int>(Measure::Total);
        QTest::addRow("less idle, same work") << idle << 850LL << 150LL << 400LL << 150LL;
        QTest::addRow("half the work, half the idle: nothing") << idle << 500LL << 150LL << 200LL << 0LL;
        QTest::addRow("twice the work, same idle") << idle << 1700LL << 300LL << 800LL << 300LL;
        QTest::addRow("worse") << idle << 1100LL << 400LL << 400LL << -100LL;
        QTest::addRow("cheaper in all") << total << 800LL << 300LL << 400LL << 200LL;
    }
    void outcomes()
    {
        QFETCH(int, measure);
        QFETCH(qlonglong, total);
        QFETCH(qlonglong, idle);
        QFETCH(qlonglong, active);
        QFETCH(qlonglong, brought);
        const auto outcome =
            reports::outcomeOf(made(static_cast<Measure>(measure)), {2026, 11}, figures(total, idle, active));
        QVERIFY(outcome && outcome->brought);
        QCOMPARE(outcome->brought->nanos(), brought * kUnit);
        QCOMPARE(outcome->meetsTarget, outcome->after.of(static_cast<Measure>(measure)).nanos() <= 150 * kUnit);
    }

    void unknownStaysUnknown()
    {
        Figures after = figures(900, 200, 400);
        QVERIFY(!reports::outcomeOf(made(), {2026, 10}, after)); // not in the month itself
        after.active.reset();
        QVERIFY(!reports::outcomeOf(made(), {2026, 11}, after)->brought);
        Decision lazy = made();
        lazy.draft.before.active = base::GpuTime{};
        QVERIFY(!reports::outcomeOf(lazy, {2026, 11}, figures(900, 200, 400))->brought);
        Figures euros = figures(1, 1, 1);
        euros.total = euros.idle = base::Money(1, base::Currency::parse("EUR").value());
        QVERIFY(!reports::outcomeOf(made(), {2026, 11}, euros));
    }

    // After an edit in the database the entry is rejected, and verify() reports it.
    void damagedEntriesAreLeftOut()
    {
        store::AuditEntry entry{1, reports::toEvent(draft(), base::fromUnix(1), "alex"), {}, {}};
        QCOMPARE(reports::decisionsOf({entry}).size(), 1u);
        for (const char *details : {"", "[]", "{}", "{\"currency\":\"USD\"}", "null", "{\"due\":7}"}) {
            entry.event.details = details;
            QVERIFY(reports::decisionsOf({entry}).empty());
        }
    }
};

GPULEDGER_SUITE(TestDecisions)

} // namespace tst_decisions

#include "tst_decisions.moc"
