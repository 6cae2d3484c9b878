// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/queue/placementsimulator.h"

#include "app/model/kindname.h"

#include <algorithm>
#include <tuple>

namespace gpuledger::insight {

using base::Money;
using model::WaitingWork;

namespace {

__extension__ using Wide = __int128;

constexpr std::size_t kMostTried = 10; // idle workloads per node up to which every combination is tried

std::int64_t valueIn(const std::map<std::string, std::int64_t> &values, const std::string &key)
{
    const auto it = values.find(key);
    return it == values.end() ? 0 : it->second;
}

bool isSlice(const std::string &resource)
{
    return resource.find("_mig_") != std::string::npos;
}

std::optional<std::int64_t> rest(std::optional<std::int64_t> all, std::optional<std::int64_t> used)
{
    return all && used ? std::optional(std::max<std::int64_t>(0, *all - *used)) : std::nullopt;
}

std::string labelOf(const model::NodeRoom &node, const char *key)
{
    if (!node.labels)
        return {};
    const auto it = node.labels->find(key);
    return it == node.labels->end() ? std::string() : it->second;
}

// A unit of the resource is one whole device there, as far as labels show.
bool isWhole(const model::NodeRoom &node, const std::string &resource)
{
    const std::string product = labelOf(node, "nvidia_com_gpu_product");
    const std::string sharing = labelOf(node, "nvidia_com_gpu_sharing_strategy");
    return !isSlice(resource) && !resource.ends_with("_shared") && product.find("-MIG-") == std::string::npos
        && !product.ends_with("-SHARED") && (sharing.empty() || sharing == "none");
}

bool tolerates(const model::Toleration &toleration, const model::Taint &taint)
{
    if (!toleration.effect.empty() && toleration.effect != taint.effect)
        return false;
    if (toleration.op == "Exists")
        return toleration.key.empty() || toleration.key == taint.key;
    return toleration.key == taint.key && toleration.value == taint.value;
}

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

bool keepsAway(const model::Taint &taint)
{
    return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
}

} // namespace

std::int64_t PlacementSimulator::Node::open(const std::string &resource) const
{
    std::int64_t units = valueIn(free, resource);
    for (const Idle &one : idle)
        units += one.isFreed ? valueIn(one.left, resource) : 0;
    return units;
}

std::int64_t PlacementSimulator::Node::all(const std::string &resource, bool withProtected) const
{
    std::int64_t units = open(resource);
    for (const Idle &one : idle)
        units += !one.isFreed && (withProtected || isFreeable(one)) ? valueIn(one.left, resource) : 0;
    return units;
}

PlacementSimulator::PlacementSimulator(const model::WaitingFacts &facts, const IdleList &idle, const NodeRates &rates)
    : m_facts(facts)
{
    std::map<std::pair<std::string, std::string>, const model::NodeRoom *> rooms;
    for (const model::NodeRoom &room : facts.nodes) {
        rooms.emplace(std::pair(room.cluster, room.name), &room);
        for (const auto &[key, value] : room.labels.value_or(model::Labels{}))
            m_labelsSeen.emplace(room.cluster, key);
    }
    std::map<std::string, const model::HeldRoom *> holders;
    for (const model::HeldRoom &held : facts.holders) {
        const std::string name = held.cluster + '/' + held.nameSpace + '/' + held.name + '/';
        holders.emplace(name + held.uid, &held);
        holders.emplace(name, &held); // for an idle workload whose uid is unknown
    }
    for (const auto &[place, room] : rooms) {
        Node node;
        node.room = room;
        for (const auto &[resource, count] : room->gpus)
            node.free[resource] = std::max<std::int64_t>(0, count - valueIn(room->gpusUsed, resource));
        node.cpuMilli = rest(room->cpuMilli, room->cpuMilliUsed);
        node.memoryBytes = rest(room->memoryBytes, room->memoryBytesUsed);
        if (const auto rate = rates.find(place); rate != rates.end())
            node.rate = rate->second;
        for (const IdleItem &item : idle.items) {
            const auto held = holders.find(item.id);
            if (held == holders.end() || held->second->cluster != room->cluster || held->second->node != room->name)
                continue; // it has ended since
            Idle one{&item, held->second, 0, held->second->gpus, false};
            for (const auto &[resource, count] : held->second->gpus)
                one.units += count;
            node.idle.push_back(std::move(one));
        }
        m_nodes.push_back(std::move(node));
    }
}

// True if GPUs, CPU or memory are insufficient there even with these workloads stopped.
bool PlacementSimulator::isShort(const Node &node, const WaitingWork &work, const Picks &picks) const
{
    std::int64_t gpus = node.open(work.resource), cpu = 0, memory = 0;
    for (const std::size_t pick : picks) {
        gpus += valueIn(node.idle[pick].left, work.resource);
        cpu += node.idle[pick].held->cpuMilli;
        memory += node.idle[pick].held->memoryBytes;
    }
    return gpus < work.gpus.value_or(0) || (node.cpuMilli && *node.cpuMilli + cpu < work.cpuMilli.value_or(0))
        || (node.memoryBytes && *node.memoryBytes + memory < work.memoryBytes.value_or(0));
}

std::optional<PlacementSimulator::Picks> PlacementSimulator::picksFor(const Node &node, const WaitingWork &work) const
{
    Picks candidates;
    for (std::size_t i = 0; i < node.idle.size(); ++i) {
        if (!node.idle[i].isFreed && isFreeable(node.idle[i]) && valueIn(node.idle[i].left, work.resource) > 0)
            candidates.push_back(i);
    }
    if (isShort(node, work, candidates))
        return std::nullopt;
    if (candidates.size() > kMostTried) { // no superfluous ones, though perhaps not the minimum
        for (std::size_t i = candidates.size(); i-- > 0;) {
            Picks fewer = candidates;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (!isShort(node, work, fewer))
                candidates = std::move(fewer);
        }
        return candidates;
    }
    std::optional<Picks> best;
    std::int64_t bestUnits = 0;
    for (std::size_t choice = 0; choice < (std::size_t{1} << candidates.size()); ++choice) {
        Picks picks;
        std::int64_t units = 0;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if ((choice >> i & 1) == 0)
                continue;
            picks.push_back(candidates[i]);
            units += node.idle[candidates[i]].units;
        }
        const bool isBetter =
            !best || std::tuple(units, picks.size(), picks) < std::tuple(bestUnits, best->size(), *best);
        if (isBetter && !isShort(node, work, picks)) {
            best = std::move(picks);
            bestUnits = units;
        }
    }
    return best;
}

void PlacementSimulator::addKind(Obstacles &found, const Node &node, const WaitingWork &work) const
{
    const std::int64_t freeable = node.all(work.resource, false), with = node.all(work.resource, true);
    found.units = with;
    if (freeable >= *work.gpus)
        return;
    if (with >= *work.gpus) {
        found.all.insert(Blocker::Protected);
        return;
    }
    if (with > 0) {
        found.all.insert(Blocker::Scattered);
        return;
    }
    bool hasSlices = false;
    for (const auto &[resource, count] : node.room->gpus) {
        const std::int64_t units = node.all(resource, true);
        found.units += units;
        hasSlices = hasSlices || (units > 0 && isSlice(resource));
    }
    if (found.units > 0)
        found.all.insert(hasSlices ? Blocker::MigLeftovers : Blocker::Flavour);
}

void PlacementSimulator::addSelector(Obstacles &found, const Node &node, const WaitingWork &work) const
{
    if (!work.selector || (!work.selector->empty() && !node.room->labels)) {
        found.unchecked.selector = true;
        return;
    }
    for (const auto &[key, value] : *work.selector) {
        const auto label = node.room->labels->find(key);
        if (label != node.room->labels->end() ? label->second != value
                                              : m_labelsSeen.contains({node.room->cluster, key}))
            found.all.insert(Blocker::Flavour);
        else if (label == node.room->labels->end())
            found.unchecked.selector = true; // a label that the source does not report for any node
    }
}

void PlacementSimulator::addTaints(Obstacles &found, const Node &node, const WaitingWork &work) const
{
    if (node.room->isCordoned)
        found.all.insert(Blocker::Taint);
    if (!node.room->areTaintsKnown)
        found.unchecked.tolerations = true;
    for (const model::Taint &taint : node.room->taints) {
        if (!keepsAway(taint))
            continue;
        if (!work.tolerations) {
            found.unchecked.tolerations = true;
            continue;
        }
        const auto &all = *work.tolerations;
        if (std::none_of(all.begin(), all.end(), [&](const auto &one) { return tolerates(one, taint); }))
            found.all.insert(Blocker::Taint);
    }
}

void PlacementSimulator::addRoom(Obstacles &found, const Node &node, const WaitingWork &work) const
{
    std::int64_t cpu = node.cpuMilli.value_or(0), memory = node.memoryBytes.value_or(0);
    for (const Idle &one : node.idle) {
        if (one.isFreed || !isFreeable(one) || valueIn(one.left, work.resource) == 0)
            continue;
        cpu += one.held->cpuMilli;
        memory += one.held->memoryBytes;
    }
    found.unchecked.cpu = !node.cpuMilli || !work.cpuMilli;
    found.unchecked.memory = !node.memoryBytes || !work.memoryBytes;
    if (!found.unchecked.cpu && cpu < *work.cpuMilli)
        found.all.insert(Blocker::NoCpu);
    if (!found.unchecked.memory && memory < *work.memoryBytes)
        found.all.insert(Blocker::NoMemory);
}

// One flavour with room is enough; for an unknown size, room for one. What Kueue reports about the job itself takes
// precedence.
bool PlacementSimulator::isOutOfQuota(const WaitingWork &work) const
{
    if (work.hasQuota)
        return !*work.hasQuota;
    bool speaks = false;
    for (const model::QueueQuota &quota : m_facts.quotas) {
        if (work.queue.empty() || quota.queue != work.queue || quota.cluster != work.cluster
            || (!work.resource.empty() && quota.resource != work.resource))
            continue;
        if (quota.nominal - quota.used >= work.gpus.value_or(1))
            return false;
        speaks = true;
    }
    return speaks;
}

PlacementSimulator::Obstacles PlacementSimulator::obstaclesOf(const Node &node, const WaitingWork &work) const
{
    Obstacles found;
    addKind(found, node, work);
    if (found.units == 0)
        return found;
    addSelector(found, node, work);
    addTaints(found, node, work);
    addRoom(found, node, work);
    if (isOutOfQuota(work))
        found.all.insert(Blocker::Quota);
    found.unchecked.others = work.wantsOthers;
    return found;
}

IdlePart PlacementSimulator::partOf(const Idle &idle, const std::string &resource, std::int64_t units)
{
    IdlePart part{idle.item->id,   model::shownName(idle.item->kind, idle.item->name), resource, units, {},
                  idle.item->since};
    const auto &rate = idle.item->ratePerHour;
    const Wide nanos = rate ? static_cast<Wide>(rate->nanos()) * units / std::max<std::int64_t>(1, idle.units) : 0;
    if (rate) // a part of an amount that fits also fits
        part.perHour = Money(static_cast<std::int64_t>(nanos), rate->currency());
    return part;
}

IdlePart PlacementSimulator::freePart(const Node &node, const std::string &resource, std::int64_t units)
{
    IdlePart part{{}, {}, resource, units, {}, {}};
    std::int64_t nanos = 0;
    if (node.rate && isWhole(*node.room, resource) && !__builtin_mul_overflow(node.rate->nanos(), units, &nanos))
        part.perHour = Money(nanos, node.rate->currency());
    return part;
}

void PlacementSimulator::take(Node &node, WaitingItem &item, const Picks &picks)
{
    const WaitingWork &work = item.work;
    for (const std::size_t pick : picks) {
        Idle &freed = node.idle[pick];
        freed.isFreed = true;
        if (node.cpuMilli)
            *node.cpuMilli += freed.held->cpuMilli;
        if (node.memoryBytes)
            *node.memoryBytes += freed.held->memoryBytes;
    }
    std::int64_t wanted = *work.gpus;
    if (const std::int64_t units = std::min(wanted, valueIn(node.free, work.resource)); units > 0) {
        node.free[work.resource] -= units;
        wanted -= units;
        item.parts.push_back(freePart(node, work.resource, units));
    }
    for (Idle &idle : node.idle) {
        const std::int64_t units = idle.isFreed ? std::min(wanted, valueIn(idle.left, work.resource)) : 0;
        const bool isPicked =
            std::any_of(picks.begin(), picks.end(), [&](std::size_t pick) { return &node.idle[pick] == &idle; });
        if (units == 0 && !isPicked)
            continue;
        idle.left[work.resource] -= units;
        wanted -= units;
        item.parts.push_back(partOf(idle, work.resource, units));
        item.isServed = true;
    }
    if (node.cpuMilli)
        *node.cpuMilli -= work.cpuMilli.value_or(0);
    if (node.memoryBytes)
        *node.memoryBytes -= work.memoryBytes.value_or(0);
    item.node = node.room->name;
    item.blocker = item.isServed ? Blocker::HeldByIdle : Blocker::NotSeen;
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
        for (const Node &node : m_nodes)
            there += node.room->cluster == work.cluster ? node.all(one.first, false) : 0;
        return there >= one.second;
    });
}

// Its pods one after the other, the largest first; if one cannot be placed, none is.
void PlacementSimulator::serveTogether(WaitingItem &item)
{
    if (isOutOfQuota(item.work) || !mayFit(item.work))
        return;
    const std::vector<Node> before = m_nodes;
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
    Node *best = nullptr;
    Picks bestPicks;
    std::tuple<std::int64_t, std::size_t, std::int64_t> bestRank;
    for (Node &node : m_nodes) {
        if (node.room->cluster != work.cluster || node.all(work.resource, false) < *work.gpus)
            continue;
        const Obstacles found = obstaclesOf(node, work);
        const auto picks = found.all.empty() ? picksFor(node, work) : std::nullopt;
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
        take(*best, item, bestPicks);
}

// What is idle there of the kind that the job requests, up to the requested amount; else everything of other kinds.
std::vector<IdlePart> PlacementSimulator::partsThere(const Node &node, const WaitingItem &item)
{
    const WaitingWork &work = item.work;
    const bool ofKind = node.all(work.resource, true) > 0;
    std::vector<IdlePart> parts;
    for (const auto &[resource, count] : node.room->gpus) {
        if (ofKind && resource != work.resource)
            continue;
        std::int64_t wanted = ofKind ? *work.gpus : node.all(resource, true);
        if (const std::int64_t units = std::min(wanted, valueIn(node.free, resource)); units > 0) {
            wanted -= units;
            parts.push_back(freePart(node, resource, units));
        }
        for (const Idle &idle : node.idle) {
            const std::int64_t units = std::min(wanted, valueIn(idle.left, resource));
            if (units == 0)
                continue;
            wanted -= units;
            parts.push_back(partOf(idle, resource, units));
        }
    }
    return parts;
}

// What is idle for it on all nodes that lack nothing else.
std::int64_t PlacementSimulator::usableTogether(const WaitingWork &work) const
{
    std::int64_t units = 0;
    for (const Node &node : m_nodes) {
        if (node.room->cluster != work.cluster || node.all(work.resource, true) == 0)
            continue;
        const Obstacles found = obstaclesOf(node, work);
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
        item.blocker = isOutOfQuota(work) ? Blocker::Quota : Blocker::SizeUnknown;
        item.obstacles = {item.blocker};
        return;
    }
    const Node *nearest = nullptr;
    Obstacles least;
    const auto rank = [](const Obstacles &o) {
        return std::tuple(o.all.size(), o.all.empty() ? Blocker::NotSeen : *o.all.begin(), -o.units);
    };
    const WaitingWork one = largestPod(work);
    const bool isOut = isOutOfQuota(work);
    const std::int64_t together = usableTogether(one);
    for (const Node &node : m_nodes) {
        if (node.room->cluster != work.cluster)
            continue;
        Obstacles found = obstaclesOf(node, one);
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
    item.parts = partsThere(*nearest, item);
}

} // namespace gpuledger::insight
