// SPDX-License-Identifier: GPL-3.0-or-later
// Does what touched.cpp does, for the places and times at which series reported.
#include "app/store/facts/factwriter.h"

#include "app/store/facts/timecolumns.h"

#include <algorithm>

namespace gpuledger::store {

using base::Result;
using base::TimeRange;

namespace {

// A device of a node without records is paid for this long after its last sample.
constexpr base::Seconds kGrace{3600};

} // namespace

Result<void> FactWriter::touchPlacement(const PlacementKey &key, const Spans &before, const Spans &after)
{
    const bool begins = before.empty() || before.size() != after.size()
        || !std::equal(before.begin(), before.end(), after.begin(),
                       [](const TimeRange &a, const TimeRange &b) { return a.start == b.start; });
    const Spans grown = difference(before, after);
    for (const TimeRange &r : grown)
        touchGrowth(key, before, r);
    const bool isLate = late(grown);
    // All that is known about a new name came with this batch, so its days are already touched.
    if (key.subject != 0 && !key.newName && (begins || isLate || m_resumed))
        GPULEDGER_TRY(touchHoldersReached(key.subject, before, after));
    if (begins)
        GPULEDGER_TRY(touchForNewStay(key, before.empty(), after));
    if (isLate)
        GPULEDGER_TRY(touchNeighbours(key));
    return begins || isLate ? touchHoles(key, after) : Result<void>();
}

// A stay that continues at the end of the fetched data was paid for until its grace time ended; within it, only the
// unit's slice is new and, where there are no scheduler records, its name.
void FactWriter::touchGrowth(const PlacementKey &key, const Spans &before, const TimeRange &grown)
{
    const bool goesOn = m_newest && grown.end >= *m_newest
        && std::any_of(before.begin(), before.end(), [&](const TimeRange &b) { return b.end == grown.start; });
    if (!goesOn || !key.gpuInstance.empty())
        return touch({grown.start, grown.end + kGrace});
    touch({grown.start + kGrace, grown.end + kGrace});
    if (key.subject == 0)
        return;
    for (const TimeRange &r : silent(key.cluster, {grown.start, grown.start + kGrace}))
        touch(r);
}

// Touches the whole lifetime of holders whose records the series now overlaps.
Result<void> FactWriter::touchHoldersReached(std::int64_t subject, const Spans &before, const Spans &after)
{
    std::map<std::int64_t, Spans> lives;
    Statement s = m_db.statement("SELECT h.id, span_start, span_end FROM holder h JOIN holder_span x ON x.holder = h.id"
                                 " WHERE h.subject = (SELECT ifnull(base, id) FROM subject WHERE id = ?1)");
    GPULEDGER_TRY(s.bind(1, subject).each([&] { lives[s.integer(0)].push_back(rangeAt(s, 1)); }));
    for (const auto &[holder, records] : lives) {
        if (meet(records, before) == meet(records, after))
            continue;
        for (const TimeRange &r : records)
            touch(r);
    }
    return {};
}

// Gaps of less than a day end neither the presence of a slice, which all its series report, nor that of a name, which
// counts where there are no scheduler records.
Result<void> FactWriter::touchHoles(const PlacementKey &key, const Spans &after)
{
    Spans ofUnit, ofName;
    if (!key.gpuInstance.empty() || (key.subject != 0 && !key.newName)) {
        Statement s = m_db.statement("SELECT seen_start, seen_end, subject FROM placement"
                                     " WHERE device = ?1 AND gpu_instance = ?2");
        GPULEDGER_TRY(s.bind(1, key.device).bind(2, key.gpuInstance).each([&] {
            ofUnit.push_back(rangeAt(s, 0));
            if (s.integer(2) == key.subject)
                ofName.push_back(rangeAt(s, 0));
        }));
    }
    const auto filled = [&after](Spans known) {
        Spans now = known;
        now.insert(now.end(), after.begin(), after.end());
        return difference(bridged(std::move(known), base::kDay), bridged(std::move(now), base::kDay));
    };
    if (!key.gpuInstance.empty()) {
        for (const TimeRange &r : filled(std::move(ofUnit)))
            touch(r);
    }
    if (key.subject == 0)
        return {};
    for (const TimeRange &r : filled(std::move(ofName))) {
        for (const TimeRange &part : silent(key.cluster, r))
            touch(part);
    }
    return {};
}

// The first stay on a node shows that the device was there for as long as the node; a stay on one of several nodes ends
// the stay on another; the first one that names a holder shows that this exporter names holders; and a device of
// several units has no room for holders that no series names. Without records of its node, a device is paid for between
// its samples.
Result<void> FactWriter::touchForNewStay(const PlacementKey &key, bool first, const Spans &after)
{
    const auto known = whereaboutsOf(key.device);
    if (!known)
        return base::fail(known.error());
    const Whereabouts &there = **known;
    const auto has = [](const auto &list, const auto &value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    };
    const bool onNode = has(there.nodes, key.node), onUnit = has(there.instances, key.gpuInstance);
    const bool elsewhere = there.nodes.size() > (onNode ? 1U : 0U);
    if (!onNode)
        GPULEDGER_TRY(touchQuery("SELECT span_start, span_end FROM node_span WHERE node = ?1", key.node));
    if (there.instances.empty())
        return {};
    const TimeRange now = hullOf(there.seen, {after.front().start, after.back().end});
    touch({now.start, there.seen.start});
    touch({there.seen.end + kGrace, now.end + kGrace});
    const bool rearranged = !onUnit && (there.instances.size() == 1 || key.gpuInstance.empty());
    if (elsewhere || !onNode || rearranged)
        return touchDevice(key.device);
    if (first && key.subject != 0 && !there.named)
        m_firstNamed.push_back({key.device, key.node, there.seen.start});
    return {};
}

// An exporter that names holders leaves no room for those that no series names; this matters only if there are any.
// Checked after all series of the batch are written: the next one may name them.
Result<void> FactWriter::touchFirstNamed()
{
    if (m_firstNamed.empty())
        return {};
    base::UtcTime since = m_firstNamed.front().since;
    for (const FirstNamed &f : m_firstNamed)
        since = std::min(since, f.since);
    std::set<std::int64_t> nodeNames;
    Statement s = m_db.statement("SELECT DISTINCT h.node FROM holder_span x JOIN holder h ON h.id = x.holder"
                                 " WHERE x.span_end > ?1 AND h.node IS NOT NULL AND (h.kind <> 0 OR NOT EXISTS"
                                 " (SELECT 1 FROM placement p WHERE p.subject = h.subject AND p.subject <> 0"
                                 " AND p.seen_start - 300 < x.span_end AND x.span_start < p.seen_end + 300))");
    GPULEDGER_TRY(s.bind(1, base::toUnix(since - base::kDay)).each([&] { nodeNames.insert(s.integer(0)); }));
    if (nodeNames.empty())
        return {};
    for (const FirstNamed &f : m_firstNamed) {
        std::string name;
        Statement node = m_db.statement("SELECT name FROM node WHERE id = ?1");
        GPULEDGER_TRY(node.bind(1, f.node).each([&] { name = node.text(0); }));
        const auto text = m_names.findText(name);
        if (!text)
            return base::fail(text.error());
        if (*text && nodeNames.contains(**text))
            GPULEDGER_TRY(touchDevice(f.device));
    }
    return {};
}

// Of two devices at one position of a node, one replaced the other; which one follows from when each was seen.
Result<void> FactWriter::touchNeighbours(const PlacementKey &key)
{
    Statement s = m_db.statement("SELECT 1 FROM device_node d JOIN device o ON o.id = d.device WHERE d.node = ?2"
                                 " AND o.id <> ?1 AND o.position >= 0"
                                 " AND o.position = (SELECT position FROM device WHERE id = ?1) LIMIT 1");
    const Result<bool> shares = s.bind(1, key.device).bind(2, key.node).step();
    if (!shares)
        return base::fail(shares.error());
    return *shares ? touchDevice(key.device) : Result<void>();
}

Result<void> FactWriter::touchDevice(std::int64_t device)
{
    return touchQuery("SELECT min(seen_start), max(seen_end) + 3600 FROM placement WHERE device = ?1"
                      " GROUP BY device UNION ALL SELECT span_start, span_end FROM node_span WHERE node IN"
                      " (SELECT node FROM placement WHERE device = ?1)",
                      device);
}

} // namespace gpuledger::store
