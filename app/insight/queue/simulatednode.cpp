// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/queue/simulatednode.h"

#include "app/model/fleet/kindname.h"

#include <algorithm>
#include <tuple>

namespace gpuledger::insight {

using base::Money;
using model::WaitingWork;

namespace {

__extension__ using WideNanos = __int128;

constexpr std::size_t kMostTried = 10; // idle workloads per node up to which every combination is tried

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
    return !isMigSlice(resource) && !resource.ends_with("_shared") && product.find("-MIG-") == std::string::npos
        && !product.ends_with("-SHARED") && (sharing.empty() || sharing == "none");
}

} // namespace

std::int64_t unitsOf(const std::map<std::string, std::int64_t> &units, const std::string &resource)
{
    const auto it = units.find(resource);
    return it == units.end() ? 0 : it->second;
}

bool isMigSlice(const std::string &resource)
{
    return resource.find("_mig_") != std::string::npos;
}

IdlePart SimulatedIdle::part(const std::string &resource, std::int64_t count) const
{
    IdlePart part{item->id, model::shownName(item->kind, item->name), resource, count, {}, item->since};
    const auto &rate = item->ratePerHour;
    const WideNanos nanos = rate ? static_cast<WideNanos>(rate->nanos()) * count / std::max<std::int64_t>(1, units) : 0;
    if (rate) // a part of an amount that fits also fits
        part.perHour = Money(static_cast<std::int64_t>(nanos), rate->currency());
    return part;
}

std::vector<SimulatedNode> simulatedNodes(const model::WaitingFacts &facts, const IdleList &idle,
                                          const NodeRates &rates)
{
    std::vector<SimulatedNode> nodes;
    std::map<std::pair<std::string, std::string>, const model::NodeRoom *> rooms;
    for (const model::NodeRoom &room : facts.nodes)
        rooms.emplace(std::pair(room.cluster, room.name), &room);
    std::map<std::string, const model::HeldRoom *> holders;
    for (const model::HeldRoom &held : facts.holders) {
        const std::string name = held.cluster + '/' + held.nameSpace + '/' + held.name + '/';
        holders.emplace(name + held.uid, &held);
        holders.emplace(name, &held); // for an idle workload whose uid is unknown
    }
    for (const auto &[place, room] : rooms) {
        SimulatedNode node;
        node.room = room;
        for (const auto &[resource, count] : room->gpus)
            node.free[resource] = std::max<std::int64_t>(0, count - unitsOf(room->gpusUsed, resource));
        node.cpuMilli = rest(room->cpuMilli, room->cpuMilliUsed);
        node.memoryBytes = rest(room->memoryBytes, room->memoryBytesUsed);
        if (const auto rate = rates.find(place); rate != rates.end())
            node.rate = rate->second;
        for (const IdleItem &item : idle.items) {
            const auto held = holders.find(item.id);
            if (held == holders.end() || held->second->cluster != room->cluster || held->second->node != room->name)
                continue; // it has ended since
            SimulatedIdle one{&item, held->second, 0, held->second->gpus, false};
            for (const auto &[resource, count] : held->second->gpus)
                one.units += count;
            node.idle.push_back(std::move(one));
        }
        nodes.push_back(std::move(node));
    }
    return nodes;
}

std::int64_t SimulatedNode::open(const std::string &resource) const
{
    std::int64_t units = unitsOf(free, resource);
    for (const SimulatedIdle &one : idle)
        units += one.isFreed ? unitsOf(one.left, resource) : 0;
    return units;
}

std::int64_t SimulatedNode::all(const std::string &resource, bool withProtected) const
{
    std::int64_t units = open(resource);
    for (const SimulatedIdle &one : idle)
        units += !one.isFreed && (withProtected || one.isFreeable()) ? unitsOf(one.left, resource) : 0;
    return units;
}

// True if GPUs, CPU or memory are insufficient there even with these workloads stopped.
bool SimulatedNode::isShort(const WaitingWork &work, const Picks &picks) const
{
    std::int64_t gpus = open(work.resource), cpu = 0, memory = 0;
    for (const std::size_t pick : picks) {
        gpus += unitsOf(idle[pick].left, work.resource);
        cpu += idle[pick].held->cpuMilli;
        memory += idle[pick].held->memoryBytes;
    }
    return gpus < work.gpus.value_or(0) || (cpuMilli && *cpuMilli + cpu < work.cpuMilli.value_or(0))
        || (memoryBytes && *memoryBytes + memory < work.memoryBytes.value_or(0));
}

std::optional<SimulatedNode::Picks> SimulatedNode::picksFor(const WaitingWork &work) const
{
    Picks candidates;
    for (std::size_t i = 0; i < idle.size(); ++i) {
        if (!idle[i].isFreed && idle[i].isFreeable() && unitsOf(idle[i].left, work.resource) > 0)
            candidates.push_back(i);
    }
    if (isShort(work, candidates))
        return std::nullopt;
    if (candidates.size() > kMostTried) { // no superfluous ones, though perhaps not the minimum
        for (std::size_t i = candidates.size(); i-- > 0;) {
            Picks fewer = candidates;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (!isShort(work, fewer))
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
            units += idle[candidates[i]].units;
        }
        const bool isBetter =
            !best || std::tuple(units, picks.size(), picks) < std::tuple(bestUnits, best->size(), *best);
        if (isBetter && !isShort(work, picks)) {
            best = std::move(picks);
            bestUnits = units;
        }
    }
    return best;
}

IdlePart SimulatedNode::freePart(const std::string &resource, std::int64_t units) const
{
    IdlePart part{{}, {}, resource, units, {}, {}};
    std::int64_t nanos = 0;
    if (rate && isWhole(*room, resource) && !__builtin_mul_overflow(rate->nanos(), units, &nanos))
        part.perHour = Money(nanos, rate->currency());
    return part;
}

void SimulatedNode::take(WaitingItem &item, const Picks &picks)
{
    const WaitingWork &work = item.work;
    for (const std::size_t pick : picks) {
        SimulatedIdle &freed = idle[pick];
        freed.isFreed = true;
        if (cpuMilli)
            *cpuMilli += freed.held->cpuMilli;
        if (memoryBytes)
            *memoryBytes += freed.held->memoryBytes;
    }
    std::int64_t wanted = *work.gpus;
    if (const std::int64_t units = std::min(wanted, unitsOf(free, work.resource)); units > 0) {
        free[work.resource] -= units;
        wanted -= units;
        item.parts.push_back(freePart(work.resource, units));
    }
    for (SimulatedIdle &one : idle) {
        const std::int64_t units = one.isFreed ? std::min(wanted, unitsOf(one.left, work.resource)) : 0;
        const bool isPicked =
            std::any_of(picks.begin(), picks.end(), [&](std::size_t pick) { return &idle[pick] == &one; });
        if (units == 0 && !isPicked)
            continue;
        one.left[work.resource] -= units;
        wanted -= units;
        item.parts.push_back(one.part(work.resource, units));
        item.isServed = true;
    }
    if (cpuMilli)
        *cpuMilli -= work.cpuMilli.value_or(0);
    if (memoryBytes)
        *memoryBytes -= work.memoryBytes.value_or(0);
    item.node = room->name;
    item.blocker = item.isServed ? Blocker::HeldByIdle : Blocker::NotSeen;
}

// What is idle there of the kind that the job requests, up to the requested amount; else everything of other kinds.
std::vector<IdlePart> SimulatedNode::partsFor(const WaitingWork &work) const
{
    const bool ofKind = all(work.resource, true) > 0;
    std::vector<IdlePart> parts;
    for (const auto &[resource, count] : room->gpus) {
        if (ofKind && resource != work.resource)
            continue;
        std::int64_t wanted = ofKind ? *work.gpus : all(resource, true);
        if (const std::int64_t units = std::min(wanted, unitsOf(free, resource)); units > 0) {
            wanted -= units;
            parts.push_back(freePart(resource, units));
        }
        for (const SimulatedIdle &one : idle) {
            const std::int64_t units = std::min(wanted, unitsOf(one.left, resource));
            if (units == 0)
                continue;
            wanted -= units;
            parts.push_back(one.part(resource, units));
        }
    }
    return parts;
}

} // namespace gpuledger::insight
