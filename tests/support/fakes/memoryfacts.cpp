// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakes/memoryfacts.h"

#include <algorithm>
#include <set>

namespace gpuledger::tests {

using base::Result;
using base::TimeRange;

namespace {

// The id of the record with the same key, which is updated; a new record gets the next id.
template <typename T, typename Same> std::int64_t put(std::vector<T> &list, const T &value, const Same &same)
{
    auto it = std::find_if(list.begin(), list.end(), [&](const T &known) { return same(known, value); });
    if (it == list.end())
        it = list.insert(list.end(), T{});
    const auto id = static_cast<std::int64_t>(it - list.begin()) + 1;
    *it = value;
    it->id.value = id;
    return id;
}

void addRange(std::vector<TimeRange> &list, TimeRange range)
{
    list.push_back(range);
    std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) { return a.start < b.start; });
    std::vector<TimeRange> merged;
    for (const TimeRange &r : list) {
        if (!merged.empty() && r.start <= merged.back().end)
            merged.back().end = std::max(merged.back().end, r.end);
        else
            merged.push_back(r);
    }
    list = std::move(merged);
}

bool touches(TimeRange a, TimeRange b)
{
    return a.start < b.end && b.start < a.end;
}

base::UtcTime startOf(std::int64_t bucket)
{
    return base::fromUnix(bucket * base::kBucket.count());
}

} // namespace

void MemoryFacts::add(const ports::FactBatch &batch)
{
    m_covered = m_covered.empty()
        ? batch.covered
        : TimeRange{std::min(m_covered.start, batch.covered.start), std::max(m_covered.end, batch.covered.end)};
    std::vector<std::int64_t> node, device, subject, holder;
    for (const model::Node &n : batch.nodes)
        node.push_back(
            put(m_nodes, n, [](const auto &a, const auto &b) { return a.cluster == b.cluster && a.name == b.name; }));
    for (const model::Device &d : batch.devices)
        device.push_back(
            put(m_devices, d, [](const auto &a, const auto &b) { return a.cluster == b.cluster && a.uuid == b.uuid; }));
    const auto sameName = [](const auto &a, const auto &b) {
        return std::tie(a.cluster, a.nameSpace, a.name, a.uid) == std::tie(b.cluster, b.nameSpace, b.name, b.uid);
    };
    for (const model::Subject &s : batch.subjects)
        subject.push_back(put(m_subjects, s, sameName));
    for (const model::Holder &h : batch.holders)
        holder.push_back(put(m_holders, h, sameName));
    for (const auto &span : batch.nodeSpans)
        addRange(m_nodeSpans[node[span.node]], span.range);
    for (const auto &span : batch.holderSpans) {
        auto &spans = m_holderSpans[holder[span.holder]];
        addRange(spans, span.range);
        m_holders[static_cast<std::size_t>(holder[span.holder] - 1)].seen = {spans.front().start, spans.back().end};
    }
    constexpr std::uint32_t kNone = ports::FactBatch::kNone;
    for (const auto &series : batch.series) {
        const TrackKey key{device[series.device], series.gpuInstance,
                           series.subject == kNone ? 0 : subject[series.subject],
                           series.node == kNone ? 0 : node[series.node], series.role};
        for (std::size_t i = 0; i < series.buckets.size(); ++i) {
            const std::int64_t number = series.bucketNumbers[i];
            model::UsageBucket &bucket = m_usage[key][number] = series.buckets[i];
            bucket.index = static_cast<std::uint16_t>(
                number - base::dayOf(startOf(number)).number * std::int64_t{base::kBucketsPerDay});
        }
    }
    for (const auto &signal : batch.signals) {
        const auto &ids = model::subjectOf(signal.signal) == model::SignalOf::Device ? device
            : model::subjectOf(signal.signal) == model::SignalOf::Node               ? node
                                                                                     : subject;
        m_signals[{signal.signal, ids[signal.of], signal.hour.hour}] = signal.hour;
    }
}

Result<std::vector<model::SignalHour>> MemoryFacts::signalHours(model::HourSignal signal, std::int64_t of,
                                                                std::int64_t first, std::int64_t last)
{
    std::vector<model::SignalHour> out;
    for (auto it = m_signals.lower_bound({signal, of, first}); it != m_signals.end(); ++it) {
        if (it->first > std::tuple(signal, of, last))
            break;
        out.push_back(it->second);
    }
    return out;
}

Result<std::vector<model::Holder>> MemoryFacts::holders(TimeRange range)
{
    std::vector<model::Holder> out;
    for (const model::Holder &h : m_holders) {
        const auto &spans = m_holderSpans[h.id.value];
        if (std::any_of(spans.begin(), spans.end(), [&](const auto &r) { return touches(r, range); }))
            out.push_back(h);
    }
    return out;
}

Result<std::vector<store::HolderSpan>> MemoryFacts::holderSpans(TimeRange range)
{
    std::vector<store::HolderSpan> out;
    for (const auto &[id, spans] : m_holderSpans) {
        if (std::none_of(spans.begin(), spans.end(), [&](const auto &r) { return touches(r, range); }))
            continue;
        for (const TimeRange &r : spans)
            out.push_back({base::HolderId{id}, r});
    }
    return out;
}

Result<std::vector<std::string>> MemoryFacts::clustersWithHolders()
{
    std::set<std::string> names;
    for (const model::Holder &h : m_holders)
        names.insert(h.cluster);
    return std::vector<std::string>(names.begin(), names.end());
}

Result<std::vector<store::NodeSpan>> MemoryFacts::nodeSpans(TimeRange range)
{
    std::vector<store::NodeSpan> out;
    for (const auto &[id, spans] : m_nodeSpans) {
        for (const TimeRange &r : spans) {
            if (range.empty() || touches(r, range))
                out.push_back({base::NodeId{id}, r});
        }
    }
    return out;
}

Result<std::vector<store::Placement>> MemoryFacts::placements(TimeRange range)
{
    std::vector<store::Placement> out;
    for (const auto &[key, buckets] : m_usage) {
        if (buckets.empty())
            continue;
        const auto &[device, instance, subject, node, role] = key;
        constexpr std::int64_t kHour = 12; // buckets
        for (auto first = buckets.begin(); first != buckets.end();) {
            auto last = first;
            while (std::next(last) != buckets.end() && std::next(last)->first <= last->first + 1 + kHour)
                ++last;
            const TimeRange seen{startOf(first->first), startOf(last->first + 1)};
            if (range.empty() || touches(seen, range))
                out.push_back(
                    {base::DeviceId{device}, instance, base::SubjectId{subject}, base::NodeId{node}, role, seen});
            first = std::next(last);
        }
    }
    return out;
}

Result<void> MemoryFacts::deviceDays(base::Day first, base::Day last, std::span<const base::DeviceId> devices,
                                     const DayVisitor &visit)
{
    std::map<std::pair<std::int32_t, std::int64_t>, std::vector<model::UsageTrack>> days;
    for (const auto &[key, buckets] : m_usage) {
        const auto &[device, instance, subject, node, role] = key;
        const base::DeviceId id{device};
        if (!devices.empty() && std::find(devices.begin(), devices.end(), id) == devices.end())
            continue;
        std::int32_t open = -1;
        for (const auto &[number, bucket] : buckets) {
            const base::Day day = base::dayOf(startOf(number));
            if (day < first || last < day)
                continue;
            auto &tracks = days[{day.number, device}];
            if (day.number != open)
                tracks.push_back({instance, base::SubjectId{subject}, base::NodeId{node}, role, {}});
            open = day.number;
            tracks.back().buckets.push_back(bucket);
        }
    }
    for (auto &[key, tracks] : days)
        GPULEDGER_TRY(visit({base::DeviceId{key.second}, base::Day{key.first}, std::move(tracks)}));
    return {};
}

Result<void> MemoryCube::replaceDay(base::Day day, const std::map<store::GroupKey, store::GroupDay> &groups)
{
    std::erase_if(m_days, [&](const auto &entry) { return entry.first.first == day; });
    for (const auto &[key, cells] : groups) {
        const auto it = m_ids.try_emplace(key, static_cast<std::int64_t>(m_ids.size()) + 1).first;
        m_days[{day, it->second}] = cells;
    }
    return {};
}

Result<std::vector<std::pair<base::GroupId, store::GroupKey>>> MemoryCube::groups()
{
    std::vector<std::pair<base::GroupId, store::GroupKey>> out;
    for (const auto &[key, id] : m_ids)
        out.emplace_back(base::GroupId{id}, key);
    std::sort(out.begin(), out.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    return out;
}

Result<void> MemoryCube::rows(base::Day first, base::Day last, const std::vector<store::Measure> &measures,
                              const std::vector<char> &wanted, const RowVisitor &visit)
{
    for (const auto &[key, cells] : m_days) {
        const auto &[day, id] = key;
        const auto at = static_cast<std::size_t>(id);
        if (day < first || last < day || at >= wanted.size() || !wanted[at])
            continue;
        for (const store::Measure m : measures)
            visit(base::GroupId{id}, day, m, cells.cells[static_cast<std::size_t>(m)]);
    }
    return {};
}

} // namespace gpuledger::tests
