// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FleetIndex about machines that a cloud told.
#include "app/ledger/fleet/fleetindex.h"
#include "app/ledger/fleet/machinetwins.h"
#include "app/model/fleet/listedmachine.h"

#include <algorithm>
#include <map>

namespace gpuledger::ledger {

namespace {

// Its readings come late, and machines are asked about at the end of the data.
constexpr base::Seconds kMonitoringLag{3600};

// What the list tells of a machine and telemetry does not: which machine of a bill it is, and its own price.
void complete(model::Node &known, const model::Node &machine)
{
    if (known.providerId.empty())
        known.providerId = machine.providerId;
    if (known.cloud.empty())
        known.cloud = machine.cloud;
    if (const auto price = machine.labels.find(model::kGpuHourPriceLabel); price != machine.labels.end())
        known.labels.insert(*price);
}

bool isListed(const IndexedDevice &device)
{
    return device.isListed;
}

void addMachine(std::vector<std::size_t> &list, std::size_t machine)
{
    if (std::find(list.begin(), list.end(), machine) == list.end())
        list.push_back(machine);
}

// The part of a run in which the list told the device.
std::vector<base::TimeRange> toldTimes(const IndexedDevice &device, const base::TimeRange &run)
{
    return device.units.empty() ? std::vector<base::TimeRange>() : device.units.front().seen.cut(run);
}

} // namespace

// Nodes that only a list told have no devices but those of the list.
std::vector<KnownNode> FleetIndex::knownNodes() const
{
    std::vector<KnownNode> out(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const auto &there = devicesOnNode[n];
        out[n].node = &nodes[n];
        if (const auto held = m_heldBy.find(n); held != m_heldBy.end())
            out[n].heldBy = held->second;
        out[n].isListed = !there.empty()
            && std::all_of(there.begin(), there.end(), [this](std::size_t d) { return isListed(devices[d]); });
    }
    return out;
}

void FleetIndex::nameHolder(const store::Placement &placement)
{
    const auto machine = m_machineNames.find(placement.subject.value);
    const auto node = m_nodeById.find(placement.node.value);
    if (machine != m_machineNames.end() && node != m_nodeById.end())
        m_heldBy[static_cast<std::size_t>(node->second)].insert(machine->second);
}

// Who told the device at this place, which is the last of device.nodes: telemetry, a list, or the own monitoring of the
// cloud that told the list, whose readings are of the devices of that list.
void FleetIndex::placeTold(IndexedDevice &device, const store::Placement &placement)
{
    const int node = device.nodes.back().second;
    const bool isOfList = node >= 0 && nodes[static_cast<std::size_t>(node)].labels.contains(model::kHostNameLabel);
    const bool isReading = placement.role != model::SeriesRole::Listed;
    device.isListed = (device.seen.empty() || device.isListed) && (isOfList || !isReading);
    if (isReading && isOfList)
        device.measured.add({placement.seen.start, placement.seen.end + kMonitoringLag});
    else if (isReading)
        nameHolder(placement);
}

// A GPU that a list told is paid for while its machine runs, except for the time in which telemetry knows GPUs of that
// machine: those are the same ones. What is left belongs to the node under which telemetry knows the machine, so that a
// bill finds one machine; whoever its scheduler names there holds it, and the machine itself only if telemetry says so,
// too.
void FleetIndex::settleListed()
{
    if (std::none_of(devices.begin(), devices.end(), isListed))
        return;
    const auto twins = twinsOf(knownNodes());
    std::map<std::string, std::vector<std::size_t>> lists; // the nodes of one machine, by its provider id
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const IndexedDevice &device = devices[i];
        if (!device.isListed || device.nodes.empty() || device.nodes.front().second < 0)
            continue;
        const auto machine = static_cast<std::size_t>(device.nodes.front().second);
        const std::vector<std::size_t> known = twins[machine].empty() ? std::vector{machine} : twins[machine];
        std::vector<std::size_t> &same = lists[model::sameCase(nodes[machine].providerId)];
        if (!nodes[machine].providerId.empty())
            addMachine(same, machine);
        settle(i, machine, known, same);
    }
}

// `known`: the nodes under which telemetry knows the machine, else the machine itself. `lists`: the nodes of the same
// machine in the lists of several sources, of which the first one has it for as long as it told it.
void FleetIndex::settle(std::size_t listed, std::size_t machine, const std::vector<std::size_t> &known,
                        const std::vector<std::size_t> &lists)
{
    IndexedDevice &device = devices[listed];
    RangeSet seen;
    bool hasOthers = false;
    for (const std::size_t node : known) {
        for (const std::size_t d : devicesOnNode[node]) {
            if (devices[d].isListed)
                continue;
            hasOthers = true;
            for (const base::TimeRange &r : devices[d].paid.ranges())
                seen.add(r);
        }
    }
    seen.normalize();
    RangeSet taken;
    for (const std::size_t node : lists) {
        if (node == machine)
            break;
        for (const base::TimeRange &r : nodeSpans[node].ranges())
            taken.add(r);
    }
    taken.normalize();
    RangeSet &unseen = m_unseen[machine];
    for (const base::TimeRange &run : nodeSpans[machine].ranges()) {
        for (const base::TimeRange &r : seen.outside(run.intersect(covered))) {
            for (const base::TimeRange &blind : device.measured.outside(r))
                unseen.add(blind);
            for (const base::TimeRange &own : taken.outside(r)) {
                for (const base::TimeRange &told : toldTimes(device, own)) // it may have had fewer GPUs in other runs
                    device.paid.add(told);
            }
        }
    }
    unseen.normalize();
    m_seen[machine] = std::move(seen);
    device.paid.normalize();
    const bool isKnown = known.front() != machine || hasOthers;
    for (const std::size_t node : known) {
        if (node != machine)
            complete(nodes[node], nodes[machine]);
    }
    const std::size_t node = isKnown || lists.empty() ? known.front() : lists.front();
    if (isKnown || node != machine)
        join(listed, node, hasOthers, isKnown && !m_heldBy.contains(node));
}

std::set<std::string> FleetIndex::unseenMachines(const std::string &source, base::TimeRange range) const
{
    std::set<std::string> out;
    for (const auto &[machine, unseen] : m_unseen) {
        if (nodes[machine].cluster == source && unseen.touches(range))
            out.insert(nodes[machine].name);
    }
    return out;
}

std::set<std::string> FleetIndex::seenMachines(const std::string &source, base::TimeRange range) const
{
    std::set<std::string> out;
    for (const auto &[machine, seen] : m_seen) {
        if (nodes[machine].cluster != source || !nodeSpans[machine].touches(range))
            continue;
        bool isWhole = true;
        for (const base::TimeRange &run : nodeSpans[machine].cut(range))
            isWhole = isWhole && seen.outside(run).empty();
        if (isWhole)
            out.insert(nodes[machine].name);
    }
    return out;
}

// `isScheduled`: a scheduler says who holds it.
void FleetIndex::join(std::size_t listed, std::size_t node, bool hasOthers, bool isScheduled)
{
    IndexedDevice &device = devices[listed];
    device.facts.cluster = nodes[node].cluster;
    device.nodes = {{device.seen.start, static_cast<int>(node)}};
    if (isScheduled) {
        device.everLabelled = false;
        for (Unit &unit : device.units)
            unit.subjects.clear();
    }
    auto &there = devicesOnNode[node];
    if (!hasOthers && std::find(there.begin(), there.end(), listed) == there.end())
        there.push_back(listed);
    if (hasOthers)
        std::erase(there, listed);
}

} // namespace gpuledger::ledger
