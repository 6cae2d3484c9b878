// SPDX-License-Identifier: GPL-3.0-or-later
// The days that an allocator is queried for, and the handling of its answers.
#include "app/ingest/allocationsync.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/ledger/ledger.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <set>

namespace tst_allocationsync {

using namespace gpuledger;
using namespace gpuledger::ingest;
using base::Day;

namespace {

constexpr Day kToday{20402};
const base::UtcTime kNow = kToday.start() + base::Seconds{7200};

class FakeAllocator final : public ports::AllocationSource {
public:
    const std::string &name() const override { return m_name; }
    base::Result<ports::ProbeReport> probe(std::stop_token) override { return ports::ProbeReport{}; }
    base::Result<ports::AllocationAnswer> day(Day day, std::stop_token) override
    {
        asked.push_back(day);
        if (onDay)
            onDay(day);
        if (failing.contains(day))
            return base::fail(base::ErrorCode::Timeout, "no answer in time");
        ports::AllocationAnswer answer;
        answer.day.day = day;
        answer.day.currency = base::Currency::usd();
        answer.bytes = 100;
        if (forgotten.contains(day))
            return answer;
        model::AllocatedNode node;
        node.name = "n1";
        node.gpuMillis = 8000;
        node.seconds = seconds;
        if (unpriced.contains(day))
            answer.rejected = 1; // all assets were rejected: the machine is known only by its pods
        else
            node.total = price;
        if (withoutAssets.contains(day)) {
            answer.day.idle.push_back({{}, {}, 5, 5, 5});
            return answer;
        }
        answer.day.nodes.push_back(node);
        answer.accepted = 1;
        return answer;
    }
    std::string address() const override { return at; }
    std::string at = "http://oc";
    std::vector<Day> asked;
    std::set<Day> failing, forgotten, unpriced, withoutAssets;
    std::int64_t price = 1000, seconds = 86'400;
    std::function<void(Day)> onDay;

private:
    std::string m_name = "oc";
};

struct Setup {
    AllocationsOutcome sync(base::UtcTime now = kNow, base::Seconds back = base::Seconds{10 * 86400},
                            const std::stop_token &stop = {})
    {
        source.asked.clear();
        const base::FrozenClock clock(now);
        ledger::LedgerWriter writer(*store, ledger->rollup());
        return syncAllocations(source, writer, {.back = back, .acceptLess = acceptLess}, clock, stop, {});
    }
    std::size_t held() const { return store->heldAllocations({kToday.number - 90}, kToday).value().size(); }
    std::int64_t total() const
    {
        std::int64_t sum = 0;
        const auto cube = store->cube().value();
        const auto done = cube->ledger({0}, {100'000}, [&](Day, const auto &, const model::LedgerAmounts &amounts) {
            sum += amounts.allocated;
            return base::Result<void>();
        });
        return done ? sum : -1;
    }
    QTemporaryDir dir;
    bool acceptLess = false;
    FakeAllocator source;
    std::unique_ptr<ledger::Ledger> ledger = ledger::Ledger::create({}).value();
    std::unique_ptr<store::LedgerStore> store = store::LedgerStore::open(dir.path().toStdString()).value();
};

Day before(int days)
{
    return {kToday.number - days};
}

} // namespace

class TestAllocationSync : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Today is not complete, and a complete day may still change for 48 hours.
    void asksForDaysThatAreOverNewestFirst()
    {
        Setup setup;
        auto outcome = setup.sync();
        QVERIFY(!outcome.error);
        QCOMPARE(setup.source.asked.size(), std::size_t{10});
        QCOMPARE(setup.source.asked.front(), before(1));
        QCOMPARE(setup.source.asked.back(), before(10));
        QCOMPARE(setup.total(), std::int64_t{10'000});
        QCOMPARE(outcome.accepted, std::uint64_t{10});
        QCOMPARE(outcome.bytes, std::uint64_t{1000});
        QVERIFY(outcome.range == (base::TimeRange{before(10).start(), kToday.start()}));
        outcome = setup.sync();
        QCOMPARE(setup.source.asked, (std::vector<Day>{before(1), before(2)}));
        QVERIFY(!outcome.days.front().changed);
        setup.source.price = 2000;
        outcome = setup.sync();
        QVERIFY(outcome.days.front().changed);
        QCOMPARE(setup.total(), std::int64_t{12'000});
        // A day later: the next day, and those that were still provisional.
        outcome = setup.sync(kNow + base::kDay);
        QCOMPARE(setup.source.asked, (std::vector<Day>{kToday, before(1), before(2)}));
        QVERIFY(outcome.days.back().final);
    }

    void emptyDaysAreNeverDoneWith()
    {
        QVERIFY(!isFinal(before(3), true, kNow));
        QVERIFY(isFinal(before(3), false, kNow));
        QVERIFY(!isFinal(before(300), true, kNow));
        Setup setup;
        for (int i = 1; i <= 10; ++i)
            setup.source.forgotten.insert(before(i));
        QVERIFY(!setup.sync().error);
        QVERIFY(!setup.sync().error);
        QCOMPARE(setup.source.asked.size(), std::size_t{7}); // older ones once a day
        QVERIFY(!setup.sync(kNow + base::kDay).error);
        QCOMPARE(setup.source.asked.size(), std::size_t{10});
    }

    // A wrong address is corrected: the days without an answer are queried in the first sync that gets any data.
    void aCorrectedAddressBringsOldDays()
    {
        Setup setup;
        for (int i = 1; i <= 10; ++i)
            setup.source.forgotten.insert(before(i));
        QVERIFY(!setup.sync().error);
        setup.source.forgotten = {before(9)};
        QVERIFY(!setup.sync().error);
        QCOMPARE(setup.source.asked.size(), std::size_t{10});
        QCOMPARE(setup.total(), std::int64_t{9000});
        QVERIFY(!setup.sync().error); // a day without data is not queried in every sync
        QCOMPARE(setup.source.asked, (std::vector<Day>{before(1), before(2)}));
    }

    // Another address may be another server: final days are queried there as well, once.
    void anotherAddressIsAskedForEveryDay()
    {
        Setup setup;
        setup.source.at = "http://wrong";
        setup.sync();
        setup.sync();
        QCOMPARE(setup.source.asked.size(), std::size_t{2});
        setup.source.at = "http://right";
        setup.source.price = 2000;
        setup.source.failing = {before(4)};
        QVERIFY(setup.sync().error);
        setup.source.failing.clear();
        QVERIFY(!setup.sync().error);
        QCOMPARE(setup.source.asked.size(), std::size_t{10});
        QCOMPARE(setup.total(), std::int64_t{20'000});
        setup.sync();
        QCOMPARE(setup.source.asked.size(), std::size_t{2});
    }

    // If a server loses half a day, or all its prices, the stored day is kept until the user decides.
    void aDayThatShrinksIsKept()
    {
        Setup setup;
        setup.sync();
        const auto keeps = [&](const char *what) {
            const auto outcome = setup.sync();
            QVERIFY2(outcome.days.front().kept && outcome.days.front().less, what);
            QVERIFY2(!outcome.days.front().final && !outcome.days.front().changed, what);
            QVERIFY2(setup.total() == 10'000, what);
            QVERIFY2(setup.held() >= 1, what); // and reported until the user decides or the day is complete again
        };
        setup.source.seconds = 43'200;
        keeps("half a day");
        setup.source.seconds = 86'400;
        setup.source.unpriced = {before(1)};
        keeps("no prices");
        setup.source.unpriced.clear();
        setup.source.withoutAssets = {before(1)};
        keeps("no assets");
        setup.source.withoutAssets.clear();
        setup.source.seconds = 86'000; // a rounding difference
        setup.source.price = 900; // the cloud's own price came later
        QVERIFY(setup.sync().days.front().changed);
        QCOMPARE(setup.total(), std::int64_t{9'800});
        QCOMPARE(setup.held(), std::size_t{0});
        setup.source.seconds = 43'200;
        setup.acceptLess = true;
        const auto outcome = setup.sync();
        QCOMPARE(setup.source.asked.size(), std::size_t{10});
        QVERIFY(outcome.days.front().less && !outcome.days.front().kept && outcome.days.front().changed);
        QCOMPARE(setup.total(), std::int64_t{9'000});
        QVERIFY(ledger::verify(*setup.store, setup.ledger->rollup()).value().empty());
    }

    // The stored day and the server's present one are both kept until the user decides, even if the day is so old that
    // it would no longer be queried.
    void whatIsHeldSaysWhatBothHave()
    {
        Setup setup;
        setup.sync();
        setup.source.seconds = 43'200;
        setup.source.price = 500;
        setup.sync();
        const auto held = [&] { return setup.store->heldAllocations({kToday.number - 90}, kToday).value(); };
        QCOMPARE(held().size(), std::size_t{2});
        QCOMPARE(held()[0].source, std::string("oc"));
        QCOMPARE(held()[0].day, before(2));
        QCOMPARE(held()[0].before, (model::AllocatedSize{1, 86'400, 0, {1000, base::Currency::usd()}}));
        QVERIFY(held()[0].now && held()[1].now);
        QCOMPARE(*held()[0].now, (model::AllocatedSize{1, 43'200, 0, {500, base::Currency::usd()}}));
        setup.source.withoutAssets = {before(1)};
        setup.sync();
        QCOMPARE(held()[1].now->pricedNodes, std::uint64_t{0});
        const base::UtcTime later = kNow + base::Seconds{40 * 86400};
        setup.sync(later);
        QCOMPARE(setup.source.asked.size(), std::size_t{12}); // the last ten, and the two that are held
        QCOMPARE(setup.source.asked.back(), before(2));
        setup.sync(later);
        QVERIFY(std::find(setup.source.asked.begin(), setup.source.asked.end(), before(2)) == setup.source.asked.end());
        QCOMPARE(held().size(), std::size_t{2});
        setup.acceptLess = true;
        setup.sync(later); // one of them has no price: the stored day stays, and the decision is final
        QVERIFY(held().empty());
        setup.acceptLess = false;
        setup.sync(later + base::kDay);
        QVERIFY(held().empty());
        QVERIFY(std::find(setup.source.asked.begin(), setup.source.asked.end(), before(1)) == setup.source.asked.end());
        QVERIFY(ledger::verify(*setup.store, setup.ledger->rollup()).value().empty());
    }

    // A day with pods but without machines is not complete.
    void aDayWithoutAssetsIsAskedForAgain()
    {
        Setup setup;
        setup.source.withoutAssets = {before(4)};
        setup.sync();
        setup.source.withoutAssets.clear();
        setup.sync();
        QVERIFY(std::find(setup.source.asked.begin(), setup.source.asked.end(), before(4)) != setup.source.asked.end());
        QCOMPARE(setup.total(), std::int64_t{10'000});
    }

    void whatAServerForgotStays()
    {
        Setup setup;
        setup.sync();
        setup.source.forgotten = {before(1), before(2)};
        const auto outcome = setup.sync();
        QVERIFY(outcome.days.front().kept);
        QCOMPARE(setup.total(), std::int64_t{10'000});
        const base::UtcTime later = kNow + base::Seconds{8 * 86400};
        setup.sync(later); // it is queried once a day, as far back as a first sync reaches
        QCOMPARE(setup.source.asked.back(), before(2));
        setup.sync(later);
        QVERIFY(std::find(setup.source.asked.begin(), setup.source.asked.end(), before(2)) == setup.source.asked.end());
        setup.acceptLess = true; // an empty answer never erases anything, even if accepted
        QVERIFY(setup.sync(later).days.back().kept);
        QVERIFY(setup.total() >= 10'000);
        QCOMPARE(setup.held(), std::size_t{0});
    }

    // A day also shrinks if only the GPUs of a machine or its price decreased; a reconciliation with the cloud is not a
    // loss.
    void lessIsMoreThanFewerMachines()
    {
        model::AllocationDay day;
        model::AllocatedNode node;
        node.name = "n1";
        node.seconds = 86'400;
        node.gpuSeconds = 8 * 86'400;
        node.total = 1000;
        day.nodes.push_back(node);
        QVERIFY(!lessThan(day, day));
        model::AllocationDay now = day;
        now.nodes.front().gpuSeconds = 4 * 86'400;
        QVERIFY(lessThan(day, now) && lessThan(day, now)->now.gpuSeconds == 4 * 86'400);
        now = day;
        now.nodes.front().total = 899;
        QVERIFY(lessThan(day, now) && lessThan(day, now)->now.cost.nanos() == 899);
        now.nodes.front().total = 400;
        now.nodes.front().adjustment = -600; // the amount payable after a discount
        QVERIFY(!lessThan(day, now));
        now.nodes.clear();
        day.nodes.front().total.reset();
        day.nodes.front().seconds.reset();
        day.nodes.front().gpuSeconds.reset();
        QVERIFY(lessThan(day, now));
    }

    void aFailureEndsTheRunAndKeepsTheRest()
    {
        Setup setup;
        setup.source.failing = {before(4)};
        const auto outcome = setup.sync();
        QVERIFY(outcome.error);
        QCOMPARE(outcome.error->source, std::string("oc"));
        QCOMPARE(outcome.missing, (std::vector<Day>{before(4)}));
        QCOMPARE(outcome.days.size(), std::size_t{3});
        QCOMPARE(setup.total(), std::int64_t{3000});
        auto states = setup.store->syncStates().value();
        QCOMPARE(states.front().lastErrorCode, std::string("timeout"));
        QVERIFY(!states.front().lastSuccess);
        QVERIFY(states.front().covered.empty());
        setup.source.failing.clear();
        QVERIFY(!setup.sync().error);
        QCOMPARE(setup.total(), std::int64_t{10'000});
        QVERIFY(setup.store->syncStates().value().front().lastSuccess);
    }

    // Answers about the future came while the clock was wrong.
    void aClockThatJumpedLeavesNoHoles()
    {
        Setup setup;
        for (int i = -500; i < 1; ++i)
            setup.source.forgotten.insert(before(i));
        QVERIFY(!setup.sync(kNow + base::Seconds{400 * 86400}).error);
        QVERIFY(!setup.sync().error);
        QCOMPARE(setup.source.asked.size(), std::size_t{10});
        setup.source.forgotten.clear();
        const base::UtcTime later = kNow + base::Seconds{399 * 86400};
        QVERIFY(!setup.sync(later).error);
        QCOMPARE(setup.source.asked.size(), std::size_t{10});
        QVERIFY(ledger::verify(*setup.store, setup.ledger->rollup()).value().empty());
    }

    void stopsBetweenDays()
    {
        Setup setup;
        std::stop_source stop;
        setup.source.onDay = [&](Day day) {
            if (day == before(2))
                stop.request_stop();
        };
        const auto outcome = setup.sync(kNow, base::Seconds{10 * 86400}, stop.get_token());
        QCOMPARE(setup.source.asked.size(), std::size_t{2});
        QCOMPARE(outcome.days.size(), std::size_t{2});
    }
};

GPULEDGER_SUITE(TestAllocationSync)

} // namespace tst_allocationsync

#include "tst_allocationsync.moc"
