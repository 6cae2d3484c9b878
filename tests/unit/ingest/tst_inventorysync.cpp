// SPDX-License-Identifier: GPL-3.0-or-later
// What a cloud's list of machines becomes, alone and beside telemetry of the same machines. The way from a real API:
// tests/integration/run_inventory.py.
#include "app/ledger/rates/expectedrates.h"
#include "app/model/fleet/listedmachine.h"
#include "tests/support/suite.h"
#include "tests/unit/ingest/machinebench.h"

namespace tst_inventorysync {

using namespace gpuledger;
using model::GpuState;
using namespace machinebench;

namespace {

// A machine of which the list does not tell since when it runs.
ListedMachine untold(const std::string &id)
{
    ListedMachine machine = machineOf(id, {});
    machine.since.reset();
    return machine;
}

} // namespace

class TestInventorySync : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aMachineIsANodeWithDevicesAndAHolder()
    {
        ports::Inventory inventory{{machineOf("i-1", kNoon - 3 * kHour)}, {{"machine with a part of a GPU", 2}}};
        const ports::FactBatch batch = ingest::factsOf(inventory, "cloud", "aws", {kNoon, kNoon + Seconds{17}, kBack});
        QVERIFY(!batch.complete);
        QCOMPARE(batch.nodes.size(), std::size_t{1});
        const model::Node &node = batch.nodes[0];
        QCOMPARE(node.cluster, std::string("cloud"));
        QCOMPARE(node.name, std::string("i-1"));
        QCOMPARE(node.cloud, std::string("aws"));
        QCOMPARE(node.labels.at("cost_center"), std::string("7"));
        QCOMPARE(node.labels.at(model::kHostNameLabel), std::string("ip-1.internal"));
        QVERIFY(!node.labels.contains(model::kPurchaseLabel));
        inventory.machines[0].isSpot = true;
        const ports::FactBatch spot = ingest::factsOf(inventory, "cloud", "aws", {kNoon, kNoon + Seconds{17}, kBack});
        QVERIFY(ledger::isSpotNode(spot.nodes[0]) && !ledger::isSpotNode(node));
        QCOMPARE(batch.devices.size(), std::size_t{2});
        QCOMPARE(batch.devices[1].uuid, std::string("i-1/1"));
        QVERIFY(batch.subjects[0].kind == model::SubjectKind::Machine);
        QVERIFY(batch.nodeSpans[0].range == (base::TimeRange{kNoon - 3 * kHour, kNoon}));
        QVERIFY(batch.covered == batch.nodeSpans[0].range);
        QVERIFY(batch.series[0].role == model::SeriesRole::Listed);
        QCOMPARE(batch.rejected.size(), std::size_t{1});
    }

    void whatCanNotBeIsLeftOut()
    {
        std::vector<ListedMachine> machines{machineOf("i-1", kNoon - kHour, 0), machineOf("i-2", kNoon - kHour, 65),
                                            machineOf("i-3", kNoon + kHour), machineOf("i-4", kNoon - 2000 * kBack)};
        machines.push_back(machineOf("i-5", kNoon - Seconds{10})); // not a bucket old
        machines.push_back(machineOf("i-6", kNoon - kHour));
        machines.back().until = kNoon - 2 * kHour;
        const ports::FactBatch batch = ingest::factsOf({machines, {}}, "cloud", "aws", {kNoon, kNoon, kBack});
        QCOMPARE(batch.nodes.size(), std::size_t{2});
        QVERIFY(batch.nodeSpans[0].range == (base::TimeRange{kNoon - kBack, kNoon}));
        QVERIFY(batch.nodeSpans[1].range == (base::TimeRange{kNoon - Seconds{10}, kNoon}));
        QCOMPARE(batch.rejected.size(), std::size_t{2});
        QCOMPARE(batch.rejected[0].count, std::uint64_t{2});
    }

    void itsTimeIsUnobservedAndThatOfItsTeam()
    {
        Bench bench;
        const auto outcome = bench.sync(kNoon, {machineOf("i-1", kNoon - 3 * kHour - Seconds{100})});
        QVERIFY2(!outcome.error, outcome.error ? outcome.error->text.c_str() : "");
        QCOMPARE(outcome.machines, std::uint64_t{1});
        QCOMPARE(outcome.gpus, std::uint64_t{2});
        // To the second: 2 GPUs x 3:01:40.
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 6.056}}));
        QCOMPARE(bench.unseen(kNoon), (std::set<std::string>{"i-1"}));
    }

    void aListAgainChangesNothingAndGoesOn()
    {
        Bench bench;
        bench.sync(kNoon - kHour, {machineOf("i-1", kNoon - 30 * kHour)});
        bench.sync(kNoon - kHour, {machineOf("i-1", kNoon - 30 * kHour)});
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 58}}));
        bench.sync(kNoon, {});
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 58}})); // what happened stays
        bench.sync(kNoon, {machineOf("i-1", kNoon - 30 * kHour)}); // an answer that lacked it was wrong
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 60}}));
    }

    // It counts from the last whole bucket before the first list that has it, and goes on from list to list.
    void aListThatDoesNotTellTheBegin()
    {
        Bench bench;
        bench.sync(kNoon - 30 * kHour, {untold("i-1")});
        const double bucket = 0.167; // of two GPUs
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", bucket}}));
        bench.sync(kNoon - 29 * kHour, {untold("i-1"), untold("i-2"), machineOf("i-3", kNoon - 31 * kHour)});
        QCOMPARE(bench.hours(),
                 (Hours{{"vision:i-1@i-1/unobserved", 2.167},
                        {"vision:i-2@i-2/unobserved", bucket},
                        {"vision:i-3@i-3/unobserved", 4}}));
        // A list that lacks one, and has it later again: nobody knows what was in between.
        bench.sync(kNoon - 28 * kHour, {untold("i-1")});
        bench.sync(kNoon - 27 * kHour, {untold("i-1"), untold("i-2")});
        QCOMPARE(bench.hours(),
                 (Hours{{"vision:i-1@i-1/unobserved", 6.167},
                        {"vision:i-2@i-2/unobserved", 0.333},
                        {"vision:i-3@i-3/unobserved", 4}}));
        // After more than a day, as if it were new; so after a clock that was ahead.
        bench.sync(kNoon - 2 * kHour, {untold("i-1")});
        bench.sync(kNoon - 3 * kHour, {untold("i-1")});
        QCOMPARE(bench.hours().at("vision:i-1@i-1/unobserved"), 6.5);
    }

    // What a list lacks because a service failed goes on, as if there had been no such list.
    void aPartialListEndsNothing()
    {
        Bench bench;
        const auto partial = [&](base::UtcTime now) {
            FakeInventory source;
            source.answer = ports::Inventory{{untold("i-1")}, {}};
            source.answer->isPartial = true;
            const auto outcome = bench.run(source, now);
            return !outcome.error && outcome.partial;
        };
        QVERIFY(!bench.sync(kNoon - 30 * kHour, {untold("i-1"), untold("i-2")}).partial);
        QVERIFY(partial(kNoon - 29 * kHour));
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 2.167}, {"vision:i-2@i-2/unobserved", 0.167}}));
        QVERIFY(partial(kNoon - 28 * kHour));
        bench.sync(kNoon - 27 * kHour, {untold("i-1"), untold("i-2")});
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 6.167}, {"vision:i-2@i-2/unobserved", 6.167}}));
        // For more than a day, one is in each of them: it went on. The other one is as if it were new.
        for (int hour = 26; hour > 1; --hour)
            QVERIFY(partial(kNoon - hour * kHour));
        bench.sync(kNoon - kHour, {untold("i-1"), untold("i-2")});
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 58.167}, {"vision:i-2@i-2/unobserved", 6.333}}));
    }

    void aPriceOfItsOwnIsALabelOfItsNode()
    {
        ListedMachine machine = machineOf("i-1", kNoon - kHour);
        machine.tags["gpuledger_gpu_hour_price"] = "1 USD"; // anyone may write a tag
        ports::Inventory inventory{{machine}, {}};
        const auto labelsOf = [&] {
            return ingest::factsOf(inventory, "cloud", "aws", {kNoon, kNoon, kBack}).nodes.at(0).labels;
        };
        QVERIFY(!labelsOf().contains(model::kGpuHourPriceLabel));
        inventory.machines[0].perHour = base::Money(2'390'000'000, base::Currency::usd());
        QCOMPARE(labelsOf().at(model::kGpuHourPriceLabel), std::string("1.195000000 USD"));
    }

    void aStopEndsItToTheSecond()
    {
        Bench bench;
        bench.sync(kNoon - kHour, {machineOf("i-1", kNoon - 5 * kHour)});
        ListedMachine stopped = machineOf("i-1", kNoon - 5 * kHour);
        stopped.until = kNoon - Seconds{1800};
        const auto outcome = bench.sync(kNoon, {stopped});
        QCOMPARE(outcome.machines, std::uint64_t{0});
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 9}}));
        QVERIFY(bench.unseen(kNoon).empty());
        // A run after a pause of less than an hour: the pause is not paid for.
        bench.sync(kNoon + kHour, {machineOf("i-1", kNoon)});
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 11}}));
    }

    void aMachineOfAnotherTypeHasOtherGpus()
    {
        Bench bench;
        ListedMachine large = machineOf("i-1", kNoon - 50 * kHour, 8);
        large.until = kNoon - 40 * kHour;
        bench.sync(kNoon - 30 * kHour, {large});
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 80}}));
        bench.sync(kNoon, {machineOf("i-1", kNoon - 10 * kHour, 1)});
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 90}}));
        bench.sync(kNoon + 2 * kHour, {machineOf("i-1", kNoon + kHour, 4)});
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 94}}));
    }

    void aMemberOfAClusterIsHeldByNobody()
    {
        Bench bench;
        ListedMachine member = machineOf("i-1", kNoon - kHour);
        member.isMember = true;
        bench.sync(kNoon, {member});
        QCOMPARE(bench.hours(), (Hours{{"shared:-@i-1/unobserved", 2}}));
    }

    void telemetryOfTheSameMachineIsOneDevice_data()
    {
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("providerId");
        QTest::addColumn<bool>("isSame");
        const QString own = QStringLiteral("aws:///eu-central-1a/i-1"),
                      other = QStringLiteral("aws:///eu-central-1a/i-9");
        QTest::newRow("provider id") << QStringLiteral("node-7") << own << true;
        QTest::newRow("host name") << QStringLiteral("ip-1.internal") << QString() << true;
        QTest::newRow("id as its name") << QStringLiteral("i-1") << QString() << true;
        QTest::newRow("host name without its domain") << QStringLiteral("ip-1") << QString() << true;
        QTest::newRow("host name of another machine") << QStringLiteral("ip-1.internal") << other << false;
        QTest::newRow("another machine") << QStringLiteral("node-7") << QString() << false;
    }
    void telemetryOfTheSameMachineIsOneDevice()
    {
        QFETCH(QString, node);
        QFETCH(QString, providerId);
        QFETCH(bool, isSame);
        const std::string name = node.toStdString();
        for (const bool listFirst : {true, false}) {
            Bench bench;
            // The machine runs for 4 h; its exporter was installed for the last 2.
            const auto list = [&] { bench.sync(kNoon, {machineOf("i-1", kNoon - 4 * kHour)}); };
            if (listFirst)
                list();
            bench.commit(telemetryOf(name, providerId.toStdString(), kNoon - 2 * kHour, kNoon, 2));
            if (!listFirst)
                list();
            const Hours one{{"shared:-@" + name + "/unallocated", 4}, {"shared:-@" + name + "/unobserved", 4}};
            const Hours two{{"shared:-@" + name + "/unallocated", 4}, {"vision:i-1@i-1/unobserved", 8}};
            QCOMPARE(bench.hours(), isSame ? one : two);
            QCOMPARE(bench.unseen(kNoon).size(), isSame ? std::size_t{0} : std::size_t{1});
        }
    }

    void theMachineThatHoldsItsGpusIsOne()
    {
        for (const std::string name : {"i-1", "ip-1.internal", "ip-1"}) {
            for (const bool listFirst : {true, false}) {
                Bench bench;
                const auto list = [&] { bench.sync(kNoon, {machineOf("i-1", kNoon - 4 * kHour)}); };
                if (listFirst)
                    list();
                bench.commit(telemetryOf("box", "", kNoon - 2 * kHour, kNoon, 2, name));
                if (!listFirst)
                    list();
                QCOMPARE(bench.hours(),
                         (Hours{{"unowned:" + name + "@box/active", 4}, {"unowned:i-1@box/unobserved", 4}}));
            }
        }
    }

    void twoListsOfOneMachineAreOneMachine()
    {
        Bench bench;
        bench.sync(kNoon - kHour, {machineOf("i-1", kNoon - 4 * kHour)});
        // The source was renamed, or there are two of the same account.
        bench.sync(kNoon, {machineOf("i-1", kNoon - 4 * kHour)}, "other");
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 8}}));
        bench.sync(kNoon, {machineOf("i-1", kNoon - 4 * kHour)});
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 8}}));
        QCOMPARE(bench.unseen(kNoon, "other"), (std::set<std::string>{"i-1"}));
        bench.commit(telemetryOf("node-7", "aws:///eu-central-1a/i-1", kNoon - 2 * kHour, kNoon, 2));
        QCOMPARE(bench.hours(), (Hours{{"shared:-@node-7/unallocated", 4}, {"shared:-@node-7/unobserved", 4}}));
        QVERIFY(bench.unseen(kNoon, "other").empty());
    }

    void twoMachinesOfOneHostNameAreNotGuessed()
    {
        Bench bench;
        bench.commit(telemetryOf("ip-1.internal", "", kNoon - kHour, kNoon, 2));
        bench.sync(kNoon, {machineOf("i-1", kNoon - kHour)});
        QCOMPARE(bench.unseen(kNoon).size(), std::size_t{0});
        ListedMachine twin = machineOf("i-2", kNoon - kHour);
        twin.hostName = "ip-1.internal";
        bench.sync(kNoon, {machineOf("i-1", kNoon - kHour), twin});
        QCOMPARE(bench.unseen(kNoon).size(), std::size_t{2});
        QVERIFY(!bench.hours().contains("the cache is wrong"));
    }

    void aPodOnAMachineWithoutAnExporterHoldsIt()
    {
        Bench bench;
        bench.sync(kNoon, {machineOf("i-1", kNoon - 4 * kHour)});
        ports::FactBatch batch = telemetryOf("node-7", "aws:///eu-central-1a/i-1", kNoon - 4 * kHour, kNoon, 0);
        model::Holder &pod = batch.holders.emplace_back();
        pod.cluster = "prod";
        pod.nameSpace = "nlp";
        pod.name = "train-1";
        pod.uid = "u";
        pod.node = "node-7";
        pod.gpuRequests = {{"nvidia_com_gpu", 2}};
        batch.holderSpans.push_back({0, {kNoon - 3 * kHour, kNoon - kHour}});
        bench.commit(batch);
        QCOMPARE(bench.hours(), (Hours{{"nlp:train-1@node-7/unobserved", 4}, {"shared:-@node-7/unobserved", 4}}));
        // Its exporter reports at last: the GPUs are those of the list, and the pod still held them.
        bench.commit(telemetryOf("node-7", "aws:///eu-central-1a/i-1", kNoon, kNoon + kHour, 2));
        const Hours after = bench.hours();
        QCOMPARE(after.at("nlp:train-1@node-7/unobserved"), 4.0);
        QCOMPARE(after.at("shared:-@node-7/unallocated"), 2.0);
        QVERIFY(!after.contains("the cache is wrong"));
    }

    void aFailureKeepsWhatIsStored()
    {
        Bench bench;
        bench.sync(kNoon - kHour, {machineOf("i-1", kNoon - 5 * kHour)});
        FakeInventory source;
        source.answer = base::fail(base::ErrorCode::Forbidden, "may not");
        const auto outcome = bench.run(source, kNoon);
        QVERIFY(outcome.error && outcome.error->code == base::ErrorCode::Forbidden);
        QCOMPARE(bench.hours(), (Hours{{"vision:i-1@i-1/unobserved", 8}}));
        const auto states = bench.cache->syncStates();
        QCOMPARE(states->front().lastErrorCode, std::string("forbidden"));
        QVERIFY(states->front().lastSuccess == kNoon - kHour);
    }

    void listsAreStoredTogether()
    {
        Bench bench;
        FakeInventory one("one"), other("other"), failing("failing");
        one.answer = ports::Inventory{{machineOf("i-1", kNoon - 5 * kHour)}, {}};
        other.answer = ports::Inventory{{machineOf("i-2", kNoon - 4 * kHour), machineOf("i-3", kNoon - kHour)}, {}};
        failing.answer = base::fail(base::ErrorCode::Forbidden, "may not");
        ledger::LedgerWriter writer(*bench.cache, bench.ledger->rollup());
        const auto outcomes = ingest::storeInventories(
            {bench.read(one, kNoon), bench.read(failing, kNoon), bench.read(other, kNoon)}, writer);
        QCOMPARE(outcomes.size(), std::size_t{3});
        QVERIFY(!outcomes[0].error && !outcomes[2].error);
        QCOMPARE(outcomes[2].machines, std::uint64_t{2});
        QVERIFY(outcomes[1].error && outcomes[1].error->code == base::ErrorCode::Forbidden);
        QCOMPARE(bench.hours(),
                 (Hours{{"vision:i-1@i-1/unobserved", 10},
                        {"vision:i-2@i-2/unobserved", 8},
                        {"vision:i-3@i-3/unobserved", 2}}));
        QCOMPARE(bench.cache->syncStates()->size(), std::size_t{3});
    }

    void hostileTextIsStoredAsText()
    {
        Bench bench;
        ListedMachine machine = machineOf("i-1", kNoon - kHour);
        machine.tags = {{"a\xff\n\"", "\xc3("}, {"gpuledger_host_name", "i-2"}, {"team", std::string(5000, 'x')}};
        QVERIFY(!bench.sync(kNoon, {machine}).error);
        QVERIFY(!bench.hours().contains("the cache is wrong"));
        auto facts = std::move(*bench.cache->facts());
        QCOMPARE((*facts->nodes())[0].labels.at(model::kHostNameLabel), std::string("ip-1.internal"));
    }
};

GPULEDGER_SUITE(TestInventorySync)

} // namespace tst_inventorysync

#include "tst_inventorysync.moc"
