// SPDX-License-Identifier: GPL-3.0-or-later
// Which chances of getting spot machines are asked for: models of the fleet, types of the catalogue, counts, limits.
#include "app/services/prices/paidprices.h"
#include "app/services/prices/placementquestions.h"
#include "app/services/prices/sourceprices.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tst_placementquestions {

using namespace gpuledger;
using model::PlacementQuestion;
using ports::KnownMachine;
using services::PlacementLimits;

namespace {

constexpr base::Seconds kHours{3600};
const base::UtcTime kNow = base::fromUnix(1'700'000'000);

std::map<std::string, KnownMachine> smallCatalogue()
{
    const auto gpus = [](std::int64_t count) { return count * 1'000'000; };
    return {{"a.1", {"A100", gpus(1), 8'000, 0}},    {"a.4", {"A100", gpus(4), 48'000, 0}},
            {"a.8", {"A100", gpus(8), 96'000, 0}},   {"a.8big", {"A100", gpus(8), 192'000, 0}},
            {"a.half", {"A100", 500'000, 4'000, 0}}, {"h.8", {"H100", gpus(8), 192'000, 0}},
            {"l.1", {"L4", gpus(1), 4'000, 0}},      {"none", {"L4", 0, 4'000, 0}}};
}

// A fleet to which machines are added one by one.
struct Fleet {
    std::vector<model::Node> nodes;
    std::vector<store::NodeSpan> spans;

    model::Node &add(const std::string &type, base::UtcTime until = kNow, const std::string &cluster = "prod")
    {
        model::Node &node = nodes.emplace_back();
        node.id = base::NodeId{static_cast<std::int64_t>(nodes.size())};
        node.cluster = cluster;
        node.name = "node-" + std::to_string(nodes.size());
        node.instanceType = type;
        node.cloud = "aws";
        node.region = "us-east-1";
        spans.push_back({node.id, {until - kHours, until}});
        return node;
    }
    void add(const std::string &type, int count)
    {
        for (int i = 0; i < count; ++i)
            add(type);
    }
    std::vector<PlacementQuestion> ask(const PlacementLimits &limits = {}) const
    {
        return services::placementQuestions({nodes, spans}, "aws", "us-east-1", smallCatalogue(), limits);
    }
};

using Types = std::vector<std::string>;

} // namespace

class TestPlacementQuestions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asksForAllTypesOfTheModel()
    {
        Fleet fleet;
        fleet.add("A.8", 3);
        fleet.add("a.4", 2);
        fleet.add("l.1", 1);
        QCOMPARE(fleet.ask().size(), std::size_t{2});
        QVERIFY((fleet.ask()[0] == PlacementQuestion{{"a.1", "a.4", "a.8", "a.8big"}, 8}));
        QVERIFY((fleet.ask()[1] == PlacementQuestion{{"l.1"}, 1}));
    }

    void theCountIsAPowerOfTwo()
    {
        for (const auto &[machines, count] :
             std::map<int, std::int64_t>{{1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {9, 16}}) {
            Fleet fleet;
            fleet.add("h.8", machines);
            QCOMPARE(fleet.ask().at(0).count, count);
        }
    }

    void onlyWhatIsThereNowCounts()
    {
        Fleet fleet;
        fleet.add("h.8", 3);
        fleet.add("h.8", kNow - kHours + base::Seconds{1});
        fleet.add("h.8", kNow - kHours);
        fleet.add("h.8", kNow - 6 * base::kDay);
        QCOMPARE(fleet.ask().at(0).count, std::int64_t{4});
        fleet.add("h.8", kNow - base::kDay, "late"); // the newest of a cluster that isn't synced as often
        QCOMPARE(fleet.ask().at(0).count, std::int64_t{8});
    }

    void whatIsGoneIsAskedForOnce()
    {
        Fleet fleet;
        fleet.add("l.1", 2);
        fleet.add("h.8", kNow - base::kDay);
        QCOMPARE(fleet.ask().size(), std::size_t{2});
        QVERIFY((fleet.ask()[1] == PlacementQuestion{{"h.8"}, 1}));
        fleet.spans.pop_back(); // longer ago
        QCOMPARE(fleet.ask().size(), std::size_t{1});
    }

    void aMachineOfSeveralSourcesCountsOnce()
    {
        Fleet fleet;
        for (const char *cluster : {"prod", "list"})
            fleet.add("h.8", kNow, cluster).providerId = "aws:///us-east-1a/i-1";
        QCOMPARE(fleet.ask().at(0).count, std::int64_t{1});
        for (const char *cluster : {"prod", "list"})
            fleet.add("h.8", kNow, cluster).name = "same";
        QCOMPARE(fleet.ask().at(0).count, std::int64_t{4}); // names of two clusters: they may differ
    }

    void otherPlacesAndTypesAreNotAskedFor()
    {
        Fleet fleet;
        fleet.add("h.8").region = "us-west-2";
        fleet.add("h.8").cloud = "gcp";
        fleet.add("h.8").region.clear();
        for (const char *type : {"a.half", "none", "unknown", ""})
            fleet.add(type);
        QVERIFY(fleet.ask().empty());
        fleet.add("h.8").region = "US-EAST-1";
        QCOMPARE(fleet.ask().size(), std::size_t{1});
        const std::map<std::string, KnownMachine> catalogue = smallCatalogue();
        QVERIFY(services::placementQuestions({fleet.nodes, fleet.spans}, "aws", "", catalogue).empty());
        QVERIFY(services::placementQuestions({fleet.nodes, fleet.spans}, "", "us-east-1", catalogue).empty());
        QVERIFY(services::placementQuestions({fleet.nodes, fleet.spans}, "aws", "us-east-1", {}).empty());
    }

    void thoseWithMostMachinesComeFirst()
    {
        Fleet fleet;
        fleet.add("l.1", 2);
        fleet.add("h.8", 2);
        fleet.add("a.8", 3);
        const auto all = fleet.ask();
        QCOMPARE(all.size(), std::size_t{3});
        QCOMPARE(all[0].machines.front(), std::string("a.1"));
        QCOMPARE(all[1].machines, Types{"h.8"}); // H100 before L4
        QCOMPARE(all[2].machines, Types{"l.1"});
        PlacementLimits two;
        two.questions = 2;
        QVERIFY(fleet.ask(two) == std::vector<PlacementQuestion>(all.begin(), all.begin() + 2));
    }

    void theNearestTypesStay()
    {
        const auto types = [](const char *inUse, std::size_t most) {
            Fleet fleet;
            fleet.add(inUse);
            PlacementLimits limits;
            limits.types = most;
            return fleet.ask(limits).at(0).machines;
        };
        QCOMPARE(types("a.8", 1), Types{"a.8"});
        QCOMPARE(types("a.8", 2), (Types{"a.8", "a.8big"}));
        QCOMPARE(types("a.8", 3), (Types{"a.4", "a.8", "a.8big"}));
        QCOMPARE(types("a.4", 2), (Types{"a.1", "a.4"}));
    }

    void theCataloguesTypesFitIntoAQuestion()
    {
        const auto lists = services::priceLists();
        QVERIFY(lists.has_value());
        Fleet fleet;
        fleet.add("g5.12xlarge");
        const auto asked = services::placementQuestions({fleet.nodes, fleet.spans}, "aws", "us-east-1",
                                                        services::knownMachines(*lists, "aws"));
        QCOMPARE(asked.size(), std::size_t{1});
        const Types &types = asked[0].machines;
        QVERIFY(types.size() >= 3 && types.size() <= PlacementLimits().types);
        QVERIFY(std::find(types.begin(), types.end(), "g5.48xlarge") != types.end());
    }
};

GPULEDGER_PLAIN_SUITE(TestPlacementQuestions)

} // namespace tst_placementquestions

#include "tst_placementquestions.moc"
