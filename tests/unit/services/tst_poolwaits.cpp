// SPDX-License-Identifier: GPL-3.0-or-later
// From the facts about what waited to the hours of a pool.
#include "app/services/savingsinputs/poolwaits.h"
#include "tests/support/fakes/memoryfacts.h"
#include "tests/support/suite.h"

#include <QTest>

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

const base::TimeRange kThreeHours{base::fromUnix(1'700'002'800), base::fromUnix(1'700'002'800 + 3 * 3600)};

base::TimeRange hourOfWaits(int hour)
{
    return {kThreeHours.start + base::Seconds{3600} * hour, kThreeHours.start + base::Seconds{3600} * (hour + 1)};
}

class WaitingFacts final : public MemoryFacts {
public:
    base::Result<store::PastWaiting> pastWaiting(base::TimeRange) override { return past; }
    store::PastWaiting past;
};

savings::CapacityPool poolIn(const std::string &cluster)
{
    savings::CapacityPool pool;
    pool.cluster = cluster;
    pool.hours = 3;
    pool.start = kThreeHours.start;
    return pool;
}

} // namespace

class TestPoolWaits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachClusterHasItsOwnWaits()
    {
        WaitingFacts facts;
        facts.past.known = {{"a", kThreeHours}, {"b", hourOfWaits(1)}};
        facts.past.waits = {{"a", "ml", "x", "u", "nvidia_com_gpu", 4, "", hourOfWaits(0)},
                            {"b", "ml", "y", "u", "nvidia_com_gpu", 2, "", kThreeHours},
                            {"c", "ml", "z", "u", "nvidia_com_gpu", 1, "", kThreeHours}};
        std::vector<savings::CapacityPool> pools{poolIn("a"), poolIn("b"), poolIn("c"), poolIn(""), poolIn("a")};
        QVERIFY(services::addWaiting(pools, facts, kThreeHours).has_value());
        for (const std::size_t a : {0, 4}) {
            QCOMPARE(pools[a].waiting.size(), std::size_t{3});
            QCOMPARE(int(pools[a].waiting[0].least), 4);
            QCOMPARE(int(pools[a].waiting[0].seconds), 3600);
            QVERIFY(pools[a].waiting[1].known && pools[a].waiting[1].least == 0);
        }
        QVERIFY(!pools[1].waiting[0].known && pools[1].waiting[1].known && !pools[1].waiting[2].known);
        QCOMPARE(int(pools[1].waiting[1].least), 2);
        QVERIFY(pools[2].waiting.empty()); // nobody recorded what waited there
        QVERIFY(pools[3].waiting.empty());
    }

    // What asks for less than a whole GPU may fit into any piece.
    void sharesAndSlicesCountAsOneGpu()
    {
        const auto leastOf = [](const std::string &resource, bool isShared) {
            WaitingFacts facts;
            ports::FactBatch batch;
            model::Node node;
            node.cluster = "a";
            node.name = "n1";
            node.sharedGpus = isShared;
            batch.nodes.push_back(node);
            facts.add(batch);
            facts.past.known = {{"a", kThreeHours}};
            facts.past.waits = {{"a", "ml", "x", "u", resource, 4, "", kThreeHours}};
            std::vector<savings::CapacityPool> pools{poolIn("a")};
            return services::addWaiting(pools, facts, kThreeHours) ? int(pools[0].waiting[0].least) : -1;
        };
        QCOMPARE(leastOf("nvidia_com_gpu", false), 4);
        QCOMPARE(leastOf("amd_com_gpu", false), 4);
        QCOMPARE(leastOf("nvidia_com_mig_7g_40gb", false), 1);
        QCOMPARE(leastOf("nvidia_com_gpu_shared", false), 1);
        QCOMPARE(leastOf("nvidia_com_gpu", true), 1);
    }
};

GPULEDGER_SUITE(TestPoolWaits)
#include "tst_poolwaits.moc"
