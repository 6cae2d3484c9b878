// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/snapshot/factreadersql.h"

#include "app/store/bills/allocationrows.h"
#include "app/store/codecs/labeltext.h"
#include "app/store/facts/holdercolumns.h"
#include "app/store/facts/spans.h"
#include "app/store/facts/timecolumns.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace gpuledger::store {

using base::fail;
using base::Result;
using base::TimeRange;

namespace {

// Rows (id, start, end) ascending by id and start; several sources may have reported the same span.
template <typename Span, typename Key>
Result<std::vector<Span>> mergedSpans(Statement &s, const TimeRange &range, Key Span::*key)
{
    const auto [from, to] = boundsOf(range);
    std::vector<Span> all;
    GPULEDGER_TRY(s.bind(1, from).bind(2, to).each([&] {
        const Key id{s.integer(0)};
        const TimeRange r = rangeAt(s, 1);
        if (!all.empty() && all.back().*key == id && r.start <= all.back().range.end)
            all.back().range.end = std::max(all.back().range.end, r.end);
        else
            all.push_back(Span{id, r});
    }));
    return all;
}

Placement placementAt(const Statement &s)
{
    return {base::DeviceId{s.integer(0)},
            s.text(1),
            base::SubjectId{s.integer(2)},
            base::NodeId{s.integer(3)},
            static_cast<model::SeriesRole>(s.integer(4)),
            rangeAt(s, 5)};
}

Result<std::vector<model::Node>> nodesBy(Statement s)
{
    std::vector<model::Node> all;
    GPULEDGER_TRY(s.each([&] {
        model::Node &n = all.emplace_back();
        n.id.value = s.integer(0);
        n.cluster = s.text(1);
        n.name = s.text(2);
        n.labels = fromJsonText<std::string>(s.text(3));
        n.providerId = s.text(4);
        n.instanceType = s.text(5);
        n.cloud = s.text(6);
        n.region = s.text(7);
        n.zone = s.text(8);
        n.gpuCapacity = s.integer(9);
        n.sharedGpus = s.integer(10) != 0;
    }));
    return all;
}

} // namespace

Result<std::vector<model::Node>> FactReaderSql::nodes()
{
    return nodesBy(
        m_db.statement("SELECT n.id, c.name, n.name, labels, provider_id, instance_type, cloud, region, zone,"
                       " gpu_capacity, shared_gpus FROM node n JOIN cluster c ON c.id = n.cluster"
                       " ORDER BY n.id"));
}

Result<std::vector<model::Node>> FactReaderSql::nodesWithoutLabels()
{
    return nodesBy(m_db.statement("SELECT n.id, c.name, n.name, NULL, provider_id, instance_type, cloud, region, zone,"
                                  " gpu_capacity, shared_gpus FROM node n JOIN cluster c ON c.id = n.cluster"
                                  " ORDER BY n.id"));
}

Result<std::vector<model::Device>> FactReaderSql::devices()
{
    std::vector<model::Device> all;
    Statement s = m_db.statement("SELECT d.id, c.name, uuid, model, vendor, position, memory_mib"
                                 " FROM device d JOIN cluster c ON c.id = d.cluster ORDER BY d.id");
    GPULEDGER_TRY(s.each([&] {
        model::Device &d = all.emplace_back();
        d.id.value = s.integer(0);
        d.cluster = s.text(1);
        d.uuid = s.text(2);
        d.model = s.text(3);
        d.vendor = s.text(4);
        d.index = static_cast<int>(s.integer(5));
        d.memoryMib = s.integer(6);
    }));
    Statement m = m_db.statement("SELECT device, gpu_instance, profile, part, whole FROM mig_slice"
                                 " ORDER BY device, gpu_instance");
    auto device = all.begin();
    GPULEDGER_TRY(m.each([&] {
        while (device != all.end() && device->id.value < m.integer(0))
            ++device;
        if (device != all.end() && device->id.value == m.integer(0))
            device->slices.push_back({m.text(1), m.text(2), {m.integer(3), m.integer(4)}});
    }));
    return all;
}

Result<std::vector<ClusterSize>> FactReaderSql::clusterSizes()
{
    std::vector<ClusterSize> all;
    Statement s = m_db.statement("SELECT name, (SELECT count(*) FROM device d WHERE d.cluster = c.id),"
                                 " (SELECT count(*) FROM node n WHERE n.cluster = c.id) FROM cluster c ORDER BY name");
    GPULEDGER_TRY(s.each([&] {
        if (s.integer(1) > 0 || s.integer(2) > 0)
            all.push_back({s.text(0), s.integer(1), s.integer(2)});
    }));
    return all;
}

Result<std::vector<model::Subject>> FactReaderSql::subjects()
{
    std::vector<model::Subject> all;
    GPULEDGER_TRY(eachSubject([&](model::Subject &subject) -> Result<void> {
        all.push_back(std::move(subject));
        return {};
    }));
    return all;
}
Result<std::vector<HolderSpan>> FactReaderSql::holderSpans(TimeRange range)
{
    Statement s = m_db.statement("SELECT holder, span_start, span_end FROM holder_span"
                                 " WHERE holder IN (SELECT holder FROM holder_span"
                                 " WHERE span_end > ?1 AND span_start < ?2) ORDER BY holder, span_start");
    return mergedSpans<HolderSpan>(s, range, &HolderSpan::holder);
}

Result<std::vector<std::string>> FactReaderSql::clustersWithHolders()
{
    std::vector<std::string> all;
    Statement s = m_db.statement("SELECT name FROM cluster WHERE has_holders = 1 ORDER BY name");
    GPULEDGER_TRY(s.each([&] { all.push_back(s.text(0)); }));
    return all;
}

Result<std::vector<NodeSpan>> FactReaderSql::nodeSpans(TimeRange range)
{
    Statement s = m_db.statement("SELECT node, span_start, span_end FROM node_span"
                                 " WHERE node IN (SELECT node FROM node_span"
                                 " WHERE span_end > ?1 AND span_start < ?2) ORDER BY node, span_start");
    auto all = mergedSpans<NodeSpan>(s, range, &NodeSpan::node);
    // Spans of other sources that merely touch a wanted span belong to it, so filtering comes after merging.
    if (all && !range.empty())
        std::erase_if(
            *all, [&](const NodeSpan &span) { return span.range.end <= range.start || span.range.start >= range.end; });
    return all;
}

Result<std::vector<Placement>> FactReaderSql::placements(TimeRange range)
{
    std::vector<Placement> all;
    GPULEDGER_TRY(eachPlacement(range, [&](const Placement &one) -> Result<void> {
        all.push_back(one);
        return {};
    }));
    return all;
}

Result<void> FactReaderSql::eachPlacement(TimeRange range, const PlacementVisitor &visit)
{
    const auto [from, to] = boundsOf(range);
    Statement s = m_db.statement("SELECT device, gpu_instance, subject, node, role, seen_start, seen_end FROM placement"
                                 " WHERE seen_end > ?1 AND seen_start < ?2"
                                 " ORDER BY device, gpu_instance, subject, node, role");
    return s.bind(1, from).bind(2, to).each([&] { return visit(placementAt(s)); });
}

Result<void> FactReaderSql::eachPlacementOf(std::span<const base::DeviceId> devices, TimeRange range,
                                            const PlacementVisitor &visit)
{
    const auto [from, to] = boundsOf(range);
    const std::set<base::DeviceId> wanted(devices.begin(), devices.end());
    Statement s = m_db.statement("SELECT device, gpu_instance, subject, node, role, seen_start, seen_end FROM placement"
                                 " WHERE device = ?3 AND seen_end > ?1 AND seen_start < ?2"
                                 " ORDER BY gpu_instance, subject, node, role");
    s.bind(1, from).bind(2, to);
    for (const base::DeviceId device : wanted)
        GPULEDGER_TRY(s.bind(3, device.value).each([&] { return visit(placementAt(s)); }));
    return {};
}

Result<std::vector<DeviceNode>> FactReaderSql::deviceNodes()
{
    std::vector<DeviceNode> all;
    Statement s = m_db.statement("SELECT device, node FROM device_node");
    GPULEDGER_TRY(s.each([&] { all.push_back({base::DeviceId{s.integer(0)}, base::NodeId{s.integer(1)}}); }));
    return all;
}

Result<void> FactReaderSql::visitDay(std::int64_t rowId, std::string_view blob, const DayVisitor &visit)
{
    auto tracks = m_codec.decode(rowId, blob);
    if (!tracks)
        return fail(std::move(tracks).error().withSource(m_db.file().string()));
    return visit({UsageCodec::deviceOf(rowId), UsageCodec::dayOf(rowId), std::move(*tracks)});
}

Result<void> FactReaderSql::deviceDays(base::Day first, base::Day last, std::span<const base::DeviceId> devices,
                                       const DayVisitor &visit)
{
    if (devices.empty()) {
        Statement s = m_db.statement("SELECT id, data FROM usage_day WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
        s.bind(1, UsageCodec::rowId(first, {})).bind(2, UsageCodec::rowId({last.number + 1}, {}) - 1);
        return s.each([&] { return visitDay(s.integer(0), s.blob(1), visit); });
    }
    std::vector<base::DeviceId> wanted(devices.begin(), devices.end());
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    Statement s = m_db.statement("SELECT id, data FROM usage_day WHERE id = ?1");
    for (base::Day day = first; day <= last; ++day.number) {
        for (const base::DeviceId device : wanted)
            GPULEDGER_TRY(s.bind(1, UsageCodec::rowId(day, device)).each([&] {
                return visitDay(s.integer(0), s.blob(1), visit);
            }));
    }
    return {};
}

Result<bool> FactReaderSql::hasSignals()
{
    // A folder that can't be written may hold an older cache.
    const auto table = m_db.scalar("SELECT 1 FROM sqlite_master WHERE name = 'signal_hour'");
    GPULEDGER_TRY(table);
    if (!table->has_value())
        return false;
    const auto any = m_db.scalar("SELECT 1 FROM signal_hour LIMIT 1");
    GPULEDGER_TRY(any);
    return any->has_value();
}

// A damaged value is left out: it is not known.
Result<std::vector<model::SignalHour>> FactReaderSql::signalHours(model::HourSignal signal, std::int64_t of,
                                                                  std::int64_t first, std::int64_t last)
{
    std::vector<model::SignalHour> hours;
    const std::int64_t most = model::isShare(signal) ? model::kSignalShareScale : model::kMostSignal;
    Statement s = m_db.statement("SELECT hour, seconds, value FROM signal_hour WHERE signal = ?1 AND of_id = ?2"
                                 " AND hour BETWEEN ?3 AND ?4 ORDER BY hour");
    s.bind(1, static_cast<std::int64_t>(signal)).bind(2, of).bind(3, first).bind(4, last);
    GPULEDGER_TRY(s.each([&] {
        const std::int64_t seconds = s.integer(1), value = s.integer(2);
        if (seconds > 0 && seconds <= 3600 && value >= 0 && value <= most)
            hours.push_back({s.integer(0), static_cast<std::int32_t>(seconds), value});
    }));
    return hours;
}

Result<PastWaiting> FactReaderSql::pastWaiting(TimeRange range)
{
    PastWaiting out;
    // A folder that can't be written may hold an older cache.
    const auto table = m_db.scalar("SELECT 1 FROM sqlite_master WHERE name = 'waiting_known'");
    GPULEDGER_TRY(table);
    if (!table->has_value())
        return out;
    const auto [from, to] = boundsOf(range);
    Statement s = m_db.statement("SELECT c.name, n.name, s.name, w.uid, (SELECT value FROM text WHERE id = resource),"
                                 " gpus, (SELECT value FROM text WHERE id = node), span_start, span_end"
                                 " FROM waiting_span w JOIN subject s ON s.id = w.subject"
                                 " JOIN namespace n ON n.id = s.namespace JOIN cluster c ON c.id = n.cluster"
                                 " WHERE span_end > ?1 AND span_start < ?2 ORDER BY span_start, w.subject, w.uid");
    GPULEDGER_TRY(s.bind(1, from).bind(2, to).each([&] {
        out.waits.push_back(
            {s.text(0), s.text(1), s.text(2), uidAt(s, 3), s.text(4), s.integer(5), s.text(6), rangeAt(s, 7)});
    }));
    Statement k = m_db.statement("SELECT c.name, span_start, span_end FROM waiting_known k"
                                 " JOIN cluster c ON c.id = k.cluster WHERE span_end > ?1 AND span_start < ?2"
                                 " ORDER BY c.name, span_start");
    GPULEDGER_TRY(k.bind(1, from).bind(2, to).each([&] {
        const TimeRange r = rangeAt(k, 1);
        std::string cluster = k.text(0);
        if (!out.known.empty() && out.known.back().cluster == cluster && r.start <= out.known.back().range.end)
            out.known.back().range.end = std::max(out.known.back().range.end, r.end);
        else
            out.known.push_back({std::move(cluster), r});
    }));
    return out;
}

Result<TimeRange> FactReaderSql::coveredRange()
{
    TimeRange hull;
    Statement s = m_db.statement("SELECT hull_start, hull_end FROM sync_state WHERE hull_start IS NOT NULL");
    GPULEDGER_TRY(s.each([&] { hull = hullOf(hull, rangeAt(s, 0)); }));
    return hull;
}

Result<IdleReader *> FactReaderSql::keptIdle(const std::string &fingerprint)
{
    Statement s = m_db.statement("SELECT value FROM meta WHERE key = 'rollup_fingerprint'");
    bool same = false;
    GPULEDGER_TRY(s.each([&] { same = s.text(0) == fingerprint; }));
    if (!same)
        return nullptr;
    if (!m_idle)
        m_idle = std::make_unique<IdleReaderSql>(m_db);
    return m_idle.get();
}

BillReader &FactReaderSql::bills()
{
    if (!m_bills)
        m_bills = std::make_unique<BillReader>(m_db);
    return *m_bills;
}

Result<void> FactReaderSql::billedOn(base::Day day, const BilledVisitor &visit)
{
    return m_from == Bills::ByLine ? bills().onDayAnew(day, visit) : bills().onDay(day, visit);
}

Result<void> FactReaderSql::allocatedOn(base::Day day, const AllocatedVisitor &visit)
{
    return readAllocations(m_db, day, visit);
}

} // namespace gpuledger::store
