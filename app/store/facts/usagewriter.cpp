// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FactWriter that writes usage and placements.
#include "app/store/facts/factwriter.h"

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

// New values win, but an absent reading does not remove an existing one: a server that lost part of its data answers
// like that.
UsageBucket fuller(const UsageBucket &stored, UsageBucket fresh)
{
    const auto keep = [](auto known, auto &said, auto unknown) {
        if (said == unknown)
            said = known;
    };
    if (fresh.activity == model::kNoShare && fresh.observed == 0) {
        fresh.activity = stored.activity;
        fresh.observed = stored.observed;
        fresh.signal = stored.signal;
    }
    keep(stored.smActive, fresh.smActive, model::kNoShare);
    keep(stored.tensorActive, fresh.tensorActive, model::kNoShare);
    keep(stored.memoryMeanMib, fresh.memoryMeanMib, model::kNoMemory);
    keep(stored.memoryMaxMib, fresh.memoryMaxMib, model::kNoMemory);
    keep(stored.powerDeciwatt, fresh.powerDeciwatt, model::kNoPower);
    return fresh;
}

// Both ascending.
std::vector<UsageBucket> merged(const std::vector<UsageBucket> &stored, const std::vector<UsageBucket> &fresh)
{
    std::vector<UsageBucket> out;
    out.reserve(stored.size() + fresh.size());
    auto s = stored.begin();
    for (const UsageBucket &f : fresh) {
        while (s != stored.end() && s->index < f.index)
            out.push_back(*s++);
        const bool known = s != stored.end() && s->index == f.index;
        out.push_back(known ? fuller(*s, f) : f);
        s += known ? 1 : 0;
    }
    out.insert(out.end(), s, stored.end());
    return out;
}

// A series with a longer gap starts a new stay.
constexpr base::Seconds kStayGap{3600};

// The times at which a series reports.
Spans stretchesOf(const FactBatch::Series &series)
{
    const std::int64_t gap = kStayGap / base::kBucket;
    Spans out;
    if (series.role == model::SeriesRole::Listed) {
        const std::int64_t bucket = base::kBucket.count();
        return {{base::fromUnix(series.bucketNumbers.front() * bucket),
                 base::fromUnix((series.bucketNumbers.back() + 1) * bucket)}};
    }
    for (std::size_t i = 0; i < series.bucketNumbers.size(); ++i) {
        const std::int64_t number = series.bucketNumbers[i];
        const base::UtcTime end = base::fromUnix((number + 1) * base::kBucket.count());
        if (i == 0 || number > series.bucketNumbers[i - 1] + 1 + gap)
            out.push_back({end - base::kBucket, end});
        out.back().end = end;
    }
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
        GPULEDGER_TRY(putPlacement(s, batch));
        if (s.role == model::SeriesRole::Listed)
            continue; // no reading
        for (std::size_t from = 0; from < s.bucketNumbers.size();) {
            const std::int64_t day = s.bucketNumbers[from] / base::kBucketsPerDay;
            const auto end = std::lower_bound(s.bucketNumbers.begin() + static_cast<std::ptrdiff_t>(from),
                                              s.bucketNumbers.end(), (day + 1) * base::kBucketsPerDay);
            const auto to = static_cast<std::size_t>(end - s.bucketNumbers.begin());
            parts.push_back({UsageCodec::rowId({static_cast<std::int32_t>(day)}, {m_devices[s.device]}), i, from, to});
            from = to;
        }
    }
    GPULEDGER_TRY(touchFirstNamed());
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
    const std::string_view blob = m_codec.encode(rowId, m_tracks);
    if (*known && find.blob(0) == blob)
        return {};
    find.reset();
    Statement put = m_db.statement("INSERT INTO usage_day (id, data) VALUES (?1, ?2)"
                                   " ON CONFLICT (id) DO UPDATE SET data = excluded.data");
    GPULEDGER_TRY(put.bind(1, rowId).bindBlob(2, blob).run());
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

Result<void> FactWriter::putPlacement(const FactBatch::Series &series, const FactBatch &batch)
{
    const auto cluster = clusterId(batch.devices[series.device].cluster);
    if (!cluster)
        return fail(cluster.error());
    const PlacementKey key{m_devices[series.device],
                           series.gpuInstance,
                           series.subject == FactBatch::kNone ? 0 : m_subjects[series.subject],
                           series.node == FactBatch::kNone ? 0 : m_nodes[series.node],
                           static_cast<std::int64_t>(series.role),
                           *cluster,
                           series.subject != FactBatch::kNone && m_subjectIsNew[series.subject] != 0};
    const auto before = storedPlacement(key);
    if (!before)
        return fail(before.error());
    Spans after = *before;
    for (const TimeRange &stretch : stretchesOf(series))
        after.push_back(stretch);
    after = bridged(std::move(after), kStayGap);
    if (after == *before)
        return {};
    if (before->empty() && series.subject != FactBatch::kNone
        && batch.subjects[series.subject].kind == model::SubjectKind::Machine)
        m_machineNames.insert(batch.subjects[series.subject].name);
    GPULEDGER_TRY(touchPlacement(key, *before, after));
    const auto known = whereaboutsOf(key.device);
    if (!known)
        return fail(known.error());
    auto &nodes = (*known)->nodes;
    if (std::find(nodes.begin(), nodes.end(), key.node) == nodes.end()) {
        Statement there =
            m_db.statement("INSERT INTO device_node (node, device) VALUES (?1, ?2) ON CONFLICT DO NOTHING");
        GPULEDGER_TRY(there.bind(1, key.node).bind(2, key.device).run());
    }
    for (const TimeRange &r : after)
        (*known)->add(key.node, key.gpuInstance, key.subject != 0, r);
    return replacePlacement(key, *before, after);
}

void FactWriter::Whereabouts::add(std::int64_t node, const std::string &instance, bool isNamed, const TimeRange &range)
{
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end())
        nodes.push_back(node);
    if (std::find(instances.begin(), instances.end(), instance) == instances.end())
        instances.push_back(instance);
    named = named || isNamed;
    seen = hullOf(seen, range);
}

Result<FactWriter::Whereabouts *> FactWriter::whereaboutsOf(std::int64_t device)
{
    const auto [known, isNew] = m_whereabouts.try_emplace(device);
    Whereabouts &all = known->second;
    if (!isNew)
        return &all;
    Statement s =
        m_db.statement("SELECT node, gpu_instance, subject, seen_start, seen_end FROM placement WHERE device = ?1");
    GPULEDGER_TRY(s.bind(1, device).each([&] {
        all.add(s.integer(0), s.text(1), s.integer(2) != 0,
                {base::fromUnix(s.integer(3)), base::fromUnix(s.integer(4))});
    }));
    return &all;
}

Result<Spans> FactWriter::storedPlacement(const PlacementKey &key)
{
    Spans spans;
    if (key.newName && m_newStays.emplace(key.device, key.subject).second)
        return spans;
    Statement s = m_db.statement("SELECT seen_start, seen_end FROM placement WHERE device = ?1 AND gpu_instance = ?2"
                                 " AND subject = ?3 AND node = ?4 AND role = ?5 ORDER BY seen_start");
    s.bind(1, key.device).bind(2, key.gpuInstance).bind(3, key.subject).bind(4, key.node).bind(5, key.role);
    GPULEDGER_TRY(s.each([&] { spans.push_back({base::fromUnix(s.integer(0)), base::fromUnix(s.integer(1))}); }));
    return spans;
}

Result<void> FactWriter::replacePlacement(const PlacementKey &key, const Spans &before, const Spans &after)
{
    const auto starts = [](const Spans &list, const TimeRange &r) {
        return std::any_of(list.begin(), list.end(), [&](const TimeRange &other) { return other.start == r.start; });
    };
    Statement remove = m_db.statement("DELETE FROM placement WHERE device = ?1 AND gpu_instance = ?2 AND subject = ?3"
                                      " AND node = ?4 AND role = ?5 AND seen_start = ?6");
    Statement put = m_db.statement("INSERT INTO placement (device, gpu_instance, subject, node, role, seen_start,"
                                   " seen_end) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
                                   " ON CONFLICT DO UPDATE SET seen_end = excluded.seen_end");
    for (Statement *s : {&remove, &put})
        s->bind(1, key.device).bind(2, key.gpuInstance).bind(3, key.subject).bind(4, key.node).bind(5, key.role);
    for (const TimeRange &r : before) {
        if (!starts(after, r))
            GPULEDGER_TRY(remove.bind(6, base::toUnix(r.start)).run());
    }
    for (const TimeRange &r : after) {
        if (std::find(before.begin(), before.end(), r) == before.end())
            GPULEDGER_TRY(put.bind(6, base::toUnix(r.start)).bind(7, base::toUnix(r.end)).run());
    }
    return {};
}

} // namespace gpuledger::store
