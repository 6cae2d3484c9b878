// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader of the cache answers by a query of its own equals what FactReader does without one.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_factreader {

using namespace gpuledger;
using namespace gpuledger::tests;
using store::FactReader;

namespace {

constexpr std::int64_t kDay = Scenario::kDaySeconds;

std::string textOf(const std::vector<model::Node> &nodes)
{
    std::string out;
    for (const model::Node &n : nodes) {
        for (const std::string &text :
             {std::to_string(n.id.value), n.cluster, n.name, n.providerId, n.instanceType, n.cloud, n.region, n.zone,
              std::to_string(n.gpuCapacity), std::to_string(n.sharedGpus), std::to_string(n.labels.size())})
            out += text + '|';
        out += '\n';
    }
    return out;
}

std::string textOf(const store::Placement &p)
{
    return std::to_string(p.device.value) + '|' + p.gpuInstance + '|' + std::to_string(p.subject.value) + '|'
        + std::to_string(p.node.value) + '|' + std::to_string(static_cast<int>(p.role)) + '|'
        + base::toRfc3339(p.seen.start) + '|' + base::toRfc3339(p.seen.end) + '\n';
}

// In two clusters; some series name no node.
ports::FactBatch fleetOf(Random &random)
{
    Scenario fleet = randomFleet(random, Telling::Wild);
    for (std::size_t n = 0; n < fleet.batch.nodes.size(); ++n) {
        model::Node &node = fleet.batch.nodes[n];
        node.labels = {{"pool", "a \"quoted\" one"}};
        node.providerId = "aws:///us-east-1a/i-" + std::to_string(n);
        node.cloud = "aws";
        node.region = "us-east-1";
        node.zone = "us-east-1a";
        node.gpuCapacity = 8;
    }
    fleet.batch.nodes.front().cluster = "elsewhere";
    fleet.reports(fleet.device("GPU-unplaced"), Scenario::kNone, Scenario::kNone, 0, kDay, 10);
    fleet.batch.devices.back().cluster = "third";
    return fleet.batch;
}

struct Filled {
    explicit Filled(std::uint64_t seed)
    {
        Random random(seed);
        const auto ledger = ledger::Ledger::create(pricedSettings()).value();
        if (const auto done = ledger::LedgerWriter(*store, ledger->rollup()).commit("prom", fleetOf(random)); !done)
            qFatal("%s", done.error().text.c_str());
    }
    QTemporaryDir dir;
    std::unique_ptr<store::LedgerStore> store = store::LedgerStore::open(dir.path().toStdString()).value();
    std::unique_ptr<FactReader> facts() const { return store->facts().value(); }
};

} // namespace

class TestFactReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leavesLabelsOut()
    {
        const Filled filled(1);
        const auto facts = filled.facts();
        QVERIFY(!facts->nodes().value().front().labels.empty());
        QCOMPARE(textOf(facts->nodesWithoutLabels().value()), textOf(facts->FactReader::nodesWithoutLabels().value()));
    }
    void countsWhatClustersHave()
    {
        const Filled filled(2);
        const auto facts = filled.facts();
        const auto sizes = facts->clusterSizes().value();
        QCOMPARE(sizes.size(), std::size_t{3});
        QVERIFY(sizes == facts->FactReader::clusterSizes().value());
        QCOMPARE(sizes.front().cluster, std::string("elsewhere"));
        QCOMPARE(sizes.front().nodes, std::int64_t{1});
        QCOMPARE(sizes.back().devices, std::int64_t{1});
        QVERIFY(sizes[1].devices > 5 && sizes[1].nodes == 2);
        QTemporaryDir empty;
        const auto none = store::LedgerStore::open(empty.path().toStdString()).value();
        QVERIFY(none->facts().value()->clusterSizes().value().empty());
    }
    void findsPlacementsOfSomeDevices()
    {
        std::size_t found = 0;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const Filled filled(seed);
            const auto facts = filled.facts();
            auto pairs = facts->deviceNodes().value(), plainPairs = facts->FactReader::deviceNodes().value();
            std::sort(pairs.begin(), pairs.end());
            std::sort(plainPairs.begin(), plainPairs.end());
            QVERIFY(pairs == plainPairs && !pairs.empty());
            Random random(seed);
            const auto all = facts->devices().value();
            const base::UtcTime start = facts->coveredRange().value().start;
            for (int i = 0; i < 20; ++i) {
                std::vector<base::DeviceId> wanted;
                for (int n = 0; n < i % 5; ++n)
                    wanted.push_back(
                        all[static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(all.size())))].id);
                const std::int64_t from = pick(random, 0, 3 * kDay);
                const base::TimeRange range{start + base::Seconds{from},
                                            start + base::Seconds{from + pick(random, 0, kDay)}};
                std::string quick, plain;
                const auto into = [](std::string &text) {
                    return [&text](const store::Placement &one) -> base::Result<void> {
                        text += textOf(one);
                        return {};
                    };
                };
                QVERIFY(facts->eachPlacementOf(wanted, range, into(quick)));
                QVERIFY(facts->FactReader::eachPlacementOf(wanted, range, into(plain)));
                QCOMPARE(quick, plain);
                found += quick.size();
            }
        }
        QVERIFY(found > 1000);
    }
};

GPULEDGER_SUITE(TestFactReader)

} // namespace tst_factreader

#include "tst_factreader.moc"
