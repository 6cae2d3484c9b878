// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/factwriter.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace gpuledger::store {

using base::Day;
using base::ErrorCode;
using base::fail;
using base::Result;
using base::TimeRange;
using ports::FactBatch;

namespace {

// A gap of a node's record below this joins its two sides.
constexpr base::Seconds kBridge{3600};
// A holder's record speaks for the samples of its name that lie this close, where nothing better does.
constexpr base::Seconds kRecordReach = base::kDay;
// The same where the scheduler speaks: two servers scrape at different moments.
constexpr base::Seconds kScrapeSkew{600};

} // namespace

Result<void> FactWriter::write(const std::string &source, const FactBatch &batch)
{
    GPULEDGER_TRY(check(batch));
    collectEvidence(batch);
    GPULEDGER_TRY(putSource(source, base::toUnix(batch.covered.end)));
    GPULEDGER_TRY(putNodes(batch));
    GPULEDGER_TRY(putDevices(batch));
    GPULEDGER_TRY(putSubjects(batch));
    GPULEDGER_TRY(putHolders(batch));
    GPULEDGER_TRY(putAllSpans(batch));
    GPULEDGER_TRY(putUsage(batch));
    return putCovered(batch);
}

Result<void> FactWriter::check(const FactBatch &batch) const
{
    const auto refuse = [](const char *what) {
        return fail(ErrorCode::InvalidArgument, std::string("a batch of facts ") + what);
    };
    constexpr std::int64_t kLastBucket = std::int64_t{1} << 32;
    for (const FactBatch::Series &s : batch.series) {
        if (s.device >= batch.devices.size() || (s.subject != FactBatch::kNone && s.subject >= batch.subjects.size())
            || (s.node != FactBatch::kNone && s.node >= batch.nodes.size()))
            return refuse("has a series that points nowhere");
        if (s.bucketNumbers.size() != s.buckets.size())
            return refuse("has a series with more bucket numbers than buckets, or fewer");
        if (!std::is_sorted(s.bucketNumbers.begin(), s.bucketNumbers.end(), std::less_equal<>()))
            return refuse("has a series whose buckets do not ascend");
        if (!s.bucketNumbers.empty() && (s.bucketNumbers.front() < 0 || s.bucketNumbers.back() > kLastBucket))
            return refuse("has a bucket before 1970 or too far ahead");
    }
    for (const FactBatch::NodeSpan &s : batch.nodeSpans) {
        if (s.node >= batch.nodes.size())
            return refuse("has a span of a node that it does not list");
    }
    for (const FactBatch::HolderSpan &s : batch.holderSpans) {
        if (s.holder >= batch.holders.size())
            return refuse("has a span of a holder that it does not list");
    }
    return {};
}

// Attributes are as new as the latest thing that the batch says about their bearer, so that the newest win in whatever
// order and size the batches come.
void FactWriter::collectEvidence(const FactBatch &batch)
{
    constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();
    m_nodeAsOf.assign(batch.nodes.size(), kNothing);
    m_deviceAsOf.assign(batch.devices.size(), kNothing);
    m_holderAsOf.assign(batch.holders.size(), kNothing);
    const auto raise = [](std::int64_t &at, std::int64_t to) { at = std::max(at, to); };
    for (const FactBatch::Series &s : batch.series) {
        if (s.bucketNumbers.empty())
            continue;
        const std::int64_t end = (s.bucketNumbers.back() + 1) * base::kBucket.count();
        raise(m_deviceAsOf[s.device], end);
        if (s.node != FactBatch::kNone)
            raise(m_nodeAsOf[s.node], end);
    }
    for (const FactBatch::NodeSpan &s : batch.nodeSpans)
        raise(m_nodeAsOf[s.node], base::toUnix(s.range.end));
    for (const FactBatch::HolderSpan &s : batch.holderSpans)
        raise(m_holderAsOf[s.holder], base::toUnix(s.range.end));
    for (auto *list : {&m_nodeAsOf, &m_deviceAsOf, &m_holderAsOf})
        std::replace(list->begin(), list->end(), kNothing, base::toUnix(batch.covered.end));
}

Result<void> FactWriter::putSource(const std::string &name, std::int64_t coveredEnd)
{
    Statement add = m_db.statement("INSERT INTO source (name) VALUES (?1) ON CONFLICT DO NOTHING");
    GPULEDGER_TRY(add.bind(1, name).run());
    Statement find = m_db.statement("SELECT id FROM source WHERE name = ?1");
    GPULEDGER_TRY(find.bind(1, name).each([&] { m_source = find.integer(0); }));
    Statement newest = m_db.statement("SELECT max(hull_end) FROM sync_state");
    GPULEDGER_TRY(newest.each([&] { m_late = newest.optionalInteger(0).value_or(0) > coveredEnd; }));
    Statement state = m_db.statement("INSERT INTO sync_state (source) VALUES (?1) ON CONFLICT DO NOTHING");
    return state.bind(1, m_source).run();
}

struct FactWriter::SpanTable {
    std::string_view load, remove, add;
    bool ofHolders = false;
};

Result<void> FactWriter::putAllSpans(const FactBatch &batch)
{
    static constexpr SpanTable kNodeSpans{
        "SELECT node, span_start, span_end FROM node_span WHERE span_end >= ?1 AND span_start <= ?2 AND source = ?3",
        "DELETE FROM node_span WHERE node = ?1 AND source = ?2 AND span_start = ?3",
        "INSERT INTO node_span (node, source, span_start, span_end) VALUES (?1, ?2, ?3, ?4)"};
    static constexpr SpanTable kHolderSpans{
        "SELECT holder, span_start, span_end FROM holder_span"
        " WHERE span_end >= ?1 AND span_start <= ?2 AND source = ?3",
        "DELETE FROM holder_span WHERE holder = ?1 AND source = ?2 AND span_start = ?3",
        "INSERT INTO holder_span (holder, source, span_start, span_end) VALUES (?1, ?2, ?3, ?4)", true};
    SpanMap nodes, holders;
    for (const FactBatch::NodeSpan &s : batch.nodeSpans)
        nodes[m_nodes[s.node]].push_back(s.range);
    for (const FactBatch::HolderSpan &s : batch.holderSpans)
        holders[m_holders[s.holder]].push_back(s.range);
    GPULEDGER_TRY(putSpans(kNodeSpans, nodes, batch));
    GPULEDGER_TRY(loadSpokenFor());
    return putSpans(kHolderSpans, holders, batch);
}

// What this source said about the covered time is replaced; what it said about other times stays, and the two are
// joined where they meet.
Result<void> FactWriter::putSpans(const SpanTable &table, const SpanMap &said, const FactBatch &batch)
{
    TimeRange hull = batch.covered;
    for (const auto &[id, spans] : said) {
        for (const TimeRange &r : spans)
            hull = hullOf(hull, r);
    }
    if (hull.empty())
        return {};
    auto before = loadSpans(table, hull);
    if (!before)
        return fail(std::move(before).error());
    SpanMap after = said;
    for (const auto &[id, spans] : *before) {
        const Spans kept = batch.complete ? without(spans, batch.covered) : spans;
        after[id].insert(after[id].end(), kept.begin(), kept.end());
    }
    for (auto &[id, spans] : after) {
        spans = coalesced(std::move(spans));
        GPULEDGER_TRY(replaceSpans(table, id, (*before)[id], spans));
    }
    if (table.ofHolders)
        m_holderSpansBefore = std::move(*before);
    return {};
}

Result<FactWriter::SpanMap> FactWriter::loadSpans(const SpanTable &table, const TimeRange &range)
{
    SpanMap spans;
    Statement s = m_db.statement(table.load);
    s.bind(1, base::toUnix(range.start)).bind(2, base::toUnix(range.end)).bind(3, m_source);
    GPULEDGER_TRY(s.each([&] {
        spans[s.integer(0)].push_back({base::fromUnix(s.integer(1)), base::fromUnix(s.integer(2))});
    }));
    for (auto &[id, list] : spans)
        list = coalesced(std::move(list));
    return spans;
}

Result<void> FactWriter::replaceSpans(const SpanTable &table, std::int64_t id, const Spans &before, const Spans &after)
{
    if (before == after)
        return {};
    const auto in = [](const Spans &list, const TimeRange &r) {
        return std::find(list.begin(), list.end(), r) != list.end();
    };
    Statement remove = m_db.statement(table.remove);
    for (const TimeRange &r : before) {
        if (!in(after, r))
            GPULEDGER_TRY(remove.bind(1, id).bind(2, m_source).bind(3, base::toUnix(r.start)).run());
    }
    Statement add = m_db.statement(table.add);
    for (const TimeRange &r : after) {
        if (in(before, r))
            continue;
        add.bind(1, id).bind(2, m_source).bind(3, base::toUnix(r.start)).bind(4, base::toUnix(r.end));
        GPULEDGER_TRY(add.run());
    }
    // Beyond its own time a change matters where the range ends in it: one that goes on in both sets changes nothing
    // there.
    if (table.ofHolders && m_late && !before.empty())
        GPULEDGER_TRY(touchIfPlacedNow(id, before, after));
    const auto goesOn = [&](base::UtcTime edge) {
        const auto across = [edge](const TimeRange &r) { return r.start < edge && edge < r.end; };
        const auto ends = [edge](const TimeRange &r) { return r.start == edge || r.end == edge; };
        return (std::any_of(before.begin(), before.end(), across) && std::any_of(after.begin(), after.end(), ends))
            || (std::any_of(before.begin(), before.end(), ends) && std::any_of(after.begin(), after.end(), across));
    };
    for (const TimeRange &r : difference(before, after)) {
        touch(r);
        if (table.ofHolders) {
            if (!goesOn(r.start))
                GPULEDGER_TRY(touchNamesNear(id, r.start, {r.start - kRecordReach, r.start}));
            if (!goesOn(r.end))
                GPULEDGER_TRY(touchNamesNear(id, r.end, {r.end, r.end + kRecordReach}));
        } else {
            touch(goesOn(r.start) ? TimeRange{} : TimeRange{r.start - kBridge, r.start});
            touch(goesOn(r.end) ? TimeRange{} : TimeRange{r.end, r.end + kBridge});
        }
    }
    return {};
}

// As the ledger sees it: the records of a cluster's nodes, once it ever named a holder.
Result<void> FactWriter::loadSpokenFor()
{
    Statement s = m_db.statement("SELECT n.cluster, span_start, span_end FROM node_span x JOIN node n ON n.id = x.node"
                                 " WHERE EXISTS (SELECT 1 FROM holder h WHERE h.cluster = n.cluster)");
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

// A holder is on every unit on which its name was seen in its time, also where it was silent.
Result<void> FactWriter::touchIfPlacedNow(std::int64_t holder, const Spans &before, const Spans &after)
{
    bool placed = false;
    Statement s = m_db.statement("SELECT p.seen_start, p.seen_end FROM holder h JOIN subject s ON s.cluster = h.cluster"
                                 " AND s.namespace = h.namespace AND s.name = h.name"
                                 " JOIN placement p ON p.subject = s.id WHERE h.id = ?1");
    GPULEDGER_TRY(s.bind(1, holder).each([&] {
        const TimeRange near{base::fromUnix(s.integer(0)) - base::kBucket,
                             base::fromUnix(s.integer(1)) + base::kBucket};
        const auto touches = [&](const Spans &list) {
            return std::any_of(list.begin(), list.end(),
                               [&](const TimeRange &r) { return r.start < near.end && near.start < r.end; });
        };
        placed = placed || touches(before) != touches(after);
    }));
    if (placed) {
        for (const Spans *list : {&before, &after}) {
            for (const TimeRange &r : *list)
                touch(r);
        }
    }
    return {};
}

// Where series carried the holder's name beyond an edge of its record.
Result<void> FactWriter::touchNamesNear(std::int64_t holder, base::UtcTime edge, const TimeRange &beyond)
{
    Statement s = m_db.statement("SELECT max(p.seen_start, ?2), min(p.seen_end, ?3), h.cluster FROM holder h"
                                 " JOIN subject s ON s.cluster = h.cluster AND s.namespace = h.namespace"
                                 " AND s.name = h.name JOIN placement p ON p.subject = s.id"
                                 " WHERE h.id = ?1 AND p.seen_start < ?3 AND p.seen_end > ?2");
    s.bind(1, holder).bind(2, base::toUnix(beyond.start)).bind(3, base::toUnix(beyond.end));
    return s.each([&] {
        const TimeRange named{base::fromUnix(s.integer(0)), base::fromUnix(s.integer(1))};
        touch(named.intersect({edge - kScrapeSkew, edge + kScrapeSkew}));
        for (const TimeRange &r : silent(s.integer(2), named))
            touch(r);
    });
}

Result<bool> FactWriter::holdersKnown(std::int64_t cluster)
{
    Statement s = m_db.statement("SELECT 1 FROM holder WHERE cluster = ?1 LIMIT 1");
    return s.bind(1, cluster).step();
}

Result<void> FactWriter::putCovered(const FactBatch &batch)
{
    if (batch.covered.empty())
        return limitTouched();
    if (batch.complete)
        GPULEDGER_TRY(putCoveredRange(batch.covered));
    TimeRange before;
    Statement old = m_db.statement("SELECT min(hull_start), max(hull_end) FROM sync_state");
    GPULEDGER_TRY(old.each([&] {
        if (old.optionalInteger(0))
            before = {base::fromUnix(old.integer(0)), base::fromUnix(old.integer(1))};
    }));
    Statement s = m_db.statement("UPDATE sync_state SET hull_start = min(ifnull(hull_start, ?2), ?2),"
                                 " hull_end = max(ifnull(hull_end, ?3), ?3) WHERE source = ?1"
                                 " AND (hull_start IS NULL OR hull_start > ?2 OR hull_end < ?3)");
    s.bind(1, m_source).bind(2, base::toUnix(batch.covered.start)).bind(3, base::toUnix(batch.covered.end));
    GPULEDGER_TRY(s.run());
    const TimeRange after = hullOf(before, batch.covered);
    for (const TimeRange &grown : without({after}, before))
        touch(grown);
    return limitTouched();
}

Result<void> FactWriter::putCoveredRange(const TimeRange &covered)
{
    Spans before;
    Statement load = m_db.statement("SELECT range_start, range_end FROM sync_range WHERE source = ?1");
    GPULEDGER_TRY(load.bind(1, m_source).each([&] {
        before.push_back({base::fromUnix(load.integer(0)), base::fromUnix(load.integer(1))});
    }));
    Spans after = before;
    after.push_back(covered);
    after = coalesced(std::move(after));
    if (after == before)
        return {};
    Statement clear = m_db.statement("DELETE FROM sync_range WHERE source = ?1");
    GPULEDGER_TRY(clear.bind(1, m_source).run());
    Statement add = m_db.statement("INSERT INTO sync_range (source, range_start, range_end) VALUES (?1, ?2, ?3)");
    for (const TimeRange &r : after)
        GPULEDGER_TRY(add.bind(1, m_source).bind(2, base::toUnix(r.start)).bind(3, base::toUnix(r.end)).run());
    return {};
}

Result<void> FactWriter::touchQuery(std::string_view sql, std::int64_t id, const TimeRange &range)
{
    Statement s = m_db.statement(sql);
    if (!range.empty())
        s.bind(2, base::toUnix(range.start)).bind(3, base::toUnix(range.end));
    return s.bind(1, id).each([&] { touch({base::fromUnix(s.integer(0)), base::fromUnix(s.integer(1))}); });
}

void FactWriter::touch(const TimeRange &range)
{
    if (!range.empty())
        m_touchedRanges.push_back(range);
}

// Turns the ranges into days, within what was ever fetched: a span may claim to last for years.
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
