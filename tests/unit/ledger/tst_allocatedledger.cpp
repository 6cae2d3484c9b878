// SPDX-License-Identifier: GPL-3.0-or-later
// OpenCost and Kubecost in the ledger: parts add up, bills take precedence, in any order.
#include "tests/support/suite.h"
#include "tests/unit/ledger/allocatedcache.h"

namespace tst_allocatedledger {

using namespace gpuledger;
using namespace gpuledger::tests;

class TestAllocatedLedger : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void replacesThePriceBook()
    {
        const OneDay cache(told());
        const auto all = cache.sum(LedgerOrigin::Allocated);
        QCOMPARE(all.allocated, kPrice);
        QCOMPARE(all.ticks, 4 * kDayTicks);
        QCOMPARE(all.priced, kPriced); // stored with it: the adjustment is the difference
        QCOMPARE(all.billed, std::int64_t{0});
        QCOMPARE(cache.sum(LedgerOrigin::Priced).ticks, std::int64_t{0});
        QCOMPARE(cache.sum(LedgerOrigin::Allocated, "active").allocated, kPrice / 2);
        QCOMPARE(cache.sum(LedgerOrigin::Allocated, "unallocated").allocated, kPrice / 2);
        QCOMPARE(cache.lines().front().key.source, std::string("kubecost"));
    }

    void anotherPriceIsAFinding()
    {
        OneDay cache(told());
        const auto *rate = cache.found(AllocationReason::Rate);
        QVERIFY(rate);
        QCOMPARE(rate->theirs, std::optional(kPrice));
        QCOMPARE(rate->ours, std::optional(kPriced));
        QCOMPARE(rate->cluster, std::string("prod"));
        QCOMPARE(rate->example, std::string("n1"));
        AllocatedNode same = told();
        same.total = kPriced + kPriced / 200;
        OneDay close(same);
        QVERIFY(!close.found(AllocationReason::Rate));
    }

    void theUsualDayHasNoOtherFinding()
    {
        OneDay cache(told(), {{"cluster-one", "n1", 300 * kUnit, 240 * kUnit, 2 * 86400}});
        QCOMPARE(cache.findings().size(), std::size_t{1});
        QVERIFY(cache.found(AllocationReason::Rate));
    }

    // It has gpuCost, and 0 hours.
    void idleWithoutHours()
    {
        OneDay cache(told(), {{"cluster-one", "n1", 300 * kUnit, 240 * kUnit, 0}});
        const auto *found = cache.found(AllocationReason::IdleWithoutHours);
        QVERIFY(found);
        QCOMPARE(found->theirs, std::optional(240 * kUnit));
        QCOMPARE(found->ours, std::optional(240 * kUnit)); // half of the GPUs' part: two of four were free
        QCOMPARE(cache.sum(LedgerOrigin::Allocated).allocated, kPrice);
    }

    void negativeIdle()
    {
        OneDay cache(told(), {{"cluster-one", "", -50 * kUnit, {}, {}}});
        const auto *found = cache.found(AllocationReason::NegativeIdle);
        QVERIFY(found);
        QCOMPARE(found->theirs, std::optional(-50 * kUnit));
        QCOMPARE(found->ours, std::optional(kPrice / 2));
        for (const Line &line : cache.lines())
            QVERIFY(line.amounts.allocated >= 0);
    }

    void twoPricesOfTwoAnswers()
    {
        AllocatedNode node = told();
        node.pods.gpuCost = 200 * kUnit;
        OneDay cache(node);
        const auto *found = cache.found(AllocationReason::TwoPrices);
        QVERIFY(found);
        QCOMPARE(found->theirs, std::optional(200 * kUnit));
        QCOMPARE(found->ours, std::optional(240 * kUnit));
        // Kubecost adjusts pods, and reports the node's adjustment separately.
        node.adjustment = -100 * kUnit;
        node.total = 500 * kUnit;
        OneDay adjusted(node);
        QVERIFY(!adjusted.found(AllocationReason::TwoPrices));
    }

    void twoSourcesOfOneNode()
    {
        Cache cache;
        const Scenario fleet = oneNode();
        cache.facts(fleet);
        AllocatedNode other = told();
        other.total = 500 * kUnit;
        cache.put(dayOf(fleet, {other}), "b");
        cache.put(dayOf(fleet, {told()}), "a");
        QCOMPARE(cache.sum(LedgerOrigin::Allocated).allocated, kPrice);
        const auto *found = cache.found(AllocationReason::TwoSources);
        QVERIFY(found);
        QCOMPARE(found->source, std::string("b"));
        QCOMPARE(found->theirs, std::optional(500 * kUnit));
        QCOMPARE(found->ours, std::optional(kPrice));
        QVERIFY(cache.isWhole());
    }

    // Half a day: the rest of the observed time keeps the price of the price book.
    void timeThatItDidNotSeeStaysPriced()
    {
        AllocatedNode node = told();
        node.seconds = 43200;
        OneDay cache(node);
        const auto allocated = cache.sum(LedgerOrigin::Allocated), priced = cache.sum(LedgerOrigin::Priced);
        QCOMPARE(allocated.allocated, kPrice);
        QCOMPARE(allocated.ticks, 2 * kDayTicks);
        QCOMPARE(priced.ticks, 2 * kDayTicks);
        QCOMPARE(allocated.priced + priced.priced, kPriced);
        QCOMPARE(priced.priced, kPriced / 2);
    }

    // Half a day of telemetry: the other half is paid for, but unobserved.
    void timeThatTelemetryDidNotSeeIsUnobserved()
    {
        Scenario fleet;
        const auto node = fleet.node("n1", {}, false);
        fleet.batch.nodes[node].providerId = "aws:///us-east-1a/i-n1";
        const auto device = fleet.device("GPU-0");
        fleet.reports(device, Scenario::kNone, node, 0, 43200, 0);
        fleet.batch.covered.end = fleet.at(43200);
        OneDay cache(told(), {}, fleet);
        const auto all = cache.sum(LedgerOrigin::Allocated),
                   unobserved = cache.sum(LedgerOrigin::Allocated, "unobserved");
        QCOMPARE(all.allocated, kPrice);
        QCOMPARE(all.ticks, kDayTicks);
        QVERIFY(unobserved.allocated > 0);
        QCOMPARE(cache.sum(LedgerOrigin::Allocated, "unallocated").allocated + unobserved.allocated, kPrice);
    }

    void itIsOfTheNodesOwner()
    {
        Scenario fleet;
        const auto node = fleet.node("n1", {{"node_pool", "speech-pool"}}, false);
        fleet.batch.nodes[node].providerId = "aws:///us-east-1a/i-n1";
        fleet.reports(fleet.device("GPU-0"), Scenario::kNone, node, 0, 43200, 0);
        fleet.batch.covered.end = fleet.at(43200);
        model::Settings settings = pricedSettings();
        model::OwnerRule pool;
        pool.kind = model::OwnerRule::Kind::NodePool;
        pool.pattern = "speech-pool";
        pool.team = "speech";
        settings.owners.push_back(pool);
        Cache cache(settings);
        cache.facts(fleet);
        cache.put(dayOf(fleet, {told()}));
        int unobserved = 0;
        for (const Line &line : cache.lines()) {
            if (line.key.state != "unobserved")
                continue;
            ++unobserved;
            QCOMPARE(line.key.team, std::string("speech"));
        }
        QCOMPARE(unobserved, 1);
    }

    void aNodeThatTelemetryNeverSaw()
    {
        Cache cache;
        const Scenario fleet = oneNode();
        cache.facts(fleet);
        AllocatedNode cpu = told("cpu");
        cpu.gpuMillis = cpu.gpuSeconds = cpu.gpuCost = 0;
        AllocatedNode midnight = told("n3"); // the sample of the next midnight, which is counted to both days
        midnight.seconds = 300;
        cache.put(dayOf(fleet, {cpu, told("n2"), midnight}));
        const auto unobserved = cache.sum(LedgerOrigin::Allocated, "unobserved");
        QCOMPARE(unobserved.allocated, kPrice);
        QCOMPARE(unobserved.ticks, 4 * kDayTicks);
        QCOMPARE(cache.sum(LedgerOrigin::Priced).ticks, 4 * kDayTicks); // n1
        QVERIFY(cache.found(AllocationReason::Unseen));
        QCOMPARE(cache.found(AllocationReason::Unseen)->nodes, std::int64_t{1});
        QVERIFY(cache.isWhole());
    }

    void aBillIsBetterWheneverItComes()
    {
        const Scenario fleet = oneNode();
        Cache late, early;
        late.facts(fleet);
        late.put(dayOf(fleet, {told(), told("n2")}));
        QCOMPARE(late.sum(LedgerOrigin::Allocated).allocated, 2 * kPrice);
        late.bill(fleet, 500 * kUnit);
        early.bill(fleet, 500 * kUnit);
        early.put(dayOf(fleet, {told(), told("n2")}));
        early.facts(fleet);
        for (Cache *cache : {&late, &early}) {
            QCOMPARE(cache->sum(LedgerOrigin::Billed).billed, 500 * kUnit);
            QCOMPARE(cache->sum(LedgerOrigin::Allocated), model::LedgerAmounts{}); // n2 is in the bill, or in nothing
            const auto *found = cache->found(AllocationReason::Bill);
            QVERIFY(found);
            QCOMPARE(found->theirs, std::optional(kPrice));
            QCOMPARE(found->ours, std::optional(500 * kUnit));
            QVERIFY(cache->isWhole());
        }
        QCOMPARE(late.lines().size(), early.lines().size());
        QVERIFY(late.lines() == early.lines());
    }

    void sameAnswersChangeNothing()
    {
        OneDay cache(told());
        const auto before = cache.store->generation().value();
        const auto lines = cache.lines();
        QVERIFY(!cache.put(dayOf(oneNode(), {told()})));
        QCOMPARE(cache.store->generation().value(), before);
        AllocatedNode other = told();
        other.total = kPrice + 1;
        QVERIFY(cache.put(dayOf(oneNode(), {other})));
        QCOMPARE(cache.sum(LedgerOrigin::Allocated).allocated, kPrice + 1);
        QVERIFY(cache.put(dayOf(oneNode(), {told()})));
        QVERIFY(cache.lines() == lines);
        QVERIFY(cache.isWhole());
    }

    void otherCurrenciesStayThemselves()
    {
        Cache cache;
        const Scenario fleet = oneNode();
        cache.facts(fleet);
        cache.put(dayOf(fleet, {told()}, {}, "EUR"));
        for (const Line &line : cache.lines())
            QCOMPARE(std::string(line.key.currency.code()), std::string("EUR"));
        QCOMPARE(cache.sum(LedgerOrigin::Allocated).allocated, kPrice);
        QVERIFY(!cache.found(AllocationReason::Rate)); // nothing to compare with
        QVERIFY(cache.isWhole());
    }

    void namesAreFoundAndNotMistaken_data()
    {
        QTest::addColumn<QByteArray>("cluster");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<bool>("found");
        QTest::newRow("by id") << QByteArray("x") << QByteArray("other") << QByteArray("i-n1") << true;
        QTest::newRow("by whole id") << QByteArray("x") << QByteArray("other") << QByteArray("aws:///us-east-1a/i-n1")
                                     << true;
        QTest::newRow("by name and cluster") << QByteArray("prod") << QByteArray("n1") << QByteArray("i-new") << true;
        QTest::newRow("by name alone") << QByteArray("cluster-one") << QByteArray("N1") << QByteArray("") << true;
        QTest::newRow("another id") << QByteArray("cluster-one") << QByteArray("n1") << QByteArray("i-other") << false;
        QTest::newRow("another name") << QByteArray("prod") << QByteArray("n9") << QByteArray("i-n9") << false;
        QTest::newRow("nothing but slashes") << QByteArray("prod") << QByteArray("n9") << QByteArray("///") << false;
    }
    void namesAreFoundAndNotMistaken()
    {
        QFETCH(QByteArray, cluster);
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, id);
        QFETCH(bool, found);
        AllocatedNode node = told();
        node.cluster = cluster.toStdString();
        node.name = name.toStdString();
        node.providerId = id.toStdString();
        OneDay cache(node);
        QCOMPARE(cache.found(AllocationReason::Unseen) == nullptr, found);
        QCOMPARE(cache.sum(LedgerOrigin::Priced).ticks == 0, found);
    }

    void extremeAmountsEndNothing()
    {
        for (const std::int64_t amount : {(std::int64_t{1} << 62) - 1, -(std::int64_t{1} << 62) + 1, std::int64_t{0}}) {
            AllocatedNode node = told();
            for (auto *one : {&node.total, &node.cpuCost, &node.ramCost, &node.gpuCost, &node.adjustment,
                              &node.pods.gpuCost, &node.pods.gpuSeconds})
                *one = amount;
            node.gpuSeconds = (std::int64_t{1} << 62) - 1;
            OneDay cache(node, {{"", "", amount, amount, amount}});
            QCOMPARE(cache.sum(LedgerOrigin::Allocated).allocated, amount);
        }
    }

    void aDamagedDayIsFound()
    {
        OneDay cache(told());
        cache.store.reset();
        for (const char *change :
             {"UPDATE allocation_node SET total = total + 1", "UPDATE allocation_node SET pods = 7",
              "UPDATE allocation_finding SET theirs = theirs + 1",
              "UPDATE ledger_line SET allocated = allocated + 1 WHERE allocated > 0"}) {
            Cache other;
            other.facts(oneNode());
            other.put(dayOf(oneNode(), {told()}));
            const std::string file = other.store->file().string();
            other.store.reset();
            executeOn(file, change);
            other.store = store::LedgerStore::open(other.dir.path().toStdString()).value();
            QVERIFY2(!ledger::verify(*other.store, other.ledger->rollup()).value().empty(), change);
        }
    }

    void thePartsComeToThePrice_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 6; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void thePartsComeToThePrice();
};

// Whatever the fleet did, and in whatever order both arrive.
void TestAllocatedLedger::thePartsComeToThePrice()
{
    QFETCH(int, seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Scenario fleet = randomFleet(random, Telling::Loose);
    const auto pieces = randomPieces(fleet, random, Telling::Loose);
    std::vector<model::AllocationDay> days;
    std::map<base::Day, std::int64_t> prices;
    for (int offset = -1; offset < 6; ++offset) {
        model::AllocationDay day = dayOf(fleet, {}, {}, "EUR");
        day.day = fleet.day(offset);
        std::set<std::string> names;
        for (const model::Node &node : fleet.batch.nodes) {
            if (!names.insert(node.name).second)
                continue;
            AllocatedNode one = told(node.name);
            one.cluster = "prod";
            one.providerId.clear();
            one.total = pick(random, -50'000'000'000, 900'000'000'007);
            one.seconds = oneIn(random, 4)
                ? std::nullopt
                : std::optional<std::int64_t>(pick(random, 301, 86401)); // shorter ones are the next midnight's
            one.pods = {};
            prices[day.day] += *one.total;
            day.nodes.push_back(one);
        }
        days.push_back(std::move(day));
    }
    Cache cache, other;
    std::size_t next = 0;
    for (const Piece &piece : pieces) {
        Cache::must(cache.writer().commit(piece.source, piece.batch));
        if (next < days.size() && oneIn(random, 2))
            cache.put(days[next++]);
    }
    for (; next < days.size(); ++next)
        cache.put(days[next]);
    for (auto it = days.rbegin(); it != days.rend(); ++it)
        other.put(*it);
    for (const Piece &piece : pieces)
        Cache::must(other.writer().commit(piece.source, piece.batch));
    std::map<base::Day, std::int64_t> sums;
    for (const Line &line : cache.lines())
        sums[line.day] += line.amounts.allocated;
    std::erase_if(sums, [](const auto &entry) { return entry.second == 0; });
    QVERIFY(sums == prices);
    QVERIFY(cache.lines() == other.lines());
    QVERIFY(cache.findings() == other.findings());
    QVERIFY(cache.isWhole());
    QVERIFY(other.isWhole());
    QVERIFY(cache.sum(LedgerOrigin::Allocated, "active").ticks > 0);
}

GPULEDGER_SUITE(TestAllocatedLedger)

} // namespace tst_allocatedledger

#include "tst_allocatedledger.moc"
