// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/queue/placementsimulator.h"

#include <algorithm>
#include <tuple>

namespace gpuledger::insight {

using base::Money;
using model::WaitingWork;

namespace {

__extension__ using Wide = __int128;

// One of several pods as a job of its own.
WaitingWork podOf(const WaitingWork &work, const WaitingWork::Pods &pods)
{
    WaitingWork one = work;
    one.pods.clear();
    one.resource = pods.resource;
    one.gpus = pods.gpus;
    one.wantsOthers = pods.wantsOthers;
    one.cpuMilli = pods.cpuMilli;
    one.memoryBytes = pods.memoryBytes;
    one.selector = pods.selector;
    one.tolerations = pods.tolerations;
    return one;
}

// The pod that is hardest to place.
WaitingWork largestPod(const WaitingWork &work)
{
    const auto &all = work.pods;
    return all.empty() ? work : podOf(work, *std::max_element(all.begin(), all.end(), [](const auto &a, const auto &b) {
                                          return a.gpus < b.gpus;
                                      }));
}

void addPart(std::vector<IdlePart> &parts, const IdlePart &more)
{
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const IdlePart &part) {
        return part.idle == more.idle && part.resource == more.resource && part.perHour && more.perHour;
    });
    std::int64_t nanos = 0;
    if (same == parts.end() || __builtin_add_overflow(same->perHour->nanos(), more.perHour->nanos(), &nanos)) {
        parts.push_back(more);
        return;
    }
    same->units += more.units;
    same->perHour = Money(nanos, more.perHour->currency());
}

void addPlace(std::string &places, const std::string &node)
{
    if ((", " + places + ", ").find(", " + node + ", ") == std::string::npos)
        places += (places.empty() ? "" : ", ") + node;
}

} // namespace

PlacementSimulator::PlacementSimulator(const model::WaitingFacts &facts, const IdleList &idle, const NodeRates &rates)
    : m_obstacles(facts)
    , m_nodes(simulatedNodes(facts, idle, rates))
{
}

void PlacementSimulator::serve(WaitingItem &item)
{
    if (!item.work.gpus || *item.work.gpus <= 0)
        return;
    if (item.work.pods.empty())
        serveAlone(item);
    else
        serveTogether(item);
}

// True if its cluster could free as many GPUs as all its pods request.
bool PlacementSimulator::mayFit(const WaitingWork &work) const
{
    std::map<std::string, Wide> wanted;
    for (const WaitingWork::Pods &pods : work.pods)
        wanted[pods.resource] += static_cast<Wide>(pods.gpus) * pods.count;
    return std::all_of(wanted.begin(), wanted.end(), [&](const auto &one) {
        Wide there = 0;
        for (const SimulatedNode &node : m_nodes)
            there += node.room->cluster == work.cluster ? node.all(one.first, false) : 0;
        return there >= one.second;
    });
}

// Its pods one after the other, the largest first; if one cannot be placed, none is.
void PlacementSimulator::serveTogether(WaitingItem &item)
{
    if (m_obstacles.isOutOfQuota(item.work) || !mayFit(item.work))
        return;
    const std::vector<SimulatedNode> before = m_nodes;
    std::vector<WaitingWork::Pods> kinds = item.work.pods;
    std::stable_sort(kinds.begin(), kinds.end(), [](const auto &a, const auto &b) { return a.gpus > b.gpus; });
    WaitingItem all = item;
    for (const WaitingWork::Pods &pods : kinds) {
        for (std::int64_t i = 0; i < pods.count; ++i) {
            WaitingItem one;
            one.work = podOf(item.work, pods);
            serveAlone(one);
            if (one.node.empty()) {
                m_nodes = before;
                return;
            }
            all.isServed = all.isServed || one.isServed;
            addPlace(all.node, one.node);
            for (const IdlePart &part : one.parts)
                addPart(all.parts, part);
            all.unchecked.selector |= one.unchecked.selector;
            all.unchecked.tolerations |= one.unchecked.tolerations;
            all.unchecked.cpu |= one.unchecked.cpu;
            all.unchecked.memory |= one.unchecked.memory;
            all.unchecked.others |= one.unchecked.others;
        }
    }
    all.blocker = all.isServed ? Blocker::HeldByIdle : Blocker::NotSeen;
    item = std::move(all);
}

void PlacementSimulator::serveAlone(WaitingItem &item)
{
    const WaitingWork &work = item.work;
    SimulatedNode *best = nullptr;
    SimulatedNode::Picks bestPicks;
    std::tuple<std::int64_t, std::size_t, std::int64_t> bestRank;
    for (SimulatedNode &node : m_nodes) {
        if (node.room->cluster != work.cluster || node.all(work.resource, false) < *work.gpus)
            continue;
        const NodeObstacles found = m_obstacles.obstaclesOf(node, work);
        const auto picks = found.all.empty() ? node.picksFor(work) : std::nullopt;
        if (!picks)
            continue;
        std::int64_t freed = 0;
        for (const std::size_t pick : *picks)
            freed += node.idle[pick].units;
        const std::tuple rank(freed, picks->size(), node.all(work.resource, false));
        if (best && !(rank < bestRank))
            continue;
        best = &node;
        bestPicks = *picks;
        bestRank = rank;
        item.unchecked = found.unchecked;
    }
    if (best)
        best->take(item, bestPicks);
}

// What is idle for it on all nodes that lack nothing else.
std::int64_t PlacementSimulator::usableTogether(const WaitingWork &work) const
{
    std::int64_t units = 0;
    for (const SimulatedNode &node : m_nodes) {
        if (node.room->cluster != work.cluster || node.all(work.resource, true) == 0)
            continue;
        const NodeObstacles found = m_obstacles.obstaclesOf(node, work);
        const bool lacksMore = std::any_of(found.all.begin(), found.all.end(), [](Blocker one) {
            return one != Blocker::Scattered && one != Blocker::Protected && one != Blocker::Quota;
        });
        units += lacksMore ? 0 : node.all(work.resource, true);
    }
    return units;
}

void PlacementSimulator::explain(WaitingItem &item) const
{
    const WaitingWork &work = item.work;
    if (!item.node.empty())
        return;
    if (!work.gpus) {
        item.blocker = m_obstacles.isOutOfQuota(work) ? Blocker::Quota : Blocker::SizeUnknown;
        item.obstacles = {item.blocker};
        return;
    }
    const SimulatedNode *nearest = nullptr;
    NodeObstacles least;
    const auto rank = [](const NodeObstacles &o) {
        return std::tuple(o.all.size(), o.all.empty() ? Blocker::NotSeen : *o.all.begin(), -o.units);
    };
    const WaitingWork one = largestPod(work);
    const bool isOut = m_obstacles.isOutOfQuota(work);
    const std::int64_t together = usableTogether(one);
    for (const SimulatedNode &node : m_nodes) {
        if (node.room->cluster != work.cluster)
            continue;
        NodeObstacles found = m_obstacles.obstaclesOf(node, one);
        if (found.units > 0 && isOut)
            found.all.insert(Blocker::Quota);
        if (found.all.empty()) // there is room for one of its pods, but not for all
            found.all.insert(Blocker::Scattered);
        const bool isTooLittle = found.all.contains(Blocker::Scattered) && together < *work.gpus;
        if (found.units == 0 || isTooLittle || (nearest && !(rank(found) < rank(least))))
            continue;
        nearest = &node;
        least = found;
    }
    if (!nearest) {
        item.blocker = isOut ? Blocker::Quota : Blocker::NoIdleGpu;
        item.obstacles = {item.blocker};
        return;
    }
    item.node = nearest->room->name;
    item.unchecked = least.unchecked;
    item.obstacles.assign(least.all.begin(), least.all.end());
    item.blocker = item.obstacles.front();
    item.parts = nearest->partsFor(work);
}

} // namespace gpuledger::insight
