// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of OpenCost and Kubecost that are known to be wrong: each is a finding, and none of them gets into the
// ledger.
#include "tests/support/suite.h"
#include "tests/unit/ledger/allocatedcache.h"

namespace tst_allocatorfaults {

using namespace gpuledger;
using namespace gpuledger::tests;

class TestAllocatorFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void podsWithoutCost_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("reason");
        QTest::newRow("shared") << 0 << static_cast<int>(AllocationReason::SharedPods);
        QTest::newRow("MIG") << 1 << static_cast<int>(AllocationReason::MigPods);
        QTest::newRow("AMD") << 2 << static_cast<int>(AllocationReason::AmdPods);
        QTest::newRow("none of these") << 3 << static_cast<int>(AllocationReason::PodsWithoutCost);
    }
    void podsWithoutCost()
    {
        QFETCH(int, kind);
        QFETCH(int, reason);
        Scenario fleet = oneNode();
        if (kind == 0)
            fleet.batch.nodes[0].sharedGpus = true;
        if (kind == 1)
            fleet.slice(3, "7", {1, 7});
        for (model::Device &device : fleet.batch.devices)
            device.vendor = kind == 2 ? "amd" : "nvidia";
        AllocatedNode node = told();
        node.pods = {0, 0, 0};
        OneDay cache(node, {}, fleet);
        const auto *found = cache.found(static_cast<AllocationReason>(reason));
        QVERIFY(found);
        QCOMPARE(found->theirs, std::optional<std::int64_t>(0));
        QVERIFY(found->ours && *found->ours > 200 * kUnit);
        // The pod's time gets its part of the price.
        QCOMPARE(cache.sum(LedgerOrigin::Allocated).allocated, kPrice);
        QVERIFY(cache.sum(LedgerOrigin::Allocated, "active").allocated > 200 * kUnit);
    }

    void otherTimeThanHeld()
    {
        AllocatedNode node = told();
        node.pods = {1, 4 * 86400, 480 * kUnit};
        OneDay cache(node);
        const auto *found = cache.found(AllocationReason::HeldTime);
        QVERIFY(found);
        QCOMPARE(found->theirs, std::optional(480 * kUnit));
        QCOMPARE(found->ours, std::optional(240 * kUnit));
    }

    // It knows how long they held GPUs, and gives them no cost.
    void podsWithHoursButNoCost()
    {
        AllocatedNode node = told();
        node.pods = {1, 2 * 86400, 0};
        OneDay cache(node);
        const auto *found = cache.found(AllocationReason::PodsWithoutCost);
        QVERIFY(found);
        QCOMPARE(found->theirs, std::optional<std::int64_t>(0));
        QCOMPARE(found->ours, std::optional(240 * kUnit));
        QVERIFY(!cache.found(AllocationReason::HeldTime));
    }

    // OpenCost takes the price of one vCPU for that of the whole node where it has no price for the GPUs; the parts of
    // the price are in the ratio of its default prices.
    void thePriceOfOneVcpuIsNotTheNodes_data()
    {
        QTest::addColumn<qint64>("perHour");
        QTest::addColumn<QByteArray>("type");
        QTest::addColumn<bool>("spot");
        QTest::addColumn<bool>("used");
        const qint64 book = kPriced / 24; // per hour
        QTest::newRow("its default") << qint64{31'611'000} << QByteArray("g5.12xlarge") << false << false;
        QTest::newRow("its default for spot") << qint64{6'655'000} << QByteArray("unknown.xlarge") << true << false;
        QTest::newRow("another vCPU price") << qint64{60'000'000} << QByteArray("g5.12xlarge") << false << false;
        QTest::newRow("that of 730 hours") << book / 730 << QByteArray("g5.12xlarge") << false << false;
        QTest::newRow("of one of 48 vCPUs") << book / 48 << QByteArray("g5.12xlarge") << false << false;
        QTest::newRow("of two of them") << book / 24 << QByteArray("g5.12xlarge") << false << true;
        QTest::newRow("of few vCPUs") << book / 16 << QByteArray("unknown.xlarge") << false << false;
        QTest::newRow("a cheap spot machine") << book / 16 << QByteArray("unknown.xlarge") << true << true;
        QTest::newRow("a discount") << book / 5 << QByteArray("g5.12xlarge") << false << true;
    }
    void thePriceOfOneVcpuIsNotTheNodes()
    {
        QFETCH(qint64, perHour);
        QFETCH(QByteArray, type);
        QFETCH(bool, spot);
        QFETCH(bool, used);
        Scenario fleet = oneNode();
        fleet.batch.nodes[0].instanceType = type.toStdString();
        AllocatedNode node = told();
        node.instanceType = type.toStdString();
        node.spot = spot;
        node.total = perHour * 24;
        node.cpuCost = perHour;
        node.ramCost = perHour * 2;
        node.gpuCost = perHour * 21;
        node.pods.gpuCost = perHour * 21 / 2;
        OneDay cache(node, {}, fleet);
        const auto *found = cache.found(AllocationReason::PriceTooLow);
        QCOMPARE(found == nullptr, used);
        QCOMPARE(cache.sum(LedgerOrigin::Allocated).allocated, used ? perHour * 24 : qint64{0});
        QCOMPARE(cache.sum(LedgerOrigin::Priced).priced, used ? qint64{0} : kPriced);
        if (used)
            return;
        QCOMPARE(found->theirs, std::optional(perHour * 24));
        QCOMPARE(found->ours, std::optional(kPriced));
        QVERIFY(!cache.found(AllocationReason::Rate)); // it is not the source's price that was used
    }

    void aPriceWithoutGpusIsNotUsed()
    {
        AllocatedNode node = told();
        node.gpuMillis = node.gpuSeconds = node.gpuCost = 0;
        node.total = 120 * kUnit;
        OneDay cache(node);
        QVERIFY(cache.found(AllocationReason::NoGpuPrice));
        QCOMPARE(cache.sum(LedgerOrigin::Allocated).allocated, std::int64_t{0});
        QCOMPARE(cache.sum(LedgerOrigin::Priced).priced, kPriced);
        // A cloud's price of the whole machine includes its GPUs, no matter where the allocator lists them.
        node.total = kPriced;
        OneDay whole(node);
        QVERIFY(!whole.found(AllocationReason::NoGpuPrice));
        QCOMPARE(whole.sum(LedgerOrigin::Allocated).allocated, kPriced);
        // CPU and memory alone make up the price: it has none for the GPUs, even if it comes near the price book's.
        node.total = kPriced * 2 / 3;
        node.cpuCost = kPriced / 2;
        node.ramCost = *node.total - *node.cpuCost;
        OneDay mig(node);
        QVERIFY(mig.found(AllocationReason::NoGpuPrice));
        QCOMPARE(mig.sum(LedgerOrigin::Allocated).allocated, std::int64_t{0});
        // Unless it is the price of the machine, put on its CPU and memory for want of GPUs.
        node.total = kPriced;
        node.ramCost = kPriced / 2;
        OneDay spread(node);
        QVERIFY(!spread.found(AllocationReason::NoGpuPrice));
        QCOMPARE(spread.sum(LedgerOrigin::Allocated).allocated, kPriced);
    }

    // It knows them, and no price for them; that is the reason, not another time that they were held.
    void gpusWithoutAPrice()
    {
        AllocatedNode node = told();
        node.gpuCost = 0;
        node.total = 120 * kUnit;
        node.pods = {1, 86400, 0};
        OneDay cache(node);
        const auto *found = cache.found(AllocationReason::GpusWithoutPrice);
        QVERIFY(found);
        QCOMPARE(found->theirs, std::optional(120 * kUnit));
        QCOMPARE(found->ours, std::optional(kPriced));
        QCOMPARE(cache.findings().size(), std::size_t{1});
        QCOMPARE(cache.sum(LedgerOrigin::Priced).priced, kPriced);
    }

    void noPriceIsNotZero()
    {
        AllocatedNode node = told();
        node.total.reset();
        OneDay cache(node);
        const auto *found = cache.found(AllocationReason::NoPrice);
        QVERIFY(found);
        QVERIFY(!found->theirs);
        QCOMPARE(found->ours, std::optional(kPriced));
        QCOMPARE(cache.sum(LedgerOrigin::Priced).priced, kPriced);
        QCOMPARE(cache.sum(LedgerOrigin::Priced).ticks, 4 * kDayTicks);
    }

    // The sums are those of all nodes with both prices, so that they can be found in the ledger.
    void theRateIsThatOfAllNodes()
    {
        Scenario fleet = oneNode();
        const auto other = fleet.node("n2", {}, false);
        fleet.batch.nodes[other].cloud = "aws";
        fleet.batch.nodes[other].providerId = "aws:///us-east-1a/i-n2";
        for (int i = 0; i < 4; ++i)
            fleet.reports(fleet.device("GPU-n2-" + std::to_string(i), i), Scenario::kNone, other, 0, 86400, 0);
        AllocatedNode same = told("n2");
        same.total = kPriced;
        same.pods = {0, 0, 0};
        Cache cache;
        cache.facts(fleet);
        cache.put(dayOf(fleet, {told(), same}));
        const auto *found = cache.found(AllocationReason::Rate);
        QVERIFY(found);
        QCOMPARE(found->theirs, std::optional(cache.sum(LedgerOrigin::Allocated).allocated));
        QCOMPARE(found->theirs, std::optional(kPrice + kPriced));
        QCOMPARE(found->ours, std::optional(2 * kPriced));
        QCOMPARE(found->nodes, std::int64_t{1});
        QCOMPARE(found->example, std::string("n1"));
    }

    void nothingToSeeIsNoFinding()
    {
        AllocatedNode node = told("n9");
        node.providerId = "i-n9";
        node.total = 4'900'000; // shown as 0.00
        OneDay cache(node);
        QVERIFY(!cache.found(AllocationReason::Unseen));
        node.total = 5'000'000;
        OneDay cent(node);
        QVERIFY(cent.found(AllocationReason::Unseen));
    }
};

GPULEDGER_SUITE(TestAllocatorFaults)

} // namespace tst_allocatorfaults

#include "tst_allocatorfaults.moc"
