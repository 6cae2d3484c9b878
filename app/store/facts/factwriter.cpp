// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/facts/factwriter.h"

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

Result<void> FactWriter::write(const std::string &source, const FactBatch &batch)
{
    GPULEDGER_TRY(check(batch));
    collectEvidence(batch);
    GPULEDGER_TRY(putSource(source));
    GPULEDGER_TRY(loadSpokenFor());
    GPULEDGER_TRY(putNodes(batch));
    GPULEDGER_TRY(putDevices(batch));
    GPULEDGER_TRY(putSubjects(batch));
    GPULEDGER_TRY(putHolders(batch));
    GPULEDGER_TRY(putAllSpans(batch));
    GPULEDGER_TRY(putUsage(batch));
    GPULEDGER_TRY(touchListed());
    GPULEDGER_TRY(putSignals(batch));
    GPULEDGER_TRY(putWaiting(batch));
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
            return refuse("has a series that refers to nothing");
        if (s.bucketNumbers.size() != s.buckets.size())
            return refuse("has a series whose numbers of buckets and values differ");
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
    if (!std::all_of(batch.signals.begin(), batch.signals.end(),
                     [&](const FactBatch::Signal &s) { return isSound(s, batch); }))
        return refuse("has a signal that refers to nothing, or an hour or value out of range");
    if (!std::all_of(batch.waits.begin(), batch.waits.end(), [](const model::PastWait &w) { return isSound(w); }))
        return refuse("has a waiting pod without a name, a request or a time");
    return {};
}

// Attributes are as recent as the latest evidence in the batch about their object, so that the newest win regardless of
// the order and size of batches.
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

Result<void> FactWriter::putSource(const std::string &name)
{
    Statement add = m_db.statement("INSERT INTO source (name) VALUES (?1) ON CONFLICT DO NOTHING");
    GPULEDGER_TRY(add.bind(1, name).run());
    Statement find = m_db.statement("SELECT id FROM source WHERE name = ?1");
    GPULEDGER_TRY(find.bind(1, name).each([&] { m_source = find.integer(0); }));
    Statement newest = m_db.statement("SELECT max(hull_end) FROM sync_state");
    GPULEDGER_TRY(newest.each([&] {
        if (newest.optionalInteger(0))
            m_newest = base::fromUnix(newest.integer(0));
    }));
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

// What this source reported for the covered time is replaced; what it reported for other times stays, and the two are
// merged where they meet.
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
    Spans lived; // all that is known of the holder, where it can matter
    if (table.ofHolders && !m_newHolders.contains(id) && mayReachBack(before, after)) {
        auto known = lifeOf(id);
        if (!known)
            return fail(std::move(known).error());
        lived = std::move(*known);
    }
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
    return table.ofHolders ? touchHolderSpans(id, before, after, lived) : touchNodeSpans(id, before, after);
}

Result<void> FactWriter::putCovered(const FactBatch &batch)
{
    if (batch.covered.empty())
        return limitTouched();
    if (batch.complete)
        GPULEDGER_TRY(putFetched(batch.fetched.value_or(batch.covered)));
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

Result<Spans> FactWriter::fetched()
{
    Spans spans;
    Statement load =
        m_db.statement("SELECT range_start, range_end FROM sync_range WHERE source = ?1 ORDER BY range_start");
    GPULEDGER_TRY(load.bind(1, m_source).each([&] {
        spans.push_back({base::fromUnix(load.integer(0)), base::fromUnix(load.integer(1))});
    }));
    return spans;
}

Result<void> FactWriter::replaceFetched(const Spans &after)
{
    Statement clear = m_db.statement("DELETE FROM sync_range WHERE source = ?1");
    GPULEDGER_TRY(clear.bind(1, m_source).run());
    Statement add = m_db.statement("INSERT INTO sync_range (source, range_start, range_end) VALUES (?1, ?2, ?3)");
    for (const TimeRange &r : after)
        GPULEDGER_TRY(add.bind(1, m_source).bind(2, base::toUnix(r.start)).bind(3, base::toUnix(r.end)).run());
    return {};
}

Result<void> FactWriter::putFetched(const TimeRange &range)
{
    const auto before = fetched();
    GPULEDGER_TRY(before);
    Spans after = *before;
    after.push_back(range);
    after = coalesced(std::move(after));
    return after == *before ? Result<void>() : replaceFetched(after);
}

// The newest sample of any source: which source reported which usage is not stored.
Result<std::optional<base::UtcTime>> FactWriter::newestSample()
{
    std::optional<base::UtcTime> newest;
    Statement s = m_db.statement("SELECT max(seen_end) FROM placement UNION ALL SELECT max(span_end) FROM node_span"
                                 " UNION ALL SELECT max(span_end) FROM holder_span");
    GPULEDGER_TRY(s.each([&] {
        if (s.optionalInteger(0))
            newest = std::max(newest.value_or(base::UtcTime{}), base::fromUnix(s.integer(0)));
    }));
    return newest;
}

Result<void> FactWriter::mend(const std::string &source, base::UtcTime now)
{
    GPULEDGER_TRY(putSource(source));
    const auto newest = newestSample();
    GPULEDGER_TRY(newest);
    const base::UtcTime last = newest->value_or(base::UtcTime{});
    const auto before = fetched();
    GPULEDGER_TRY(before);
    Spans after = *before;
    for (TimeRange &r : after)
        r.end = std::min(r.end, std::max(r.start, base::ceilTo(last, base::kBucket)));
    after = coalesced(std::move(after));
    if (after != *before)
        GPULEDGER_TRY(replaceFetched(after));
    return mendHull(std::max(last, now));
}

// A clock that was ahead caused a request for a time in the future.
Result<void> FactWriter::mendHull(base::UtcTime latest)
{
    const base::UtcTime end = base::ceilTo(latest, base::kBucket);
    std::optional<base::UtcTime> was;
    Statement load = m_db.statement("SELECT hull_end FROM sync_state WHERE source = ?1 AND hull_end > ?2");
    GPULEDGER_TRY(
        load.bind(1, m_source).bind(2, base::toUnix(end)).each([&] { was = base::fromUnix(load.integer(0)); }));
    if (!was)
        return {};
    Statement put = m_db.statement("UPDATE sync_state SET hull_start = min(hull_start, ?2), hull_end = ?2"
                                   " WHERE source = ?1");
    GPULEDGER_TRY(put.bind(1, m_source).bind(2, base::toUnix(end)).run());
    for (Day day = base::dayOf(end); day.start() < *was; ++day.number)
        m_touched.insert(day);
    return {};
}

} // namespace gpuledger::store
