// SPDX-License-Identifier: GPL-3.0-or-later
// Facts of savings that are kept: they are read again only when they may have changed, and what they give is what a
// fresh reading gives.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/ledger.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsfacts.h"
#include "app/services/savingsinputs/days/hourcodec.h"
#include "app/store/months/monthstore.h"
#include "app/store/sqlite/database.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace tst_savingsfacts {

using namespace gpuledger;
using namespace gpuledger::tests;
using savings::Assumptions;
using savings::Kind;
using savings::Proposal;
using savings::SavingsList;
using services::SavingsEngine;
using services::SavingsFacts;
using services::SavingsQuery;

namespace {

constexpr int kDays = 28;

// A rented machine that a notebook holds all day, and one that a job holds half of the days.
class Fleet {
public:
    explicit Fleet(const model::Settings &settings = pricedSettings())
        : folder(dir.path().toStdString())
        , clock(base::parseTime("2026-12-10T00:00:00Z").value())
        , engine(services::Engine::open(settings, {folder, "UTC", false, "alex"}, catalog, secrets, clock).value())
    {
        measure(kDays);
    }

    void measure(int days)
    {
        Scenario scenario(days, "2026-10-01");
        scenario.batch.covered.end = scenario.at(days * Scenario::kDaySeconds);
        const auto first = scenario.node("node-a"), second = scenario.node("node-b");
        const auto own = scenario.device("GPU-a"), shared = scenario.device("GPU-b");
        const auto label = scenario.label("notebook-0"), other = scenario.label("job-0");
        const auto notebook = scenario.pod("notebook-0", "uid-0", "node-a");
        scenario.batch.holders[notebook].ownerKind = "Notebook";
        scenario.runs(notebook, 0, days * Scenario::kDaySeconds);
        const auto job = scenario.pod("job-0", "uid-1", "node-b");
        scenario.runs(job, 0, days * Scenario::kDaySeconds);
        for (int day = 0; day < days; ++day) {
            const std::int64_t midnight = day * Scenario::kDaySeconds, morning = midnight + 8 * 3600;
            scenario.reports(own, label, first, midnight, morning, 0);
            scenario.reports(own, label, first, morning, midnight + 18 * 3600, 60);
            scenario.reports(own, label, first, midnight + 18 * 3600, midnight + Scenario::kDaySeconds, 0);
            scenario.reports(shared, other, second, midnight, midnight + Scenario::kDaySeconds, day % 2 ? 80 : 0);
        }
        const auto store = store::LedgerStore::open(folder).value();
        const auto ledger = ledger::Ledger::create(pricedSettings()).value();
        if (!ledger::LedgerWriter(*store, ledger->rollup()).commit("telemetry", scenario.batch))
            qFatal("telemetry is refused");
    }

    // The program's own engines, counted.
    std::vector<SavingsEngine> engines()
    {
        std::vector<SavingsEngine> all = services::savingsEngines();
        for (SavingsEngine &one : all) {
            const auto counted = [this, read = one.read, kind = one.kind](
                                     services::Engine &asked, const services::SavingsQuestion &question,
                                     const std::stop_token &stop) -> base::Result<services::SavingsReplay> {
                ++reads;
                auto replay = read(asked, question, stop);
                GPULEDGER_TRY(replay);
                replay->proposals = [this, kind, own = std::move(replay->proposals)](const Assumptions &assumed,
                                                                                     const std::stop_token &token) {
                    ++replays[static_cast<std::size_t>(kind)];
                    return own(assumed, token);
                };
                return replay;
            };
            one.read = counted;
        }
        return all;
    }

    // What somebody is told who asks first.
    std::string fresh(const SavingsQuery &query)
    {
        SavingsFacts facts(*engine, services::savingsEngines());
        return textOf(facts.list(query, {}, {}).value());
    }

    static std::string textOf(const SavingsList &list)
    {
        std::string text = base::toRfc3339(list.range.start) + base::toRfc3339(list.range.end);
        for (const Proposal &one : list.items) {
            text += '\n' + one.id + (one.excludedBy ? " excluded" : "");
            if (one.perMonth)
                text += ' ' + textOf(*one.perMonth);
            if (one.counted)
                text += " counted " + textOf(*one.counted);
            for (const savings::Assumption &assumed : one.assumptions)
                text += ' ' + assumed.name + '=' + assumed.value;
        }
        for (const savings::SavingsSum &sum : list.sums)
            text += '\n' + sum.currency + ' ' + textOf(sum.perMonth);
        return text;
    }

    static std::string textOf(const savings::MoneyBand &band)
    {
        return band.p10.toDecimal() + ' ' + band.p50.toDecimal() + ' ' + band.p90.toDecimal();
    }

    QTemporaryDir dir;
    std::filesystem::path folder;
    base::FrozenClock clock;
    gpuledger::tests::FakeCatalog catalog;
    gpuledger::tests::NoSecrets secrets;
    std::unique_ptr<services::Engine> engine;
    std::atomic<int> reads = 0;
    std::array<std::atomic<int>, savings::kKinds.size()> replays{};
};

SavingsQuery assuming(std::string_view name, std::string_view value)
{
    SavingsQuery query;
    if (!query.assumptions.set(name, value))
        qFatal("an assumption is refused");
    return query;
}

} // namespace

class TestSavingsFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anotherAssumptionReadsNothing()
    {
        Fleet fleet;
        SavingsFacts facts(*fleet.engine, fleet.engines());
        const auto all = static_cast<int>(savings::kKinds.size());
        const std::string usual = Fleet::textOf(facts.list({}, {}, {}).value());
        QCOMPARE(fleet.reads.load(), all);
        QCOMPARE(usual, fleet.fresh({}));
        const SavingsQuery query = assuming("schedule-scale-down-delay", "40m");
        const std::string changed = Fleet::textOf(facts.list(query, {}, {}).value());
        QCOMPARE(fleet.reads.load(), all);
        QVERIFY(changed != usual);
        QCOMPARE(changed, fleet.fresh(query));
        QCOMPARE(Fleet::textOf(facts.list({}, {}, {}).value()), usual);
        QCOMPARE(fleet.reads.load(), all);
        // Only the kind of the assumption was replayed again.
        QCOMPARE(fleet.replays[static_cast<std::size_t>(Kind::Schedule)].load(), 3);
        QCOMPARE(fleet.replays[static_cast<std::size_t>(Kind::Capacity)].load(), 1);
    }

    void pricesReadAgainAreReadAgain()
    {
        model::Settings settings = pricedSettings();
        settings.prices.own.push_back({{}, "own.csv", {}, {}});
        settings.prices.lists.push_back({{}, "spot.csv", {}, {}});
        Fleet fleet(settings);
        SavingsFacts facts(*fleet.engine, fleet.engines());
        const auto all = static_cast<int>(savings::kKinds.size());
        QVERIFY(facts.list({}, {}, {}) && facts.list({}, {}, {}));
        QCOMPARE(fleet.reads.load(), all);
        store::PriceStore prices = fleet.engine->cache().prices();
        QVERIFY(prices.put("other.csv", {}, "", fleet.clock.now()) && facts.list({}, {}, {}));
        QCOMPARE(fleet.reads.load(), all);
        QVERIFY(prices.put("own.csv", {}, "", fleet.clock.now()) && facts.list({}, {}, {}));
        QCOMPARE(fleet.reads.load(), 2 * all);
        QVERIFY(prices.put("spot.csv", {}, "", fleet.clock.now()) && facts.list({}, {}, {}));
        QCOMPARE(fleet.reads.load(), 3 * all);
    }

    void curvesReadNothing()
    {
        Fleet fleet;
        SavingsFacts facts(*fleet.engine, fleet.engines());
        const SavingsList list = facts.list({}, {}, {}).value();
        const auto all = static_cast<int>(savings::kKinds.size());
        int curves = 0;
        for (const Proposal &one : list.items) {
            const auto curve = facts.curve({}, one.id, {}).value();
            curves += curve ? 1 : 0;
            if (one.kind == Kind::Capacity || one.kind == Kind::Schedule)
                QVERIFY2(curve.has_value(), one.id.c_str());
            SavingsQuery other;
            other.kind = one.kind == Kind::Capacity ? Kind::Schedule : Kind::Capacity;
            QVERIFY(!facts.curve(other, one.id, {}).value());
        }
        QVERIFY(curves > 0);
        QVERIFY(!facts.curve({}, "capacity:none", {}).value());
        QCOMPARE(fleet.reads.load(), all);
        // Under another assumption, another curve.
        const auto schedule = std::find_if(list.items.begin(), list.items.end(),
                                           [](const Proposal &one) { return one.kind == Kind::Schedule; });
        QVERIFY(schedule != list.items.end());
        const auto weekends = facts.curve(assuming("off-hours", "sat, sun"), schedule->id, {}).value()->shaded;
        const auto never = facts.curve(assuming("off-hours", "none"), schedule->id, {}).value()->shaded;
        QCOMPARE(std::count(weekends.begin(), weekends.end(), true), std::ptrdiff_t{48});
        QCOMPARE(std::count(never.begin(), never.end(), true), std::ptrdiff_t{0});
        QCOMPARE(fleet.reads.load(), all);
    }

    void anotherRangeOrViewIsRead()
    {
        Fleet fleet;
        SavingsFacts facts(*fleet.engine, fleet.engines());
        const auto all = static_cast<int>(savings::kKinds.size());
        const SavingsList whole = facts.list({}, {}, {}).value();
        SavingsQuery half;
        half.range = base::TimeRange{whole.range.start, whole.range.start + 14 * base::kDay};
        QCOMPARE(Fleet::textOf(facts.list(half, {}, {}).value()), fleet.fresh(half));
        QCOMPARE(fleet.reads.load(), 2 * all);
        SavingsQuery list;
        list.cost = model::CostView::List;
        QCOMPARE(Fleet::textOf(facts.list(list, {}, {}).value()), fleet.fresh(list));
        QCOMPARE(fleet.reads.load(), 3 * all);
        QVERIFY(facts.list({}, {}, {})); // only the newest is kept
        QCOMPARE(fleet.reads.load(), 4 * all);
    }

    void aSyncIsSeen()
    {
        Fleet fleet;
        SavingsFacts facts(*fleet.engine, fleet.engines());
        const SavingsList before = facts.list({}, {}, {}).value();
        fleet.measure(kDays + 7);
        const SavingsList after = facts.list({}, {}, {}).value();
        QCOMPARE(after.range.end - before.range.end, base::Seconds{7 * base::kDay});
        QCOMPARE(Fleet::textOf(after), fleet.fresh({}));
    }

    void anotherConfigurationIsSeen()
    {
        Fleet fleet;
        SavingsFacts facts(*fleet.engine, fleet.engines());
        QVERIFY(facts.list({}, {}, {}));
        const int reads = fleet.reads;
        QVERIFY(fleet.engine->apply(pricedSettings()));
        QCOMPARE(Fleet::textOf(facts.list({}, {}, {}).value()), fleet.fresh({}));
        QCOMPARE(fleet.reads.load(), 2 * reads);
    }

    // By who chooses nothing, not by who chose what the program's default is.
    void configuredDefaultsAreAssumed()
    {
        Fleet fleet;
        SavingsFacts facts(*fleet.engine, fleet.engines());
        const std::string usual = Fleet::textOf(facts.list({}, {}, {}).value());
        const std::string later =
            Fleet::textOf(facts.list(assuming("schedule-scale-down-delay", "40m"), {}, {}).value());
        QVERIFY(later != usual);
        model::Settings settings = pricedSettings();
        settings.savings.assumptions["schedule-scale-down-delay"] = "40m";
        QVERIFY(fleet.engine->apply(settings));
        QCOMPARE(Fleet::textOf(facts.list({}, {}, {}).value()), later);
        QCOMPARE(fleet.fresh({}), later);
        const SavingsQuery chosen = assuming("schedule-scale-down-delay", "10m"); // the program's own default
        QCOMPARE(Fleet::textOf(facts.list(chosen, {}, {}).value()), usual);
        QCOMPARE(fleet.fresh(chosen), usual);
    }

    // What a commitment adds to the sum is part of the answer.
    void whatCountsLessIsToldApart()
    {
        const auto money = [](std::int64_t units) { return base::Money(units * 1'000'000'000, base::Currency::usd()); };
        SavingsList list;
        list.items.emplace_back().perMonth = savings::MoneyBand{money(1), money(2), money(3)};
        SavingsList less = list;
        less.items.front().counted = savings::MoneyBand{money(0), money(1), money(2)};
        QVERIFY(Fleet::textOf(less) != Fleet::textOf(list));
    }

    void aWriteThatNothingDependsOnReadsNothing()
    {
        Fleet fleet;
        SavingsFacts facts(*fleet.engine, fleet.engines());
        QVERIFY(facts.list({}, {}, {}));
        const int reads = fleet.reads;
        const std::int64_t before = fleet.engine->cache().generation().value();
        QVERIFY(fleet.engine->cache().months().note(
            {fleet.clock.now(), "alex", store::kChooseSaving, "schedule:x", "{}"}, [](const auto &) { return true; }));
        QCOMPARE(fleet.engine->cache().generation().value(), before + 1); // choose() relies on it
        facts.keepThrough(before - 1, before + 1); // of other facts
        facts.keepThrough(before, before + 1);
        QVERIFY(facts.list({}, {}, {}));
        QCOMPARE(fleet.reads.load(), reads);
        fleet.measure(kDays + 7);
        QVERIFY(facts.list({}, {}, {}));
        QCOMPARE(fleet.reads.load(), 2 * reads);
    }

    void aConfigurationThatChangesMeanwhileIsReadAgain()
    {
        Fleet fleet;
        std::vector<SavingsEngine> engines = fleet.engines();
        const int all = static_cast<int>(engines.size());
        bool isChanged = false;
        SavingsEngine &second = engines.at(1);
        second.read = [&, read = second.read](services::Engine &asked, const services::SavingsQuestion &question,
                                              const std::stop_token &stop) {
            if (!std::exchange(isChanged, true) && !asked.apply(pricedSettings()))
                qFatal("the configuration is refused");
            return read(asked, question, stop);
        };
        SavingsFacts facts(*fleet.engine, engines);
        const std::string told = Fleet::textOf(facts.list({}, {}, {}).value());
        QCOMPARE(fleet.reads.load(), 2 * all);
        QCOMPARE(told, fleet.fresh({}));
    }

    void severalThreadsAskAtOnce()
    {
        Fleet fleet;
        SavingsFacts facts(*fleet.engine, services::savingsEngines());
        const std::vector<SavingsQuery> queries{{},
                                                assuming("schedule-scale-down-delay", "40m"),
                                                assuming("off-hours", "sat, sun"),
                                                assuming("minimum-nodes", "1")};
        std::vector<std::string> expected;
        for (const SavingsQuery &query : queries)
            expected.push_back(fleet.fresh(query));
        std::atomic<int> wrong = 0;
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < queries.size(); ++i)
            threads.emplace_back([&, i] {
                for (int round = 0; round < 5; ++round) {
                    const auto list = facts.list(queries[i], {}, {});
                    if (!list || Fleet::textOf(*list) != expected[i])
                        ++wrong;
                }
            });
        threads.clear();
        QCOMPARE(wrong.load(), 0);
    }

    // Stored days are made to say that nothing happened.
    void aProofReadsNoStoredDay()
    {
        Fleet fleet;
        const std::filesystem::path file = fleet.folder / "ledger.db";
        const auto storedDays = [&] {
            std::vector<base::Day> days;
            const auto database = store::Database::open(file, store::Database::Mode::Reader).value();
            store::Statement s = database->statement("SELECT day FROM day_fact");
            if (!s.each([&] { days.push_back({static_cast<std::int32_t>(s.integer(0))}); }))
                qFatal("no stored days");
            return days;
        };
        const auto walked = [&] {
            SavingsFacts facts(*fleet.engine, services::savingsEngines(), true);
            return Fleet::textOf(facts.list({}, {}, {}).value());
        };
        const std::string usual = walked();
        QCOMPARE(storedDays().size(), std::size_t{0});
        QCOMPARE(fleet.fresh({}), usual);
        const std::vector<base::Day> days = storedDays();
        QVERIFY(days.size() > kDays / 2);
        {
            const auto database = store::Database::open(file, store::Database::Mode::Writer).value();
            store::Statement s = database->statement("UPDATE day_fact SET data = ?2 WHERE day = ?1");
            for (const base::Day day : days) {
                const std::string nothing = services::HourWriter(day).take();
                QVERIFY(s.bind(1, std::int64_t{day.number}).bindBlob(2, nothing).run());
            }
        }
        QVERIFY(fleet.fresh({}) != usual);
        QCOMPARE(walked(), usual);
    }

    void daysAreKeptBeforeAnybodyAsks()
    {
        Fleet fleet;
        services::SavingsService service(*fleet.engine);
        const auto storedDays = [&] {
            const auto database =
                store::Database::open(fleet.folder / "ledger.db", store::Database::Mode::Reader).value();
            return database->scalar("SELECT count(*) FROM day_fact").value().value_or(0);
        };
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY(!service.keepDays(stopped.get_token()));
        QCOMPARE(storedDays(), std::int64_t{0});
        QVERIFY(service.keepDays());
        QCOMPARE(storedDays(), std::int64_t{kDays});
        SavingsFacts walked(*fleet.engine, services::savingsEngines(), true);
        QCOMPARE(fleet.fresh({}), Fleet::textOf(walked.list({}, {}, {}).value()));
    }

    void aStopLeavesNothingHalfRead()
    {
        Fleet fleet;
        SavingsFacts facts(*fleet.engine, fleet.engines());
        std::stop_source stop;
        stop.request_stop();
        const auto none = facts.list({}, {}, stop.get_token());
        QVERIFY(!none);
        QVERIFY(none.error().code == base::ErrorCode::Cancelled);
        QCOMPARE(Fleet::textOf(facts.list({}, {}, {}).value()), fleet.fresh({}));
    }
};

GPULEDGER_SUITE(TestSavingsFacts)

} // namespace tst_savingsfacts

#include "tst_savingsfacts.moc"
