// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/evidence.h"

#include "app/insight/idle/idle.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace gpuledger::insight {

using base::Result;
using base::UtcTime;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
using Line = std::vector<double>; // NaN: not reported

// One device or slice while the holder had it.
struct UnitLines {
    explicit UnitLines(std::size_t buckets)
        : activity(buckets, kNan)
        , memoryMib(buckets, kNan)
        , powerW(buckets, kNan)
    {
    }
    Line activity, memoryMib, powerW;
    std::optional<double> totalMib, restingW;
};

std::string nameOfSlice(const model::Device &device, std::int16_t slice)
{
    return slice < 0 ? device.uuid : device.uuid + ':' + device.slices[static_cast<std::size_t>(slice)].gpuInstance;
}

// Memory size from a profile such as "3g.20gb"; memory is not divided in the same proportion as compute.
std::optional<double> profileMib(std::string_view profile)
{
    const std::size_t dot = profile.find('.');
    if (dot == std::string_view::npos)
        return std::nullopt;
    const char *begin = profile.data() + dot + 1, *end = profile.data() + profile.size();
    int gib = 0;
    const auto [rest, error] = std::from_chars(begin, end, gib);
    if (error != std::errc() || gib <= 0
        || !std::string_view(rest, static_cast<std::size_t>(end - rest)).starts_with("gb"))
        return std::nullopt;
    return gib * 1024.0;
}

void describe(UnitLines &unit, const model::DeviceAttribution &device, std::int16_t slice)
{
    if (slice >= 0) {
        unit.totalMib = profileMib(device.device->slices[static_cast<std::size_t>(slice)].profile);
        return; // the draw at rest applies to the whole device
    }
    if (device.device->memoryMib > 0)
        unit.totalMib = static_cast<double>(device.device->memoryMib);
    if (device.restingW > 0)
        unit.restingW = device.restingW;
}

void take(Line &line, std::size_t bucket, double value)
{
    line[bucket] = std::isnan(line[bucket]) ? value : std::max(line[bucket], value);
}

void addPart(UnitLines &unit, std::size_t bucket, const model::UsagePart &part)
{
    if (part.activity != model::kNoShare)
        take(unit.activity, bucket, model::shareToDouble(part.activity));
    if (part.memoryMeanMib != model::kNoMemory)
        take(unit.memoryMib, bucket, part.memoryMeanMib);
    if (part.powerDeciwatt != model::kNoPower)
        take(unit.powerW, bucket, part.powerDeciwatt / 10.0);
}

using Units = std::map<std::string, UnitLines>;

// Combines all units into one line; returns how many of them report the reading.
int combine(const Units &units, Line UnitLines::*line, bool sum, std::vector<std::optional<double>> &out)
{
    std::vector<const Line *> lines;
    for (const auto &[name, unit] : units) {
        const Line &values = unit.*line;
        if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isnan(v); }))
            lines.push_back(&values);
    }
    for (std::size_t i = 0; i < out.size() && !lines.empty(); ++i) {
        double value = 0;
        for (const Line *values : lines) {
            const double v = (*values)[i];
            value = std::isnan(value) || std::isnan(v) ? kNan : sum ? value + v : std::max(value, v);
        }
        if (!std::isnan(value))
            out[i] = value;
    }
    return static_cast<int>(lines.size());
}

std::optional<double> total(const Units &units, std::optional<double> UnitLines::*member)
{
    double sum = 0;
    for (const auto &[name, unit] : units) {
        if (!(unit.*member))
            return std::nullopt;
        sum += *(unit.*member);
    }
    return units.empty() ? std::nullopt : std::optional(sum);
}

// Replaces each `count` buckets, counted from the end, by their highest value.
void thin(std::vector<std::optional<double>> &line, std::size_t count)
{
    if (count <= 1)
        return;
    std::vector<std::optional<double>> out((line.size() + count - 1) / count);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t end = line.size() - i * count, begin = end > count ? end - count : 0;
        std::optional<double> highest;
        std::size_t known = 0;
        for (std::size_t k = begin; k < end; ++k) {
            known += line[k] ? 1U : 0U;
            highest = line[k] ? std::max(highest.value_or(*line[k]), *line[k]) : highest;
        }
        if (2 * known >= end - begin)
            out[out.size() - 1 - i] = highest;
    }
    line = std::move(out);
}

UtcTime startOf(const EvidenceQuery &query, UtcTime end)
{
    UtcTime start = end - kEvidenceSpan;
    if (query.since)
        start = std::min(start, base::floorTo(*query.since - kEvidenceBefore, base::kBucket));
    return std::max(start, end - kLongestEvidence);
}

class Collector {
public:
    Collector(const EvidenceQuery &query, base::TimeRange range)
        : m_query(query)
        , m_range(range)
        , m_first(range.end)
    {
    }

    void add(const model::DeviceAttribution &device)
    {
        for (const model::UsagePart &part : device.parts) {
            const UtcTime start = device.day.start() + part.bucket * base::kBucket;
            if (part.holder == model::kNobody || !m_range.contains(start)
                || idleIdOf((*device.holders)[static_cast<std::size_t>(part.holder)]) != m_query.id)
                continue;
            const std::string name = nameOfSlice(*device.device, part.slice);
            if (std::find(m_query.devices.begin(), m_query.devices.end(), name) == m_query.devices.end())
                continue;
            UnitLines &unit = m_units.try_emplace(name, bucketOf(m_range.end)).first->second;
            describe(unit, device, part.slice);
            addPart(unit, bucketOf(start), part);
            m_first = std::min(m_first, start);
            if (start >= m_newest) {
                m_newest = start;
                m_signal = part.signal != model::ActivitySignal::None ? part.signal : m_signal;
                m_price = device.priced ? device.priceSource : std::string();
            }
        }
    }

    Evidence result(double threshold) const
    {
        Evidence out;
        out.threshold = threshold;
        out.range = {m_first, m_range.end};
        out.devices = static_cast<int>(m_units.size());
        const std::size_t cut = bucketOf(m_first), buckets = bucketOf(m_range.end);
        const std::size_t together =
            std::max<std::size_t>(1, (buckets - cut + kMostEvidenceSteps - 1) / kMostEvidenceSteps);
        out.step = static_cast<std::int64_t>(together) * base::kBucket;
        const auto line = [&](Line UnitLines::*member, bool sum, std::vector<std::optional<double>> &values,
                              std::optional<double> &last) {
            values.resize(buckets);
            const int count = combine(m_units, member, sum, values);
            values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(cut));
            last = values.empty() ? std::nullopt : values.back();
            thin(values, together);
            return count;
        };
        out.activityDevices = line(&UnitLines::activity, false, out.activity, out.lastActivity);
        out.memoryDevices = line(&UnitLines::memoryMib, true, out.memoryMib, out.lastMemoryMib);
        out.powerDevices = line(&UnitLines::powerW, true, out.powerW, out.lastPowerW);
        out.memoryTotalMib = total(m_units, &UnitLines::totalMib);
        out.restingW = total(m_units, &UnitLines::restingW);
        out.signal = m_signal;
        out.priceSource = m_price;
        return out;
    }

private:
    std::size_t bucketOf(UtcTime t) const { return static_cast<std::size_t>((t - m_range.start) / base::kBucket); }

    const EvidenceQuery &m_query;
    const base::TimeRange m_range;
    UtcTime m_first, m_newest{};
    Units m_units;
    model::ActivitySignal m_signal = model::ActivitySignal::None;
    std::string m_price;
};

} // namespace

Result<Evidence> evidenceOf(store::FactReader &facts, store::AttributionReader &attribution, const EvidenceQuery &query,
                            const model::IdleSettings &settings)
{
    const UtcTime end = base::floorTo(query.at, base::kBucket);
    const UtcTime start = startOf(query, end);
    Collector collector(query, {start, end});
    const auto known = facts.devices();
    GPULEDGER_TRY(known);
    std::vector<base::DeviceId> wanted;
    for (const model::Device &device : *known) {
        const auto its = [&](const std::string &name) {
            return name == device.uuid || (name.starts_with(device.uuid) && name[device.uuid.size()] == ':');
        };
        if (device.cluster == query.cluster && std::any_of(query.devices.begin(), query.devices.end(), its))
            wanted.push_back(device.id);
    }
    if (!wanted.empty()) { // an empty list means all devices
        std::sort(wanted.begin(), wanted.end());
        GPULEDGER_TRY(attribution.walk(base::dayOf(start), base::dayOf(end - base::Seconds{1}), wanted,
                                       [&](const model::DeviceAttribution &device) -> Result<void> {
                                           collector.add(device);
                                           return {};
                                       }));
    }
    return collector.result(settings.threshold);
}

} // namespace gpuledger::insight
