// SPDX-License-Identifier: GPL-3.0-or-later
// What touched.cpp does, for where and when series spoke.
#include "app/store/factwriter.h"

#include <algorithm>

namespace gpuledger::store {

using base::Result;
using base::TimeRange;

namespace {

// A device of a node without records is paid for so long after its last sample.
constexpr base::Seconds kGrace{3600};

TimeRange rangeAt(const Statement &s, int column)
{
    return {base::fromUnix(s.integer(column)), base::fromUnix(s.integer(column + 1))};
}

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
    if (key.subject != 0 && (begins || isLate || m_resumed))
        GPULEDGER_TRY(touchHoldersReached(key.subject, before, after));
    if (begins)
        GPULEDGER_TRY(touchForNewStay(key, before.empty(), after));
    if (isLate)
        GPULEDGER_TRY(touchNeighbours(key));
    return begins || isLate ? touchHoles(key, after) : Result<void>();
}

// A stay that goes on at the end of what was fetched was paid for until its grace ended; in it only the unit's slice
// and, where the scheduler is silent, its name are new.
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

// All the time of those whose records the series reaches now.
Result<void> FactWriter::touchHoldersReached(std::int64_t subject, const Spans &before, const Spans &after)
{
    std::map<std::int64_t, Spans> lives;
    Statement s = m_db.statement("SELECT h.id, span_start, span_end FROM subject s JOIN holder h"
                                 " ON h.cluster = s.cluster AND h.namespace = s.namespace AND h.name = s.name"
                                 " JOIN holder_span x ON x.holder = h.id WHERE s.id = ?1");
    GPULEDGER_TRY(s.bind(1, subject).each([&] { lives[s.integer(0)].push_back(rangeAt(s, 1)); }));
    for (const auto &[holder, records] : lives) {
        if (meet(records, before) == meet(records, after))
            continue;
        for (const TimeRange &r : records)
            touch(r);
    }
    return {};
}

// Pauses of less than a day end neither the presence of a slice, which all its series tell, nor that of a name, which
// counts where the scheduler is silent.
Result<void> FactWriter::touchHoles(const PlacementKey &key, const Spans &after)
{
    Spans ofUnit, ofName;
    Statement s = m_db.statement("SELECT seen_start, seen_end, subject FROM placement"
                                 " WHERE device = ?1 AND gpu_instance = ?2");
    GPULEDGER_TRY(s.bind(1, key.device).bind(2, key.gpuInstance).each([&] {
        ofUnit.push_back(rangeAt(s, 0));
        if (s.integer(2) == key.subject)
            ofName.push_back(rangeAt(s, 0));
    }));
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

// The first stay on a node says that the device was there for as long as the node; one of several nodes ends the stay
// on another; the first one that names somebody says that this exporter names holders; and a device of several units is
// no place for holders that no series names. Without records of its node a device is paid for between its samples.
Result<void> FactWriter::touchForNewStay(const PlacementKey &key, bool first, const Spans &after)
{
    bool onNode = false, elsewhere = false, named = false, onUnit = false;
    std::int64_t units = 0;
    TimeRange seen;
    Statement known =
        m_db.statement("SELECT max(node = ?2), max(node <> ?2), max(subject <> 0), max(gpu_instance = ?3),"
                       " count(DISTINCT gpu_instance), min(seen_start), max(seen_end) FROM placement"
                       " WHERE device = ?1");
    GPULEDGER_TRY(known.bind(1, key.device).bind(2, key.node).bind(3, key.gpuInstance).each([&] {
        onNode = known.integer(0) != 0;
        elsewhere = known.integer(1) != 0;
        named = known.integer(2) != 0;
        onUnit = known.integer(3) != 0;
        units = known.integer(4);
        if (units > 0)
            seen = rangeAt(known, 5);
    }));
    if (!onNode)
        GPULEDGER_TRY(touchQuery("SELECT span_start, span_end FROM node_span WHERE node = ?1", key.node));
    if (units == 0)
        return {};
    const TimeRange now = hullOf(seen, {after.front().start, after.back().end});
    touch({now.start, seen.start});
    touch({seen.end + kGrace, now.end + kGrace});
    const bool rearranged = !onUnit && (units == 1 || key.gpuInstance.empty());
    if (elsewhere || !onNode || rearranged || (first && key.subject != 0 && !named))
        GPULEDGER_TRY(touchDevice(key.device));
    return {};
}

// Of two devices at one position of a node one took the other's place, and which one follows from who was seen when.
Result<void> FactWriter::touchNeighbours(const PlacementKey &key)
{
    Statement s = m_db.statement("SELECT 1 FROM placement p JOIN device o ON o.id = p.device WHERE p.node = ?2"
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
