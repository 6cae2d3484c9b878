// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/fleet/fleetindex.h"

#include "app/model/fleet/listedmachine.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

namespace gpuledger::ledger {

namespace {

// A gap in the node's record shorter than a billing hour does not end the paid time.
constexpr base::Seconds kBillingHour{3600};

bool isSharedResource(const std::string &resource)
{
    return resource.find("shared") != std::string::npos;
}

Unit &unitOf(IndexedDevice &device, const std::string &gpuInstance)
{
    for (Unit &unit : device.units) {
        if (unit.gpuInstance == gpuInstance)
            return unit;
    }
    Unit unit;
    unit.gpuInstance = gpuInstance;
    for (std::size_t i = 0; i < device.facts.slices.size(); ++i) {
        if (!gpuInstance.empty() && device.facts.slices[i].gpuInstance == gpuInstance) {
            unit.slice = static_cast<std::int16_t>(i);
            unit.fraction = device.facts.slices[i].fraction;
        }
    }
    return device.units.emplace_back(std::move(unit));
}

base::TimeRange hullOf(const base::TimeRange &a, const base::TimeRange &b)
{
    return a.empty() ? b : base::TimeRange{std::min(a.start, b.start), std::max(a.end, b.end)};
}

base::UtcTime firstSeen(const IndexedHolder &holder)
{
    return holder.facts.seen.empty() ? holder.spans.hull().start : holder.facts.seen.start;
}

// A scheduler's record by cluster, namespace and name.
using NameView = std::tuple<std::string_view, std::string_view, std::string_view>;

struct NameHash {
    std::size_t operator()(const NameView &name) const
    {
        std::size_t mixed = 0;
        for (const std::string_view part : {std::get<0>(name), std::get<1>(name), std::get<2>(name)})
            mixed = (mixed + std::hash<std::string_view>()(part)) * 0x9E3779B97F4A7C15ULL;
        return mixed ^ (mixed >> 32);
    }
};

// Samples of a name count as going on for up to a day without any, so the names seen up to a day away matter.
std::unordered_set<std::int64_t> subjectsNear(const std::vector<store::Placement> &placements, base::TimeRange range)
{
    const base::TimeRange near{range.start - base::kDay - base::kBucket, range.end + base::kDay + base::kBucket};
    std::unordered_set<std::int64_t> out;
    for (const store::Placement &placement : placements) {
        if (!placement.seen.intersect(near).empty())
            out.insert(placement.subject.value);
    }
    return out;
}

template <typename T> void addOnce(std::vector<T> &list, T value)
{
    if (std::find(list.begin(), list.end(), value) == list.end())
        list.push_back(value);
}

} // namespace

model::Holder holderOf(const model::Subject &subject, const model::Node *node)
{
    model::Holder who;
    who.cluster = subject.cluster;
    who.kind = subject.kind;
    who.nameSpace = subject.nameSpace;
    who.name = subject.name;
    who.uid = subject.uid;
    if (node && subject.kind == model::SubjectKind::Machine)
        who.labels = node->labels;
    return who;
}

base::Result<FleetIndex> FleetIndex::load(store::FactReader &facts, base::TimeRange range)
{
    FleetIndex index;
    auto covered = facts.coveredRange();
    if (!covered)
        return base::fail(std::move(covered).error());
    index.covered = *covered;
    auto nodeList = facts.nodes();
    auto nodeSpanList = facts.nodeSpans({});
    auto deviceList = facts.devices();
    auto holderList = facts.holders(range);
    auto spanList = facts.holderSpans(range);
    auto placementList = facts.placements({});
    auto clusterList = facts.clustersWithHolders();
    GPULEDGER_TRY(nodeList);
    GPULEDGER_TRY(nodeSpanList);
    GPULEDGER_TRY(deviceList);
    GPULEDGER_TRY(holderList);
    GPULEDGER_TRY(spanList);
    GPULEDGER_TRY(placementList);
    GPULEDGER_TRY(clusterList);
    index.indexNodes(std::move(*nodeList), *nodeSpanList);
    index.indexHolders(std::move(*holderList), *spanList);
    index.indexScheduler(*clusterList);
    GPULEDGER_TRY(index.indexSubjects(facts, subjectsNear(*placementList, range)));
    index.indexDevices(std::move(*deviceList), *placementList);
    index.settlePaidTime();
    index.listUnplaced();
    return index;
}

void FleetIndex::indexNodes(std::vector<model::Node> list, const std::vector<store::NodeSpan> &spans)
{
    nodes = std::move(list);
    nodeSpans.resize(nodes.size());
    holdersOnNode.resize(nodes.size());
    devicesOnNode.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        m_nodeById.emplace(nodes[i].id.value, static_cast<int>(i));
    for (const store::NodeSpan &span : spans) {
        const auto it = m_nodeById.find(span.node.value);
        if (it == m_nodeById.end())
            continue;
        const auto n = static_cast<std::size_t>(it->second);
        nodeSpans[n].add(span.range);
    }
    // A list tells when a machine ran; the records of a node have gaps while it goes on.
    for (std::size_t n = 0; n < nodes.size(); ++n)
        nodeSpans[n].normalize(nodes[n].labels.contains(model::kHostNameLabel) ? base::Seconds{0} : kBillingHour);
}

void FleetIndex::indexHolders(std::vector<model::Holder> list, const std::vector<store::HolderSpan> &spans)
{
    std::unordered_map<std::int64_t, std::size_t> byId;
    std::map<std::pair<std::string, std::string>, int> nodeByName;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodeByName.emplace(std::pair(nodes[i].cluster, nodes[i].name), static_cast<int>(i));
    for (model::Holder &facts : list) {
        IndexedHolder holder;
        const auto node = nodeByName.find({facts.cluster, facts.node});
        holder.node = node == nodeByName.end() ? -1 : node->second;
        for (const auto &[resource, count] : facts.gpuRequests) {
            holder.requested += count;
            holder.requestsShared = holder.requestsShared || isSharedResource(resource);
        }
        holder.facts = std::move(facts);
        const std::size_t at = holders.size();
        byId.emplace(holder.facts.id.value, at);
        if (holder.node >= 0)
            holdersOnNode[static_cast<std::size_t>(holder.node)].push_back(at);
        holders.push_back(std::move(holder));
    }
    for (const store::HolderSpan &span : spans) {
        const auto it = byId.find(span.holder.value);
        if (it == byId.end())
            continue;
        holders[it->second].spans.add(span.range);
        schedulerKnows[holders[it->second].facts.cluster].add(span.range);
    }
    for (IndexedHolder &holder : holders)
        holder.spans.normalize();
}

// In clusters where pods that request a GPU were ever recorded, the node records show when the scheduler's records were
// complete.
void FleetIndex::indexScheduler(const std::vector<std::string> &clusters)
{
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (std::find(clusters.begin(), clusters.end(), nodes[n].cluster) == clusters.end())
            continue;
        for (const base::TimeRange &r : nodeSpans[n].ranges())
            schedulerKnows[nodes[n].cluster].add(r);
    }
    for (auto &[cluster, set] : schedulerKnows)
        set.normalize();
}

// Keeps those that a device of the range may be claimed for: seen `near` it, or with a record of the scheduler in it.
base::Result<void> FleetIndex::indexSubjects(store::FactReader &facts, const std::unordered_set<std::int64_t> &near)
{
    std::unordered_map<NameView, std::vector<std::size_t>, NameHash> holdersByName;
    for (std::size_t h = 0; h < holders.size(); ++h) {
        const model::Holder &who = holders[h].facts;
        holdersByName[{who.cluster, who.nameSpace, who.name}].push_back(h);
    }
    return facts.eachSubject([&](model::Subject &who) -> base::Result<void> {
        m_named.push_back(who.id.value);
        if (who.kind == model::SubjectKind::Machine)
            m_machineNames.emplace(who.id.value, who.name);
        const auto records = holdersByName.find({who.cluster, who.nameSpace, who.name});
        if (records == holdersByName.end() && !near.contains(who.id.value))
            return {};
        IndexedSubject subject;
        if (records != holdersByName.end()) {
            for (const std::size_t h : records->second) {
                if (holders[h].facts.kind == who.kind && (who.uid.empty() || who.uid == holders[h].facts.uid))
                    subject.holders.push_back(h);
            }
        }
        subjectById.emplace(who.id.value, subjects.size());
        subject.facts = std::move(who);
        subjects.push_back(std::move(subject));
        return {};
    });
}

void FleetIndex::place(IndexedDevice &device, const store::Placement &placement)
{
    const auto node = m_nodeById.find(placement.node.value);
    device.nodes.emplace_back(placement.seen.start, node == m_nodeById.end() ? -1 : node->second);
    placeTold(device, placement);
    device.seen = hullOf(device.seen, placement.seen);
    Unit &unit = unitOf(device, placement.gpuInstance);
    unit.seen.add(placement.seen);
    device.everLabelled =
        device.everLabelled || std::binary_search(m_named.begin(), m_named.end(), placement.subject.value);
    const auto subject = subjectById.find(placement.subject.value);
    if (subject == subjectById.end())
        return;
    IndexedSubject &who = subjects[subject->second];
    who.seen = hullOf(who.seen, placement.seen);
    for (const std::size_t h : who.holders) {
        if (!holders[h].spans.touches({placement.seen.start - base::kBucket, placement.seen.end + base::kBucket}))
            continue;
        addOnce(unit.holders, h);
        holders[h].placed = true;
    }
    for (auto &[known, seen] : unit.subjects) {
        if (known == subject->second) {
            seen.add(placement.seen);
            return;
        }
    }
    unit.subjects.emplace_back(subject->second, RangeSet()).second.add(placement.seen);
}

void FleetIndex::indexDevices(std::vector<model::Device> list, const std::vector<store::Placement> &placements)
{
    for (model::Device &facts : list) {
        deviceById.emplace(facts.id.value, devices.size());
        devices.emplace_back().facts = std::move(facts);
    }
    for (const store::Placement &placement : placements) {
        const auto it = deviceById.find(placement.device.value);
        if (it != deviceById.end())
            place(devices[it->second], placement);
    }
    for (std::size_t i = 0; i < devices.size(); ++i) {
        IndexedDevice &device = devices[i];
        std::sort(device.units.begin(), device.units.end(),
                  [](const Unit &a, const Unit &b) { return a.gpuInstance < b.gpuInstance; });
        for (Unit &unit : device.units) {
            unit.seen.normalize(base::kDay);
            for (auto &[subject, seen] : unit.subjects)
                seen.normalize(base::kDay);
            std::sort(unit.holders.begin(), unit.holders.end());
            unit.placed = unit.holders.size();
        }
        // A series without a node does not override those that have one.
        if (std::any_of(device.nodes.begin(), device.nodes.end(), [](const auto &n) { return n.second >= 0; }))
            std::erase_if(device.nodes, [](const auto &n) { return n.second < 0; });
        std::sort(device.nodes.begin(), device.nodes.end());
        // Keep only the instants at which the node changes.
        const auto same = [](const auto &a, const auto &b) { return a.second == b.second; };
        device.nodes.erase(std::unique(device.nodes.begin(), device.nodes.end(), same), device.nodes.end());
        if (!device.nodes.empty())
            device.nodes.front().first = device.seen.start;
        for (const auto &[from, node] : device.nodes) {
            if (node >= 0)
                addOnce(devicesOnNode[static_cast<std::size_t>(node)], i);
        }
    }
}

int FleetIndex::nodeOf(const IndexedDevice &device, base::UtcTime at) const
{
    int node = device.nodes.empty() ? -1 : device.nodes.front().second;
    for (const auto &[from, n] : device.nodes) {
        if (from <= at)
            node = n;
    }
    return node;
}

// A device is paid for while its node exists, from the node's first record (the exporter may start later) to its last,
// whatever telemetry reports; a device that another one replaced at the same position ends where that one begins.
// Without node records: from its first to its last sample, plus one billing hour if nothing else was seen by then.
void FleetIndex::settlePaidTime()
{
    for (IndexedDevice &device : devices) {
        for (std::size_t i = 0; i < device.nodes.size() && !device.isListed; ++i)
            addStay(device, i);
        device.paid.normalize();
        device.measured.normalize();
    }
    settleListed();
}

void FleetIndex::addStay(IndexedDevice &device, std::size_t i)
{
    const auto &[from, node] = device.nodes[i];
    const bool last = i + 1 == device.nodes.size();
    const base::UtcTime until = last ? device.seen.end : device.nodes[i + 1].first;
    const bool recorded = node >= 0 && !nodeSpans[static_cast<std::size_t>(node)].empty();
    if (recorded) {
        base::TimeRange stay{i == 0 ? covered.start : from, last ? covered.end : until};
        stay = betweenNeighbours(device, i, stay);
        for (const base::TimeRange &r : nodeSpans[static_cast<std::size_t>(node)].cut(stay))
            device.paid.add(r);
    }
    const base::Seconds grace = last && !recorded ? kBillingHour : base::Seconds{0};
    device.paid.add(base::TimeRange{from, until + grace}.intersect(covered));
}

// The part of a stay on a node during which no other device was at the same position.
base::TimeRange FleetIndex::betweenNeighbours(const IndexedDevice &device, std::size_t i, base::TimeRange stay) const
{
    const auto seenUntil = [](const IndexedDevice &d, std::size_t k) {
        return k + 1 == d.nodes.size() ? d.seen.end : d.nodes[k + 1].first;
    };
    const auto &[from, node] = device.nodes[i];
    for (const std::size_t other : devicesOnNode[static_cast<std::size_t>(node)]) {
        const IndexedDevice &o = devices[other];
        if (&o == &device || o.facts.index < 0 || o.facts.index != device.facts.index)
            continue;
        for (std::size_t k = 0; k < o.nodes.size(); ++k) {
            if (o.nodes[k].second != node)
                continue;
            if (seenUntil(o, k) <= from)
                stay.start = std::max(stay.start, from);
            else if (seenUntil(device, i) <= o.nodes[k].first)
                stay.end = std::min(stay.end, o.nodes[k].first);
        }
    }
    return stay;
}

// Pods that no series ever named: an exporter without pod labels, or a pod that only lived during a telemetry gap.
void FleetIndex::listUnplaced()
{
    m_unplaced.resize(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        for (const std::size_t h : holdersOnNode[n]) {
            if (!holders[h].placed && holders[h].requested > 0)
                m_unplaced[n].push_back(h);
        }
        std::sort(m_unplaced[n].begin(), m_unplaced[n].end(), [this](std::size_t a, std::size_t b) {
            return std::pair(firstSeen(holders[a]), holders[a].facts.uid)
                < std::pair(firstSeen(holders[b]), holders[b].facts.uid);
        });
    }
}

void FleetIndex::inferFor(base::Day day)
{
    for (const std::size_t i : m_inferredOn) {
        for (Unit &unit : devices[i].units)
            unit.holders.resize(unit.placed);
    }
    m_inferredOn.clear();
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (!m_unplaced[n].empty())
            inferOnNode(n, {day.start(), day.end()});
    }
}

void FleetIndex::inferOnNode(std::size_t node, base::TimeRange day)
{
    std::vector<std::size_t> candidates = devicesOnNode[node];
    std::sort(candidates.begin(), candidates.end(), [this](std::size_t a, std::size_t b) {
        return std::pair(devices[a].facts.index, devices[a].facts.uuid)
            < std::pair(devices[b].facts.index, devices[b].facts.uuid);
    });
    for (const std::size_t h : m_unplaced[node]) {
        const std::vector<base::TimeRange> today = holders[h].spans.cut(day);
        if (today.empty())
            continue;
        // Only devices that existed during its lifetime.
        const base::TimeRange life{today.front().start, today.back().end};
        std::vector<std::size_t> there;
        std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(there), [&](std::size_t i) {
            return devices[i].paid.touches(life) && nodeOf(devices[i], life.start) == static_cast<int>(node);
        });
        if (holders[h].requestsShared || nodes[node].sharedGpus)
            inferShared(h, life, there);
        else
            inferExclusive(h, life, there);
    }
}

void FleetIndex::infer(std::size_t holder, std::size_t device)
{
    addOnce(devices[device].units.front().holders, holder);
    addOnce(m_inferredOn, device);
}

// Sharing pods go to the device with the fewest holders.
void FleetIndex::inferShared(std::size_t holder, base::TimeRange life, const std::vector<std::size_t> &candidates)
{
    const auto count = [&](std::size_t i) -> std::ptrdiff_t {
        if (devices[i].units.empty())
            return 0;
        const auto &there = devices[i].units.front().holders;
        return std::count_if(there.begin(), there.end(), [&](std::size_t o) { return holders[o].spans.touches(life); });
    };
    const auto fewest = std::min_element(candidates.begin(), candidates.end(),
                                         [&](std::size_t a, std::size_t b) { return count(a) < count(b); });
    if (fewest != candidates.end() && !devices[*fewest].units.empty() && devices[*fewest].units.front().slice < 0)
        infer(holder, *fewest);
}

// Exclusive pods only go where no other holder is at that time.
void FleetIndex::inferExclusive(std::size_t holder, base::TimeRange life, const std::vector<std::size_t> &candidates)
{
    std::int64_t wanted = holders[holder].requested;
    for (const std::size_t i : candidates) {
        if (wanted == 0)
            break;
        if (devices[i].units.size() != 1 || devices[i].units.front().slice >= 0)
            continue; // the slice of a MIG device is unknown
        const auto &there = devices[i].units.front().holders;
        if (std::any_of(there.begin(), there.end(), [&](std::size_t o) { return holders[o].spans.touches(life); }))
            continue;
        infer(holder, i);
        --wanted;
    }
}

} // namespace gpuledger::ledger
