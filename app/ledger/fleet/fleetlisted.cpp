// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FleetIndex about machines that a cloud's list told.
#include "app/ledger/fleet/fleetindex.h"
#include "app/ledger/fleet/machinetwins.h"

#include <algorithm>

namespace gpuledger::ledger {

namespace {

bool isListed(const IndexedDevice &device)
{
    return device.isListed;
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

// A GPU that a list told is paid for while its machine runs, except for the time in which telemetry knows GPUs of that
// machine: those are the same ones. What is left belongs to the node under which telemetry knows the machine, so that a
// bill finds one machine; whoever its scheduler names there holds it, and the machine itself only if telemetry says so,
// too.
void FleetIndex::settleListed()
{
    if (std::none_of(devices.begin(), devices.end(), isListed))
        return;
    const auto twins = twinsOf(knownNodes());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        IndexedDevice &device = devices[i];
        if (!device.isListed || device.nodes.empty() || device.nodes.front().second < 0)
            continue;
        const auto machine = static_cast<std::size_t>(device.nodes.front().second);
        m_machineOf.emplace(i, machine);
        std::vector<std::size_t> known = twins[machine];
        if (known.empty())
            known.push_back(machine); // telemetry calls it the same
        RangeSet seen;
        bool hasOthers = false;
        for (const std::size_t node : known) {
            for (const std::size_t d : devicesOnNode[node]) {
                hasOthers = hasOthers || !devices[d].isListed;
                for (const base::TimeRange &r :
                     devices[d].isListed ? std::vector<base::TimeRange>() : devices[d].paid.ranges())
                    seen.add(r);
            }
        }
        seen.normalize();
        for (const base::TimeRange &run : nodeSpans[machine].ranges()) {
            for (const base::TimeRange &r : seen.outside(run.intersect(covered)))
                device.paid.add(r);
        }
        device.paid.normalize();
        if (known.front() != machine || hasOthers)
            join(i, known.front(), hasOthers);
    }
}

std::set<std::string> FleetIndex::unseenMachines(const std::string &source, base::TimeRange range) const
{
    std::set<std::string> out;
    for (const auto &[device, machine] : m_machineOf) {
        if (nodes[machine].cluster == source && devices[device].paid.touches(range))
            out.insert(nodes[machine].name);
    }
    return out;
}

void FleetIndex::join(std::size_t listed, std::size_t node, bool hasOthers)
{
    IndexedDevice &device = devices[listed];
    device.facts.cluster = nodes[node].cluster;
    device.nodes = {{device.seen.start, static_cast<int>(node)}};
    if (!m_heldBy.contains(node)) { // a scheduler says who holds it
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
