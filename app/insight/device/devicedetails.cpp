// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/device/devicedetails.h"

#include "app/insight/device/devicelines.h"
#include "app/insight/query/labels.h"
#include "app/insight/query/notsynced.h"
#include "app/store/facts/measures.h"

#include <algorithm>
#include <array>
#include <map>

namespace gpuledger::insight {

using base::Result;
using base::UtcTime;
using model::GpuState;

namespace {

const model::Device *find(const std::vector<model::Device> &devices, const DeviceQuery &query)
{
    const auto is = [&](const model::Device &d, bool ofSlice) {
        const bool named =
            ofSlice ? query.device.starts_with(d.uuid) && query.device[d.uuid.size()] == ':' : query.device == d.uuid;
        return named && (query.cluster.empty() || d.cluster == query.cluster);
    };
    for (const bool ofSlice : {false, true}) {
        const auto at = std::find_if(devices.begin(), devices.end(),
                                     [&](const model::Device &d) { return !d.uuid.empty() && is(d, ofSlice); });
        if (at != devices.end())
            return &*at;
    }
    return nullptr;
}

class DetailsBuilder {
public:
    DetailsBuilder(DeviceDetails &out, const Filter &filter, const LabelLookup &labels)
        : m_out(out)
        , m_filter(filter)
        , m_labels(labels)
    {
    }

    void add(const model::DeviceAttribution &device)
    {
        bool any = false;
        for (const model::UsagePart &part : device.parts) {
            const UtcTime start = device.day.start() + part.bucket * base::kBucket;
            if (!m_out.range.contains(start))
                continue;
            any = true;
            if (!matches(m_filter, device, part.holder, m_labels))
                continue;
            store::forEachMeasure(device, part,
                                  [&](store::Measure m, std::int64_t amount) { m_out.sums[m] += amount; });
            if (part.holder != model::kNobody)
                addStay(device, part, start);
        }
        if (any)
            describe(device);
    }

    // Stays that never ended within the range may continue.
    void finish(base::TimeRange known)
    {
        for (DeviceStay &stay : m_out.stays) {
            stay.beganBefore = stay.range.start == m_out.range.start && known.start < m_out.range.start;
            stay.endedLater = stay.range.end >= m_out.dataEnd;
        }
        std::stable_sort(m_out.stays.begin(), m_out.stays.end(), [](const DeviceStay &a, const DeviceStay &b) {
            return std::pair(b.range.start, b.range.end) < std::pair(a.range.start, a.range.end);
        });
    }

private:
    void addStay(const model::DeviceAttribution &device, const model::UsagePart &part, UtcTime start)
    {
        const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
        const std::string slice =
            part.slice < 0 ? std::string() : device.device->slices[static_cast<std::size_t>(part.slice)].gpuInstance;
        const auto key = std::tuple(who.nameSpace, who.name, who.uid, who.team, slice);
        const auto at = m_last.find(key);
        std::size_t index = at == m_last.end() ? m_out.stays.size() : at->second;
        if (at == m_last.end() || m_out.stays[index].range.end < start) {
            index = m_out.stays.size();
            m_last[key] = index;
            m_out.stays.push_back(begin(who, slice, start));
        }
        DeviceStay &stay = m_out.stays[index];
        stay.range.end = std::max(stay.range.end, start + base::kBucket);
        stay.held.ticks += part.ticks;
        if (part.state == GpuState::Idle)
            stay.idle.ticks += part.ticks;
        if (part.priced)
            stay.costNanos += part.costNanos;
        else
            stay.unpriced.ticks += part.ticks;
    }

    static DeviceStay begin(const model::AttributedHolder &who, const std::string &slice, UtcTime start)
    {
        DeviceStay stay;
        stay.id =
            who.nameSpace + '/' + who.name + '/' + who.uid + '/' + slice + '@' + std::to_string(base::toUnix(start));
        stay.workload = workloadName(who.nameSpace, who.ownerKind, who.ownerName, who.name, who.what);
        stay.nameSpace = who.nameSpace;
        stay.pod = who.what == model::SubjectKind::Pod ? who.name : std::string();
        stay.team = who.team;
        stay.kind = who.kind;
        stay.slice = slice;
        stay.range = {start, start};
        return stay;
    }

    // Days come in order, so the last value is the newest.
    void describe(const model::DeviceAttribution &device)
    {
        m_out.gpuModel = device.gpuModel;
        m_out.restingW = device.restingW;
        if (device.node)
            m_out.node = *device.node;
        m_out.severalPrices =
            m_out.severalPrices || (m_seen && (device.priced != m_out.priced || !(device.rate == m_out.rate)));
        m_out.priced = device.priced;
        m_out.rate = device.rate;
        m_out.priceSource = device.priceSource;
        m_seen = true;
    }

    DeviceDetails &m_out;
    const Filter &m_filter;
    const LabelLookup &m_labels;
    std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>, std::size_t> m_last;
    bool m_seen = false;
};

// The paid time expected for the device beyond the end of stale data.
Result<base::GpuTime> notSyncedOf(store::AttributionReader &attribution, const model::Device &device, Filter filter,
                                  const LabelLookup &labels, const Reach &reach)
{
    if (!filter.matches(Dimension::Cluster, device.cluster))
        return base::GpuTime{};
    filter.include[Dimension::Cluster] = {device.cluster};
    base::GpuTime sum;
    for (const Unsynced &one : unsyncedOf(reach, filter)) {
        base::GpuTime paid;
        const base::Day day = base::dayOf(one.lastCell.start);
        const std::array wanted{device.id};
        GPULEDGER_TRY(attribution.walk(day, day, wanted, [&](const model::DeviceAttribution &of) -> Result<void> {
            for (const model::UsagePart &part : of.parts) {
                if (one.lastCell.contains(of.day.start() + part.bucket * base::kBucket)
                    && matches(one.filter, of, part.holder, labels))
                    paid.ticks += part.ticks;
            }
            return {};
        }));
        sum += expectedOver(paid, one.missing.length());
    }
    return sum;
}

} // namespace

Result<DeviceDetails> deviceDetails(store::FactReader &facts, store::AttributionReader &attribution,
                                    const DeviceQuery &query, const Reach &reach)
{
    const auto devices = facts.devices();
    GPULEDGER_TRY(devices);
    const model::Device *device = find(*devices, query);
    if (!device)
        return base::fail(base::ErrorCode::NotFound, "no device with this UUID is known");
    DeviceDetails out;
    out.device = *device;
    out.gpuModel = device->model;
    out.range = wholeCells(query.query.range);
    out.dataEnd = std::min(out.range.end, reach.endOf(device->cluster).value_or(out.range.end));
    if (!out.range.empty()) {
        const auto labels = LabelLookup::read(attribution, query.query.filter, {});
        GPULEDGER_TRY(labels);
        DetailsBuilder builder(out, query.query.filter, *labels);
        const std::array wanted{device->id};
        GPULEDGER_TRY(attribution.walk(base::dayOf(out.range.start), base::dayOf(out.range.end - base::Seconds{1}),
                                       wanted, [&](const model::DeviceAttribution &day) -> Result<void> {
                                           builder.add(day);
                                           return {};
                                       }));
        const auto notSynced = notSyncedOf(attribution, *device, query.query.filter, *labels, reach);
        GPULEDGER_TRY(notSynced);
        out.notSynced = *notSynced;
        const auto covered = facts.coveredRange();
        GPULEDGER_TRY(covered);
        builder.finish(*covered);
    }
    auto lines = deviceLines(facts, *device, out.range, query.points);
    GPULEDGER_TRY(lines);
    out.lines = std::move(*lines);
    return out;
}

} // namespace gpuledger::insight
