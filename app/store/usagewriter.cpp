// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FactWriter that writes usage and placements.
#include "app/store/factwriter.h"

#include <algorithm>
#include <tuple>

namespace gpuledger::store {

using base::Result;
using base::TimeRange;
using model::UsageBucket;
using model::UsageTrack;
using ports::FactBatch;

namespace {

auto trackKey(const UsageTrack &t)
{
    return std::tie(t.gpuInstance, t.subject, t.node, t.role);
}

// Both ascending; what is new wins.
std::vector<UsageBucket> merged(const std::vector<UsageBucket> &stored, const std::vector<UsageBucket> &fresh)
{
    std::vector<UsageBucket> out;
    out.reserve(stored.size() + fresh.size());
    auto s = stored.begin();
    for (const UsageBucket &f : fresh) {
        while (s != stored.end() && s->index < f.index)
            out.push_back(*s++);
        if (s != stored.end() && s->index == f.index)
            ++s;
        out.push_back(f);
    }
    out.insert(out.end(), s, stored.end());
    return out;
}

} // namespace

Result<void> FactWriter::putUsage(const FactBatch &batch)
{
    std::vector<DayPart> parts;
    for (std::size_t i = 0; i < batch.series.size(); ++i) {
        const FactBatch::Series &s = batch.series[i];
        if (s.bucketNumbers.empty())
            continue;
        GPULEDGER_TRY(putPlacement(s));
        for (std::size_t from = 0; from < s.bucketNumbers.size();) {
            const std::int64_t day = s.bucketNumbers[from] / base::kBucketsPerDay;
            const auto end = std::lower_bound(s.bucketNumbers.begin() + static_cast<std::ptrdiff_t>(from),
                                              s.bucketNumbers.end(), (day + 1) * base::kBucketsPerDay);
            const auto to = static_cast<std::size_t>(end - s.bucketNumbers.begin());
            parts.push_back({UsageCodec::rowId({static_cast<std::int32_t>(day)}, {m_devices[s.device]}), i, from, to});
            from = to;
        }
    }
    std::stable_sort(parts.begin(), parts.end(), [](const DayPart &a, const DayPart &b) { return a.rowId < b.rowId; });
    for (auto first = parts.begin(); first != parts.end();) {
        const auto last = std::find_if(first, parts.end(), [&](const DayPart &p) { return p.rowId != first->rowId; });
        GPULEDGER_TRY(putDay(std::span<const DayPart>(first, last), batch));
        first = last;
    }
    return {};
}

Result<void> FactWriter::putDay(std::span<const DayPart> parts, const FactBatch &batch)
{
    const std::int64_t rowId = parts.front().rowId;
    Statement find = m_db.statement("SELECT data FROM usage_day WHERE id = ?1");
    const Result<bool> known = find.bind(1, rowId).step();
    if (!known)
        return base::fail(known.error());
    m_tracks.clear();
    if (*known) {
        auto stored = m_codec.decode(rowId, find.blob(0));
        if (!stored)
            return base::fail(std::move(stored).error().withSource(m_db.file().string()));
        m_tracks = std::move(*stored);
    }
    for (const DayPart &part : parts)
        mergeTrack(batch.series[part.series], part);
    std::sort(m_tracks.begin(), m_tracks.end(),
              [](const UsageTrack &a, const UsageTrack &b) { return trackKey(a) < trackKey(b); });
    const auto blob = m_codec.encode(rowId, m_tracks);
    if (!blob)
        return base::fail(blob.error());
    if (*known && find.blob(0) == *blob)
        return {};
    find.reset();
    Statement put = m_db.statement("INSERT INTO usage_day (id, data) VALUES (?1, ?2)"
                                   " ON CONFLICT (id) DO UPDATE SET data = excluded.data");
    GPULEDGER_TRY(put.bind(1, rowId).bindBlob(2, *blob).run());
    m_touched.insert(UsageCodec::dayOf(rowId));
    return {};
}

void FactWriter::mergeTrack(const FactBatch::Series &series, const DayPart &part)
{
    UsageTrack fresh;
    fresh.gpuInstance = series.gpuInstance;
    fresh.subject.value = series.subject == FactBatch::kNone ? 0 : m_subjects[series.subject];
    fresh.node.value = series.node == FactBatch::kNone ? 0 : m_nodes[series.node];
    fresh.role = series.role;
    fresh.buckets.assign(series.buckets.begin() + static_cast<std::ptrdiff_t>(part.from),
                         series.buckets.begin() + static_cast<std::ptrdiff_t>(part.to));
    for (std::size_t i = 0; i < fresh.buckets.size(); ++i)
        fresh.buckets[i].index = static_cast<std::uint16_t>(series.bucketNumbers[part.from + i] % base::kBucketsPerDay);
    for (UsageTrack &track : m_tracks) {
        if (trackKey(track) == trackKey(fresh)) {
            track.buckets = merged(track.buckets, fresh.buckets);
            return;
        }
    }
    m_tracks.push_back(std::move(fresh));
}

Result<void> FactWriter::putPlacement(const FactBatch::Series &series)
{
    const std::int64_t device = m_devices[series.device];
    const std::int64_t subject = series.subject == FactBatch::kNone ? 0 : m_subjects[series.subject];
    const std::int64_t node = series.node == FactBatch::kNone ? 0 : m_nodes[series.node];
    const auto role = static_cast<std::int64_t>(series.role);
    const TimeRange seen{base::fromUnix(series.bucketNumbers.front() * base::kBucket.count()),
                         base::fromUnix((series.bucketNumbers.back() + 1) * base::kBucket.count())};
    Statement find = m_db.statement("SELECT seen_start, seen_end FROM placement WHERE device = ?1 AND"
                                    " gpu_instance = ?2 AND subject = ?3 AND node = ?4 AND role = ?5");
    TimeRange before;
    find.bind(1, device).bind(2, series.gpuInstance).bind(3, subject).bind(4, node).bind(5, role);
    GPULEDGER_TRY(find.each([&] { before = {base::fromUnix(find.integer(0)), base::fromUnix(find.integer(1))}; }));
    const TimeRange after = hullOf(before, seen);
    if (after == before)
        return {};
    const auto known = seenBefore(device, series.gpuInstance, subject, before);
    if (!known)
        return fail(known.error());
    if (before.empty())
        GPULEDGER_TRY(touchForNewPlacement(device, subject, node));
    Statement put = m_db.statement("INSERT INTO placement (device, gpu_instance, subject, node, role, seen_start,"
                                   " seen_end) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET"
                                   " seen_start = excluded.seen_start, seen_end = excluded.seen_end");
    put.bind(1, device).bind(2, series.gpuInstance).bind(3, subject).bind(4, node).bind(5, role);
    GPULEDGER_TRY(put.bind(6, base::toUnix(after.start)).bind(7, base::toUnix(after.end)).run());
    Spans grown{after};
    for (const TimeRange &r : *known)
        grown = without(grown, r);
    for (const TimeRange &r : grown)
        touch(r);
    return {};
}

// The time for which a placement said what it says before it grew. That nobody held a slice says only that the slice
// was there, which every series of it says as well; holes of less than a day do not end it.
Result<Spans> FactWriter::seenBefore(std::int64_t device, const std::string &gpuInstance, std::int64_t subject,
                                     const TimeRange &own)
{
    if (subject != 0)
        return own.empty() ? Spans{} : Spans{own};
    Spans known;
    Statement all =
        m_db.statement("SELECT seen_start, seen_end FROM placement WHERE device = ?1 AND gpu_instance = ?2");
    GPULEDGER_TRY(all.bind(1, device).bind(2, gpuInstance).each([&] {
        known.push_back({base::fromUnix(all.integer(0)), base::fromUnix(all.integer(1)) + base::kDay});
    }));
    known = coalesced(std::move(known));
    for (TimeRange &r : known)
        r.end -= base::kDay;
    return known;
}

// A placement says where a holder was, also in its times without telemetry; the first one on a node says that the
// device was there for as long as the node; the first one that names somebody says that this exporter names holders.
Result<void> FactWriter::touchForNewPlacement(std::int64_t device, std::int64_t subject, std::int64_t node)
{
    bool onNode = false, named = false;
    Statement known = m_db.statement("SELECT node, subject FROM placement WHERE device = ?1");
    GPULEDGER_TRY(known.bind(1, device).each([&] {
        onNode = onNode || known.integer(0) == node;
        named = named || known.integer(1) != 0;
    }));
    if (!onNode)
        GPULEDGER_TRY(touchQuery("SELECT span_start, span_end FROM node_span WHERE node = ?1", node));
    if (!onNode || (subject != 0 && !named))
        GPULEDGER_TRY(touchDevice(device));
    if (subject == 0)
        return {};
    return touchQuery("SELECT span_start, span_end FROM holder_span WHERE holder IN (SELECT h.id FROM subject s"
                      " JOIN holder h ON h.cluster = s.cluster AND h.namespace = s.namespace AND h.name = s.name"
                      " WHERE s.id = ?1)",
                      subject);
}

Result<void> FactWriter::touchDevice(std::int64_t device)
{
    return touchQuery("SELECT seen_start, seen_end FROM placement WHERE device = ?1 UNION ALL"
                      " SELECT span_start, span_end FROM node_span WHERE node IN"
                      " (SELECT node FROM placement WHERE device = ?1)",
                      device);
}

} // namespace gpuledger::store
