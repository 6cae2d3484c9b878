// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FactWriter that finds the days on which the ledger may attribute differently after a change: the
// attribution of a day follows from that day's samples and from all of the fleet's records and placements that overlap
// it.
#include "app/store/facts/factwriter.h"

#include "app/store/facts/timecolumns.h"

#include <algorithm>

namespace gpuledger::store {

using base::Day;
using base::Result;
using base::TimeRange;

namespace {

// A shorter gap in a node's record is bridged.
constexpr base::Seconds kBridge{3600};
// A holder's record applies to samples of its name within this distance if nothing better does; and a name stays
// present in a gap of its series of at most this length.
constexpr base::Seconds kRecordReach = base::kDay;
// The same where there are scheduler records: two servers scrape at different moments.
constexpr base::Seconds kScrapeSkew{600};
// True if what was there before continues across what is now an edge, or the reverse: then nothing changes beyond that
// edge.
bool goesOn(const Spans &before, const Spans &after, base::UtcTime edge)
{
    const auto across = [edge](const TimeRange &r) { return r.start < edge && edge < r.end; };
    const auto ends = [edge](const TimeRange &r) { return r.start == edge || r.end == edge; };
    return (std::any_of(before.begin(), before.end(), across) && std::any_of(after.begin(), after.end(), ends))
        || (std::any_of(before.begin(), before.end(), ends) && std::any_of(after.begin(), after.end(), across));
}

} // namespace

bool FactWriter::late(const Spans &changed) const
{
    return m_newest
        && std::any_of(changed.begin(), changed.end(), [&](const TimeRange &r) { return r.start < *m_newest; });
}

// Growth at the end of the fetched data changes nothing that was known before.
bool FactWriter::mayReachBack(const Spans &before, const Spans &after) const
{
    const Spans changed = difference(before, after);
    return late(changed) || std::any_of(changed.begin(), changed.end(), [&](const TimeRange &r) {
               return !goesOn(before, after, r.start);
           });
}

Result<Spans> FactWriter::lifeOf(std::int64_t holder)
{
    Spans all;
    Statement s = m_db.statement("SELECT span_start, span_end FROM holder_span WHERE holder = ?1");
    GPULEDGER_TRY(s.bind(1, holder).each([&] { all.push_back(rangeAt(s, 0)); }));
    return coalesced(std::move(all));
}

Result<void> FactWriter::touchHolderSpans(std::int64_t holder, const Spans &before, const Spans &after,
                                          const Spans &lived)
{
    for (const TimeRange &r : difference(before, after)) {
        touch(r);
        if (m_newHolders.contains(holder)) // no series has had its name yet
            continue;
        if (!goesOn(before, after, r.start))
            GPULEDGER_TRY(touchNamesNear(holder, r.start, {r.start - kRecordReach, r.start}));
        if (!goesOn(before, after, r.end))
            GPULEDGER_TRY(touchNamesNear(holder, r.end, {r.end, r.end + kRecordReach}));
    }
    if (lived.empty())
        return {};
    m_resumed = true;
    const auto lives = lifeOf(holder);
    if (!lives)
        return base::fail(lives.error());
    return touchLife(holder, lived, *lives);
}

// A record places its holder on units for its whole lifetime, including its gaps; a holder that was never seen is
// placed where there is room, the oldest first.
Result<void> FactWriter::touchLife(std::int64_t holder, const Spans &before, const Spans &after)
{
    if (before.empty() || after.empty())
        return {};
    bool changes = false, seen = false;
    Statement s = m_db.statement("SELECT seen_start, seen_end FROM placement WHERE subject <> 0 AND subject IN"
                                 " (SELECT subject FROM holder WHERE id = ?1 UNION ALL"
                                 " SELECT v.id FROM holder h JOIN subject v ON v.base = h.subject WHERE h.id = ?1)");
    GPULEDGER_TRY(s.bind(1, holder).each([&] {
        const Spans stay{rangeAt(s, 0)};
        const bool meets = meet(after, stay);
        changes = changes || meet(before, stay) != meets;
        seen = seen || meets;
    }));
    if (changes || (!seen && before.front().start != after.front().start)) {
        for (const TimeRange &r : after)
            touch(r);
    }
    return {};
}

// The first record of a node removes the billing hour that its devices are paid for after their last sample.
Result<void> FactWriter::touchNodeSpans(std::int64_t node, const Spans &before, const Spans &after)
{
    for (const TimeRange &r : difference(before, after)) {
        touch(r);
        touch(goesOn(before, after, r.start) ? TimeRange{} : TimeRange{r.start - kBridge, r.start});
        touch(goesOn(before, after, r.end) ? TimeRange{} : TimeRange{r.end, r.end + kBridge});
    }
    if (!before.empty() && !after.empty())
        return {};
    return touchQuery("SELECT max(seen_end), max(seen_end) + 3600 FROM placement WHERE device IN"
                      " (SELECT device FROM device_node WHERE node = ?1) GROUP BY device",
                      node);
}

// As the ledger sees it: the records of a cluster's nodes, from the time that the cluster ever had a holder.
Result<void> FactWriter::loadSpokenFor()
{
    Statement s = m_db.statement("SELECT n.cluster, span_start, span_end FROM node_span x JOIN node n ON n.id = x.node"
                                 " JOIN cluster c ON c.id = n.cluster WHERE c.has_holders = 1");
    GPULEDGER_TRY(s.each([&] {
        m_spokenFor[s.integer(0)].push_back({base::fromUnix(s.integer(1)), base::fromUnix(s.integer(2))});
    }));
    for (auto &[cluster, spans] : m_spokenFor)
        spans = coalesced(std::move(spans));
    return {};
}

Spans FactWriter::silent(std::int64_t cluster, const TimeRange &range) const
{
    Spans out{range};
    if (const auto spoken = m_spokenFor.find(cluster); spoken != m_spokenFor.end()) {
        for (const TimeRange &r : spoken->second)
            out = without(out, r);
    }
    return out;
}

// Where series carried the holder's name beyond an edge of its record, or during a gap in it.
Result<void> FactWriter::touchNamesNear(std::int64_t holder, base::UtcTime edge, const TimeRange &beyond)
{
    Spans named;
    std::int64_t cluster = 0;
    Statement s = m_db.statement("SELECT seen_start, seen_end, (SELECT n.cluster FROM holder h JOIN subject s"
                                 " ON s.id = h.subject JOIN namespace n ON n.id = s.namespace WHERE h.id = ?1)"
                                 " FROM placement WHERE subject <> 0 AND subject IN"
                                 " (SELECT subject FROM holder WHERE id = ?1 UNION ALL"
                                 " SELECT v.id FROM holder h JOIN subject v ON v.base = h.subject WHERE h.id = ?1)"
                                 " AND seen_start < ?3 + 86400 AND seen_end > ?2 - 86400");
    s.bind(1, holder).bind(2, base::toUnix(beyond.start)).bind(3, base::toUnix(beyond.end));
    GPULEDGER_TRY(s.each([&] {
        named.push_back(rangeAt(s, 0));
        cluster = s.integer(2);
    }));
    for (const TimeRange &r : named)
        touch(r.intersect(beyond).intersect({edge - kScrapeSkew, edge + kScrapeSkew}));
    for (const TimeRange &r : bridged(std::move(named), kRecordReach)) {
        for (const TimeRange &part : silent(cluster, r.intersect(beyond)))
            touch(part);
    }
    return {};
}

// A holder's attributes affect its whole lifetime, and the time of samples that its record applies to.
Result<void> FactWriter::touchHolder(std::int64_t holder)
{
    const auto lives = lifeOf(holder);
    if (!lives)
        return base::fail(lives.error());
    for (const TimeRange &r : *lives) {
        touch(r);
        GPULEDGER_TRY(touchNamesNear(holder, r.start, {r.start - kRecordReach, r.start}));
        GPULEDGER_TRY(touchNamesNear(holder, r.end, {r.end, r.end + kRecordReach}));
    }
    return {};
}

// Holders whose record names the node.
Result<void> FactWriter::touchHoldersOn(std::int64_t node, const std::string &name)
{
    const auto text = m_names.findText(name);
    if (!text)
        return base::fail(text.error());
    if (!*text)
        return {};
    std::vector<std::int64_t> there;
    Statement s = m_db.statement("SELECT h.id FROM holder h JOIN subject s ON s.id = h.subject"
                                 " JOIN namespace n ON n.id = s.namespace WHERE h.node = ?1"
                                 " AND n.cluster = (SELECT cluster FROM node WHERE id = ?2)");
    GPULEDGER_TRY(s.bind(1, **text).bind(2, node).each([&] { there.push_back(s.integer(0)); }));
    for (const std::int64_t holder : there)
        GPULEDGER_TRY(touchHolder(holder));
    return {};
}

Result<void> FactWriter::touchQuery(std::string_view sql, std::int64_t id)
{
    Statement s = m_db.statement(sql);
    return s.bind(1, id).each([&] { touch({base::fromUnix(s.integer(0)), base::fromUnix(s.integer(1))}); });
}

void FactWriter::touch(const TimeRange &range)
{
    if (!range.empty())
        m_touchedRanges.push_back(range);
}

// Turns the ranges into days, limited to what was ever fetched: a span may claim to last for years.
Result<void> FactWriter::limitTouched()
{
    TimeRange hull;
    Statement s = m_db.statement("SELECT min(hull_start), max(hull_end) FROM sync_state");
    GPULEDGER_TRY(s.each([&] {
        if (s.optionalInteger(0))
            hull = {base::fromUnix(s.integer(0)), base::fromUnix(s.integer(1))};
    }));
    for (TimeRange r : coalesced(std::move(m_touchedRanges))) {
        r = r.intersect(hull);
        for (Day day = base::dayOf(r.start); !r.empty() && day.start() < r.end; ++day.number)
            m_touched.insert(day);
    }
    m_touchedRanges.clear();
    std::erase_if(m_touched, [](Day day) { return day.number < 0; });
    return {};
}

} // namespace gpuledger::store
