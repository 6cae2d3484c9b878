// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/metrics/gatheredusage.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpuledger::gcp {

using format::Gauge;

namespace {

constexpr double kBytesOfMib = 1024.0 * 1024.0;
constexpr std::array<Gauge, 4> kMonitored{Gauge::Utilization, Gauge::Samples, Gauge::MemoryMean, Gauge::MemoryMax};

std::size_t placeOf(Gauge gauge)
{
    return static_cast<std::size_t>(std::find(kMonitored.begin(), kMonitored.end(), gauge) - kMonitored.begin());
}

std::int64_t numberOfBucket(base::UtcTime time)
{
    return base::toUnix(time) / base::kBucket.count();
}

} // namespace

GatheredUsage::GatheredUsage(base::TimeRange range)
    : m_first(numberOfBucket(range.start))
    , m_end(numberOfBucket(range.end))
{
}

void GatheredUsage::add(Gauge gauge, const MonitoredValue &one, RejectedReadings &rejected)
{
    const auto end = std::chrono::floor<base::Seconds>(one.end);
    const std::int64_t number = numberOfBucket(end) - 1;
    if (end != one.end || base::floorTo(end, base::kBucket) != end || number < m_first || number >= m_end) {
        rejected.add("value of another time than was asked for");
        return;
    }
    if (!one.value) {
        rejected.add("value that is no number");
        return;
    }
    const bool isMemory = gauge == Gauge::MemoryMean || gauge == Gauge::MemoryMax;
    auto &kept = m_gpus[{one.which.machine, one.which.gpu}][one.device][number].at(placeOf(gauge));
    if (kept)
        rejected.add("value that was told twice");
    else
        kept = isMemory ? *one.value / kBytesOfMib : *one.value;
}

bool GatheredUsage::isBetter(const Values &one, const Values &other)
{
    const auto key = [](const Values &values) {
        return std::pair(values[placeOf(Gauge::Samples)].value_or(0), values[placeOf(Gauge::Utilization)].value_or(0));
    };
    return key(one) > key(other);
}

GatheredUsage::Buckets GatheredUsage::chosenOf(const Devices &devices, RejectedReadings &rejected)
{
    Buckets chosen;
    for (const auto &[device, buckets] : devices) {
        for (const auto &[number, values] : buckets) {
            const auto [at, isFirst] = chosen.try_emplace(number, values);
            if (isFirst)
                continue;
            rejected.add("bucket of a GPU that another one tells of, too");
            if (isBetter(values, at->second))
                at->second = values;
        }
    }
    return chosen;
}

std::vector<ports::MeasuredGpu> GatheredUsage::take(RejectedReadings &rejected) const
{
    std::vector<ports::MeasuredGpu> out;
    for (const auto &[place, devices] : m_gpus) {
        format::GaugeSeries series;
        for (const auto &[number, values] : chosenOf(devices, rejected)) {
            for (const Gauge gauge : kMonitored) {
                const auto &value = values[placeOf(gauge)];
                if (value && !series.add(gauge, number, *value))
                    rejected.add("value that is no measurement");
            }
        }
        if (!series.empty())
            out.push_back(series.take({place.first, place.second}, m_first, m_end));
    }
    return out;
}

// Of two samples of one time, the busier one counts.
void GatheredActivity::add(const MonitoredValue &one)
{
    const double value = one.value.value_or(std::numeric_limits<double>::quiet_NaN());
    const auto [at, isNew] = m_gpus[{one.which.machine, one.which.gpu}][one.device].try_emplace(one.end, value);
    if (!isNew && (std::isnan(at->second) || value > at->second))
        at->second = value;
}

std::vector<ports::MeasuredActivity::Reading> GatheredActivity::take(const ports::ActivityQuestion &question) const
{
    std::vector<ports::MeasuredActivity::Reading> out;
    for (const auto &[place, devices] : m_gpus) {
        for (const auto &[device, series] : devices) {
            std::vector<format::GaugeSample> samples;
            for (const auto &[at, percent] : series)
                samples.push_back({at, percent});
            out.push_back({{place.first, place.second}, format::activityOf(std::move(samples), question)});
        }
    }
    return out;
}

} // namespace gpuledger::gcp
