// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster's API server and its metrics are joined: each job once, from the better source for each piece of
// information.
#include "app/insight/queue/waitingjoin.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>

namespace tst_waitingjoin {

using namespace gpuledger;
using model::NodeRoom;
using model::WaitingFacts;
using model::WaitingWork;
using Names = std::vector<std::string>;
using Clusters = std::set<std::string>;

namespace {

WaitingWork work(const std::string &cluster, const std::string &name, WaitingWork::Kind kind = WaitingWork::Kind::Pod)
{
    WaitingWork one;
    one.kind = kind;
    one.cluster = cluster;
    one.nameSpace = "ml";
    one.name = name;
    one.uid = "uid-" + name;
    return one;
}

NodeRoom node(const std::string &cluster, const std::string &name, std::int64_t gpus)
{
    NodeRoom one;
    one.cluster = cluster;
    one.name = name;
    one.gpus["nvidia_com_gpu"] = gpus;
    return one;
}

// Two pods, one of which the API no longer has, a queue, and another cluster.
WaitingFacts ofMetrics()
{
    WaitingFacts facts;
    facts.isKnown = true;
    facts.works = {work("prod", "both"), work("prod", "gone"), work("prod", "queue", WaitingWork::Kind::Queue),
                   work("lab", "other")};
    facts.nodes = {node("prod", "a", 4), node("lab", "l", 1)};
    facts.holders = {{"prod", "ml", "h", "uid-h", "a", {{"nvidia_com_gpu", 1}}, 0, 0}};
    facts.quotas = {{"prod", "queue", "f", "nvidia_com_gpu", 4, 4}};
    return facts;
}

WaitingFacts ofApi(bool jobs = true, bool nodes = true, bool queues = true)
{
    WaitingFacts facts;
    facts.isKnown = jobs;
    facts.told = {{"prod", jobs, nodes, queues}};
    if (jobs) {
        facts.works = {work("prod", "both")};
        facts.holders = {{"prod", "ml", "h", "uid-h", "a", {{"nvidia_com_gpu", 2}}, 0, 0}};
        facts.nodes = {node("prod", "a", 8)};
        facts.nodes.front().areTaintsKnown = nodes;
    }
    if (queues)
        facts.works.push_back(work("prod", "queued", WaitingWork::Kind::Workload));
    return facts;
}

Names namesOf(const WaitingFacts &facts)
{
    Names names;
    for (const WaitingWork &one : facts.works)
        names.push_back(one.name);
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

class TestWaitingJoin : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theApiComesFirst()
    {
        for (const bool apiFirst : {true, false}) {
            const auto all = apiFirst ? std::vector{ofApi(), ofMetrics()} : std::vector{ofMetrics(), ofApi()};
            const auto joined = insight::joined(all);
            QVERIFY(joined.facts.isKnown);
            QCOMPARE(namesOf(joined.facts), (Names{"both", "other", "queued"}));
            QCOMPARE(joined.facts.nodes.size(), std::size_t{2});
            for (const NodeRoom &room : joined.facts.nodes)
                QVERIFY(room.cluster == "lab" || room.gpus.at("nvidia_com_gpu") == 8);
            QVERIFY(joined.facts.holders.size() == 1 && joined.facts.holders.front().gpus.at("nvidia_com_gpu") == 2);
            QCOMPARE(joined.facts.quotas.size(), std::size_t{1}); // only metrics report them
            QCOMPARE(joined.clusters[apiFirst ? 0 : 1], Clusters{"prod"});
            QCOMPARE(joined.clusters[apiFirst ? 1 : 0], Clusters{"lab"});
        }
    }

    // What the API does not allow to be read comes from the metrics.
    void partOfTheApi()
    {
        auto joined = insight::joined({ofApi(true, true, false), ofMetrics()});
        QCOMPARE(namesOf(joined.facts), (Names{"both", "other", "queue"}));
        joined = insight::joined({ofApi(true, false, true), ofMetrics()}); // nodes of which only the holders are known
        QCOMPARE(namesOf(joined.facts), (Names{"both", "other", "queued"}));
        QCOMPARE(joined.facts.nodes.size(), std::size_t{3});
        QVERIFY(joined.facts.nodes.front().areTaintsKnown && joined.facts.nodes.front().gpus.at("nvidia_com_gpu") == 4);
        QVERIFY(!joined.facts.nodes.back().areTaintsKnown);
        joined = insight::joined({ofApi(false, false, true), ofMetrics()}); // no pods
        QVERIFY(joined.facts.isKnown);
        QCOMPARE(namesOf(joined.facts), (Names{"both", "gone", "other", "queued"}));
        QCOMPARE(joined.clusters[0], Clusters{"prod"});
    }

    // A list of Workloads alone does not reveal what is waiting.
    void withoutAnybodyWhoKnows()
    {
        const auto joined = insight::joined({ofApi(false, false, true), WaitingFacts{}});
        QVERIFY(!joined.facts.isKnown && joined.facts.works.empty());
        QVERIFY(joined.clusters[0].empty() && joined.clusters[1].empty());
        QVERIFY(insight::joined({}).clusters.empty());
    }

    // Two servers may know the same cluster.
    void sameJobTwice()
    {
        const auto joined = insight::joined({ofMetrics(), ofMetrics()});
        QCOMPARE(namesOf(joined.facts), (Names{"both", "gone", "other", "queue"}));
        QCOMPARE(joined.facts.holders.size(), std::size_t{1});
    }
};

GPULEDGER_SUITE(TestWaitingJoin)

} // namespace tst_waitingjoin

#include "tst_waitingjoin.moc"
