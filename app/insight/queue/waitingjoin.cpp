// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/queue/waitingjoin.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace gpuledger::insight {

using model::ReportedCluster;
using model::WaitingFacts;
using model::WaitingWork;

namespace {

template <typename Thing> std::string keyOf(const Thing &thing)
{
    return thing.cluster + '/' + thing.nameSpace + '/' + thing.name + '/' + thing.uid;
}

template <typename Things> void append(Things &all, Things &more)
{
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

using Told = std::map<std::string, ReportedCluster>; // by cluster

void addTold(Told &all, const WaitingFacts &facts)
{
    for (const ReportedCluster &one : facts.told) {
        ReportedCluster &known = all[one.cluster];
        known.jobs = known.jobs || one.jobs;
        known.nodes = known.nodes || one.nodes;
        known.queues = known.queues || one.queues;
    }
}

// Removes what another source reports more directly.
void keepOwn(WaitingFacts &facts, const Told &all)
{
    Told own;
    addTold(own, facts);
    const auto isOthers = [&](const std::string &cluster, bool ReportedCluster::*what) {
        const auto it = all.find(cluster);
        const auto mine = own.find(cluster);
        return it != all.end() && it->second.*what && !(mine != own.end() && mine->second.*what);
    };
    std::erase_if(facts.works, [&](const WaitingWork &work) {
        return isOthers(work.cluster,
                        work.kind == WaitingWork::Kind::Pod ? &ReportedCluster::jobs : &ReportedCluster::queues);
    });
    std::erase_if(facts.holders, [&](const auto &held) { return isOthers(held.cluster, &ReportedCluster::jobs); });
    std::erase_if(facts.nodes, [&](const auto &node) { return isOthers(node.cluster, &ReportedCluster::nodes); });
}

// Nodes known only from what they hold sort after all others; the first node of a name counts.
bool isPoor(const model::NodeRoom &node)
{
    return !node.areTaintsKnown;
}

std::set<std::string> clustersIn(const WaitingFacts &facts)
{
    std::set<std::string> clusters;
    if (!facts.isKnown)
        return clusters;
    for (const ReportedCluster &one : facts.told)
        clusters.insert(one.cluster);
    for (const WaitingWork &work : facts.works)
        clusters.insert(work.cluster);
    for (const model::NodeRoom &node : facts.nodes)
        clusters.insert(node.cluster);
    return clusters;
}

void join(WaitingFacts &all, WaitingFacts &one)
{
    all.isKnown = all.isKnown || one.isKnown;
    std::set<std::string> works, holders;
    for (const WaitingWork &work : all.works)
        works.insert(keyOf(work));
    for (const model::HeldRoom &held : all.holders)
        holders.insert(keyOf(held));
    std::erase_if(one.works, [&](const WaitingWork &work) { return works.contains(keyOf(work)); });
    std::erase_if(one.holders, [&](const model::HeldRoom &held) { return holders.contains(keyOf(held)); });
    append(all.works, one.works);
    append(all.holders, one.holders);
    append(all.nodes, one.nodes);
    append(all.quotas, one.quotas);
}

} // namespace

JoinedWaiting joined(std::vector<WaitingFacts> sources)
{
    JoinedWaiting out;
    Told told;
    for (const WaitingFacts &facts : sources)
        addTold(told, facts);
    std::set<std::string> known;
    for (WaitingFacts &facts : sources) {
        keepOwn(facts, told);
        out.clusters.push_back(clustersIn(facts));
        known.insert(out.clusters.back().begin(), out.clusters.back().end());
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
        WaitingFacts &facts = sources[i];
        if (!facts.isKnown)
            std::erase_if(facts.works, [&](const WaitingWork &work) { return !known.contains(work.cluster); });
        for (const WaitingWork &work : facts.works)
            out.clusters[i].insert(work.cluster);
        join(out.facts, facts);
    }
    std::stable_partition(out.facts.nodes.begin(), out.facts.nodes.end(),
                          [](const model::NodeRoom &node) { return !isPoor(node); });
    return out;
}

} // namespace gpuledger::insight
