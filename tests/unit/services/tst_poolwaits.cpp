// SPDX-License-Identifier: GPL-3.0-or-later
// From the facts about what waited to the hours of a pool.
#include "app/services/savingsinputs/poolwaits.h"
#include "tests/support/fakes/memoryfacts.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_poolwaits {

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

// A pool of one node with one device of this vendor, cut into slices of these profiles.
void addPool(std::vector<savings::CapacityPool> &pools, WaitingFacts &facts, const std::string &cluster,
             const std::string &vendor, const std::string &model, const std::vector<std::string> &profiles = {},
             bool isShared = false)
{
    ports::FactBatch batch;
    model::Device device;
    device.cluster = cluster;
    device.uuid = "gpu-" + std::to_string(pools.size());
    device.vendor = vendor;
    for (const std::string &profile : profiles)
        device.slices.push_back({std::to_string(device.slices.size()), profile, {}});
    batch.devices.push_back(device);
    model::Node node;
    node.cluster = cluster;
    node.name = "n" + std::to_string(pools.size());
    node.sharedGpus = isShared;
    batch.nodes.push_back(node);
    facts.add(batch);
    savings::CapacityPool &pool = pools.emplace_back(poolIn(cluster));
    pool.gpuModel = model;
    savings::CapacityNode &of = pool.nodes.emplace_back();
    of.name = node.name;
    of.devices = {std::to_string(facts.devices().value().back().id.value)};
}

// What three hours of waiting for 2 of the resource, on the node in the end, are to each pool of cluster a: y(es), n(o)
// or unknown (?).
std::string fitsOf(std::vector<savings::CapacityPool> pools, WaitingFacts &facts, const std::string &resource,
                   const std::string &node = {})
{
    facts.past.known = {{"a", kThreeHours}};
    facts.past.waits = {{"a", "ml", "x", "u", resource, 2, node, kThreeHours}};
    if (!services::addWaiting(pools, facts, kThreeHours))
        return "failed";
    std::string out;
    for (const savings::CapacityPool &pool : pools) {
        const savings::WaitingHour hour = pool.waiting.empty() ? savings::WaitingHour{} : pool.waiting[1];
        const bool isNeither = hour.known && hour.seconds == 0 && hour.least == 0 && hour.unknownSeconds == 0;
        const bool isYes = hour.seconds == 3600 && hour.least > 0 && hour.unknownSeconds == 0;
        const bool isUnknown = hour.seconds == 0 && hour.least == 0 && hour.unknownSeconds == 3600;
        out += isYes ? 'y' : isUnknown ? '?' : isNeither ? 'n' : 'x';
    }
    return out;
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
        std::vector<savings::CapacityPool> pools;
        for (const char *cluster : {"a", "b", "c", "", "a"})
            addPool(pools, facts, cluster, "nvidia", "H100");
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
            std::vector<savings::CapacityPool> pools;
            const bool isSlice = resource.find("mig") != std::string::npos;
            addPool(pools, facts, "a", resource.substr(0, resource.find('_')), "X",
                    isSlice ? std::vector<std::string>{"7g.40gb"} : std::vector<std::string>(), isShared);
            facts.past.known = {{"a", kThreeHours}};
            facts.past.waits = {{"a", "ml", "x", "u", resource, 4, "", kThreeHours}};
            return services::addWaiting(pools, facts, kThreeHours) ? int(pools[0].waiting[0].least) : -1;
        };
        QCOMPARE(leastOf("nvidia_com_gpu", false), 4);
        QCOMPARE(leastOf("amd_com_gpu", false), 4);
        QCOMPARE(leastOf("nvidia_com_mig_7g_40gb", false), 1);
        QCOMPARE(leastOf("nvidia_com_gpu_shared", true), 1);
        QCOMPARE(leastOf("nvidia_com_gpu", true), 1);
    }

    // Cluster a has H100, H100 in slices, MI300X and a pool of which telemetry says nothing.
    void theResourceSaysWhichPoolsItMayMean()
    {
        WaitingFacts facts;
        std::vector<savings::CapacityPool> pools;
        addPool(pools, facts, "a", "nvidia", "H100");
        addPool(pools, facts, "a", "nvidia", "H100", {"1g.10gb", "1g.10gb+me"});
        addPool(pools, facts, "a", "amd", "MI300X");
        const auto known = pools;
        addPool(pools, facts, "a", "", "");
        QCOMPARE(fitsOf(known, facts, "nvidia_com_gpu"), std::string("y?n"));
        QCOMPARE(fitsOf(known, facts, "nvidia_com_mig_1g_10gb"), std::string("nyn"));
        QCOMPARE(fitsOf(known, facts, "nvidia_com_mig_1g_10gb_me"), std::string("nyn"));
        QCOMPARE(fitsOf(known, facts, "nvidia_com_mig_7g_80gb"), std::string("nnn"));
        QCOMPARE(fitsOf(known, facts, "amd_com_gpu"), std::string("nny"));
        QCOMPARE(fitsOf(known, facts, "gpu_intel_com_i915"), std::string("nnn"));
        QCOMPARE(fitsOf(known, facts, "nvidia_com_gpu_shared"), std::string("??n")); // nothing says that they share
        QCOMPARE(fitsOf(known, facts, "example_com_accelerator"), std::string("???"));
        QCOMPARE(fitsOf(pools, facts, "nvidia_com_gpu"), std::string("??n?")); // the last one may have others of them
        QCOMPARE(fitsOf(pools, facts, "amd_com_gpu"), std::string("nn??"));
    }

    // Where it was placed in the end says which model it asked for; else there must be only one.
    void theNodeSaysWhichModel()
    {
        WaitingFacts facts;
        std::vector<savings::CapacityPool> pools;
        addPool(pools, facts, "a", "nvidia", "H100"); // n0
        addPool(pools, facts, "a", "nvidia", "A100"); // n1
        addPool(pools, facts, "a", "nvidia", "A100"); // n2
        addPool(pools, facts, "a", "nvidia", ""); // n3
        const std::vector<savings::CapacityPool> models(pools.begin(), pools.begin() + 3);
        QCOMPARE(fitsOf(models, facts, "nvidia_com_gpu"), std::string("???"));
        QCOMPARE(fitsOf(models, facts, "nvidia_com_gpu", "n0"), std::string("ynn"));
        QCOMPARE(fitsOf(models, facts, "nvidia_com_gpu", "n2"), std::string("nyy"));
        QCOMPARE(fitsOf(models, facts, "nvidia_com_gpu", "elsewhere"), std::string("???"));
        QCOMPARE(fitsOf({models[1], models[2]}, facts, "nvidia_com_gpu"), std::string("yy"));
        QCOMPARE(fitsOf(pools, facts, "nvidia_com_gpu", "n0"), std::string("ynn?"));
        QCOMPARE(fitsOf(pools, facts, "nvidia_com_gpu", "n3"), std::string("???y"));
        addPool(pools, facts, "b", "nvidia", "L4"); // of another cluster
        QCOMPARE(fitsOf({models[1], models[2], pools.back()}, facts, "nvidia_com_gpu"), std::string("yyx"));
    }
};

GPULEDGER_SUITE(TestPoolWaits)

} // namespace tst_poolwaits

#include "tst_poolwaits.moc"
