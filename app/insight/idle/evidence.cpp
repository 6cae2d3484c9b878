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
        const auto cut = static_cast<std::ptrdiff_t>(bucketOf(m_first));
        const auto line = [&](Line UnitLines::*member, bool sum, std::vector<std::optional<double>> &values) {
            values.resize(bucketOf(m_range.end));
            const int count = combine(m_units, member, sum, values);
            values.erase(values.begin(), values.begin() + cut);
            return count;
        };
        out.activityDevices = line(&UnitLines::activity, false, out.activity);
        out.memoryDevices = line(&UnitLines::memoryMib, true, out.memoryMib);
        out.powerDevices = line(&UnitLines::powerW, true, out.powerW);
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
    Collector collector(query, {end - kEvidenceSpan, end});
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
        GPULEDGER_TRY(attribution.walk(base::dayOf(end - kEvidenceSpan), base::dayOf(end - base::Seconds{1}), wanted,
                                       [&](const model::DeviceAttribution &device) -> Result<void> {
                                           collector.add(device);
                                           return {};
                                       }));
    }
    return collector.result(settings.threshold);
}

} // namespace gpuledger::insight
