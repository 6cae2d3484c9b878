// SPDX-License-Identifier: GPL-3.0-or-later
// Bills that several sources import at the same time are stored in one transaction, each of them whole or not at all.
#include "app/ingest/billsync.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/ledger/ledger.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <limits>
#include <map>
#include <thread>

namespace tst_billqueue {

using namespace gpuledger;
using base::Result;
using ingest::BillQueue;
using namespace std::chrono_literals;

namespace {

constexpr int kDays = 10;
constexpr std::chrono::milliseconds kPatient = 10min; // so that no machine is too slow
const base::UtcTime kJuly = base::parseTime("2026-07-01T00:00:00Z").value();

enum class Fault { None, HugeAmount, EndsEarly };

// What a source delivers: a bill of ten days for each month from July on, a cent a day.
struct Plan {
    std::string name;
    int bills = 1;
    std::chrono::milliseconds delay{0}; // before each of them
    Fault fault = Fault::None; // of each of them
    std::string hash{}; // empty: of its own
};

class FakeBills final : public ports::CostSource {
public:
    explicit FakeBills(Plan plan)
        : m_plan(std::move(plan))
    {
    }
    const std::string &name() const override { return m_plan.name; }
    Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token) override
    {
        std::vector<ports::BillDelivery> all(static_cast<std::size_t>(m_plan.bills));
        for (int i = 0; i < m_plan.bills; ++i)
            all[static_cast<std::size_t>(i)].files = {"/bills/" + m_plan.name + std::to_string(i)};
        return all;
    }
    Result<ports::ProbeReport> probe(std::stop_token) override { return ports::ProbeReport{}; }
    Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                       std::stop_token) override
    {
        std::this_thread::sleep_for(m_plan.delay);
        const std::string path = delivery.files.front().string();
        ++imports;
        GPULEDGER_TRY(sink.begin({{path, m_plan.hash.empty() ? path : m_plan.hash, 1}}));
        const auto done = put(kJuly + (path.back() - '0') * 31 * base::kDay, sink);
        if (done)
            return ports::ImportReport{};
        sink.discard();
        return base::fail(done.error());
    }

    int imports = 0;

private:
    Result<void> put(base::UtcTime month, ports::BillSink &sink)
    {
        const bool isHuge = m_plan.fault == Fault::HugeAmount;
        const std::int64_t nanos = isHuge ? std::numeric_limits<std::int64_t>::max() : 10'000'000;
        for (int i = 0; i < kDays; ++i) {
            model::BillLine line;
            line.billingAccountId = m_plan.name;
            line.billingPeriod = {month, month + 31 * base::kDay};
            const base::UtcTime start = month + (isHuge ? 0 : i) * base::kDay;
            line.chargePeriod = {start, start + base::kDay};
            line.billed = line.effective = base::Money(nanos, base::Currency::usd());
            line.category = model::ChargeCategory::Usage;
            line.product.serviceCategory = "Storage";
            line.row = static_cast<std::uint64_t>(i) + 2;
            GPULEDGER_TRY(sink.accept({{m_plan.name, m_plan.name, month}, {line}}));
        }
        return m_plan.fault == Fault::EndsEarly ? Result<void>(base::fail(base::ErrorCode::Parse, "cut off"))
                                                : sink.commit({});
    }

    Plan m_plan;
};

// The ledger's own roll-up. Counts how often it was asked, and fails on days with a bill of this source.
class WatchedRollup final : public ledger::RollupBuilder {
public:
    WatchedRollup(ledger::RollupBuilder &rollup, std::string poison)
        : m_rollup(rollup)
        , m_poison(std::move(poison))
    {
    }
    Result<void> rebuild(std::span<const base::Day> days, store::FactReader &facts, store::CubeWriter &cube) override
    {
        ++rebuilds;
        for (const base::Day day : days) {
            GPULEDGER_TRY(facts.billedOn(day, [&](const store::BilledItem &item) -> Result<void> {
                return item.source == m_poison ? base::fail(base::ErrorCode::Overflow, "poison") : Result<void>();
            }));
        }
        return m_rollup.rebuild(days, facts, cube);
    }
    int reachOfBills() const override { return m_rollup.reachOfBills(); }
    std::string fingerprint() const override { return m_rollup.fingerprint(); }

    int rebuilds = 0; // only one thread at a time rebuilds

private:
    ledger::RollupBuilder &m_rollup;
    const std::string m_poison;
};

// A cache of its own, into which each source is imported on a thread of its own.
struct Bench {
    QTemporaryDir folder;
    std::unique_ptr<ledger::Ledger> ledger = ledger::Ledger::create(model::Settings{}).value();
    std::unique_ptr<store::LedgerStore> cache = store::LedgerStore::open(folder.path().toStdString()).value();
    WatchedRollup rollup;
    base::FrozenClock clock{kJuly + 100 * base::kDay};
    std::map<std::string, ingest::BillsOutcome> outcomes;
    std::map<std::string, int> imports;
    std::int64_t generation = 0; // before

    explicit Bench(std::string poison = {})
        : rollup(ledger->rollup(), std::move(poison))
    {
        ledger::LedgerWriter(*cache, rollup).refreshRollup().value();
        rollup.rebuilds = 0;
        generation = cache->generation().value();
    }
    void sync(const std::vector<Plan> &plans, std::chrono::milliseconds patience = kPatient)
    {
        ledger::LedgerWriter writer(*cache, rollup);
        BillQueue queue(writer, plans.size(), plans.size(), patience);
        for (const Plan &plan : plans)
            outcomes[plan.name] = {}, imports[plan.name] = 0; // so that threads don't change the maps
        std::vector<std::jthread> threads;
        for (const Plan &plan : plans) {
            threads.emplace_back([&, plan] {
                FakeBills source(plan);
                outcomes.at(plan.name) = ingest::syncBills(source, queue, clock, {}, {});
                imports.at(plan.name) = source.imports;
                queue.oneIsDone();
            });
        }
    }
    bool failedWith(const std::string &source, base::ErrorCode code) const
    {
        const auto &error = outcomes.at(source).error;
        return error && error->code == code;
    }
    std::int64_t transactions() { return cache->generation().value() - generation; }
    // Cents by source, as the lines and as the days have it; nothing if the two differ or the ledger is wrong.
    std::map<std::string, std::int64_t> cents()
    {
        const base::Day first = base::dayOf(kJuly), last{first.number + 400};
        if (!ledger::verify(*cache, ledger->rollup()).value().empty()
            || cache->billTotals(first, last, store::LedgerStore::BillCheck::Kept).value()
                != cache->billTotals(first, last, store::LedgerStore::BillCheck::Recomputed).value())
            return {};
        std::map<std::string, std::int64_t> all;
        const auto facts = cache->facts().value();
        for (base::Day day = first; day <= last; ++day.number) {
            const auto read = facts->billedOn(day, [&](const store::BilledItem &item) -> Result<void> {
                all[item.source] += item.billed / 10'000'000;
                return {};
            });
            if (!read)
                return {};
        }
        return all;
    }
};

using Cents = std::map<std::string, std::int64_t>;

} // namespace

class BillQueueTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void billsAreStoredTogether()
    {
        Bench bench;
        bench.sync({{"a"}, {"b"}, {"c"}, {"d"}, {"e"}});
        QCOMPARE(bench.cents(), (Cents{{"a", 10}, {"b", 10}, {"c", 10}, {"d", 10}, {"e", 10}}));
        QCOMPARE(bench.rollup.rebuilds, 1);
        QCOMPARE(bench.transactions(), 1);
        for (const auto &[name, outcome] : bench.outcomes)
            QVERIFY2(!outcome.error && outcome.deliveries.size() == 1, name.c_str());
    }

    void severalBillsOfEachSource()
    {
        Bench bench;
        bench.sync({{"a", 3}, {"b", 1}, {"c", 3}});
        QCOMPARE(bench.cents(), (Cents{{"a", 30}, {"b", 10}, {"c", 30}}));
        QCOMPARE(bench.rollup.rebuilds, 3);
    }

    void aSingleSourceWaitsForNobody()
    {
        Bench bench;
        const auto begin = std::chrono::steady_clock::now();
        bench.sync({{"a", 2}});
        QVERIFY(std::chrono::steady_clock::now() - begin < kPatient);
        QCOMPARE(bench.rollup.rebuilds, 2);
    }

    void aSlowSourceHoldsNobodyUp()
    {
        Bench bench;
        bench.sync({{"fast", 3}, {"slow", 1, 5s}}, 100ms);
        QVERIFY(bench.outcomes.at("fast").seconds < bench.outcomes.at("slow").seconds);
        QCOMPARE(bench.cents(), (Cents{{"fast", 30}, {"slow", 10}}));
    }

    void oneThatFailsLeavesTheOthersAlone()
    {
        Bench bench;
        bench.sync({{"a"}, {"huge", 1, 0ms, Fault::HugeAmount}, {"b"}, {"cut", 1, 0ms, Fault::EndsEarly}, {"c"}});
        QCOMPARE(bench.cents(), (Cents{{"a", 10}, {"b", 10}, {"c", 10}}));
        QVERIFY(bench.failedWith("huge", base::ErrorCode::Overflow));
        QVERIFY(bench.failedWith("cut", base::ErrorCode::Parse));
        for (const char *name : {"a", "b", "c"}) {
            QVERIFY(!bench.outcomes.at(name).error);
            QCOMPARE(bench.imports.at(name), 1);
        }
    }

    // The ledger can't be computed with one of them: all of them fail together, and each is then stored by itself.
    void theOneThatSpoilsTheLedgerFails()
    {
        Bench bench("poison");
        bench.sync({{"a"}, {"poison"}, {"b"}});
        QVERIFY(bench.failedWith("poison", base::ErrorCode::Overflow));
        QVERIFY(!bench.outcomes.at("a").error);
        QVERIFY(!bench.outcomes.at("b").error);
        QCOMPARE(bench.cents(), (Cents{{"a", 10}, {"b", 10}}));
        QCOMPARE(bench.imports, (std::map<std::string, int>{{"a", 2}, {"b", 2}, {"poison", 2}}));
        QCOMPARE(bench.transactions(), 2);
    }

    void theSameFilesOfTwoSourcesAreStoredOnce()
    {
        Bench bench;
        bench.sync({{"a", 1, 0ms, Fault::None, "same"}, {"b", 1, 0ms, Fault::None, "same"}});
        const Cents cents = bench.cents();
        QCOMPARE(cents.size(), std::size_t{1});
        QCOMPARE(cents.begin()->second, 10);
        const std::string other = cents.contains("a") ? "b" : "a";
        QVERIFY(!bench.outcomes.at(other).error);
        QCOMPARE(bench.outcomes.at(other).known, std::uint64_t{1});
    }

    void aStopEndsTheWait()
    {
        Bench bench;
        std::stop_source stop;
        stop.request_stop();
        ledger::LedgerWriter writer(*bench.cache, bench.rollup);
        BillQueue queue(writer, 3, 3);
        const auto writing = queue.begin("a", {{"/a", "a", 1}}, kJuly, BillQueue::With::Others, {}).value();
        QVERIFY(writing);
        const auto stopped = queue.begin("b", {{"/b", "b", 1}}, kJuly, BillQueue::With::Others, stop.get_token());
        QVERIFY(stopped.error().code == base::ErrorCode::Cancelled);
        QVERIFY(writing->commit()); // nobody is waited for any more
    }

    // Sources that come, fail and end in every order.
    void everyOrderStoresTheSame()
    {
        for (int round = 0; round < 12; ++round) {
            Bench bench(round % 3 == 0 ? "c" : "");
            std::vector<Plan> plans;
            Cents expected;
            for (int i = 0; i < 6; ++i) {
                const std::string name(1, static_cast<char>('a' + i));
                const Fault fault = (i + round) % 5 == 0 ? Fault::EndsEarly
                    : (i + round) % 7 == 0               ? Fault::HugeAmount
                                                         : Fault::None;
                plans.push_back({name, 1 + (i * round) % 3, (i * round) % 4 * 3ms, fault});
                if (fault == Fault::None && !(round % 3 == 0 && name == "c"))
                    expected[name] = 10 * plans.back().bills;
            }
            bench.sync(plans);
            QCOMPARE(bench.cents(), expected);
        }
    }
};

GPULEDGER_SUITE(BillQueueTest)

} // namespace tst_billqueue

#include "tst_billqueue.moc"
