// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/queue/obstaclefinder.h"

#include <algorithm>

namespace gpuledger::insight {

using model::WaitingWork;

namespace {

bool tolerates(const model::Toleration &toleration, const model::Taint &taint)
{
    if (!toleration.effect.empty() && toleration.effect != taint.effect)
        return false;
    if (toleration.op == "Exists")
        return toleration.key.empty() || toleration.key == taint.key;
    return toleration.key == taint.key && toleration.value == taint.value;
}

bool keepsAway(const model::Taint &taint)
{
    return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
}

} // namespace

ObstacleFinder::ObstacleFinder(const model::WaitingFacts &facts)
    : m_facts(facts)
{
    for (const model::NodeRoom &room : facts.nodes) {
        for (const auto &[key, value] : room.labels.value_or(model::Labels{}))
            m_labelsSeen.emplace(room.cluster, key);
    }
}

void ObstacleFinder::addKind(NodeObstacles &found, const SimulatedNode &node, const WaitingWork &work) const
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
        hasSlices = hasSlices || (units > 0 && isMigSlice(resource));
    }
    if (found.units > 0)
        found.all.insert(hasSlices ? Blocker::MigLeftovers : Blocker::Flavour);
}

void ObstacleFinder::addSelector(NodeObstacles &found, const SimulatedNode &node, const WaitingWork &work) const
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

void ObstacleFinder::addTaints(NodeObstacles &found, const SimulatedNode &node, const WaitingWork &work) const
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

void ObstacleFinder::addRoom(NodeObstacles &found, const SimulatedNode &node, const WaitingWork &work) const
{
    std::int64_t cpu = node.cpuMilli.value_or(0), memory = node.memoryBytes.value_or(0);
    for (const SimulatedIdle &one : node.idle) {
        if (one.isFreed || !one.isFreeable() || unitsOf(one.left, work.resource) == 0)
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
bool ObstacleFinder::isOutOfQuota(const WaitingWork &work) const
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

NodeObstacles ObstacleFinder::obstaclesOf(const SimulatedNode &node, const WaitingWork &work) const
{
    NodeObstacles found;
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

} // namespace gpuledger::insight
