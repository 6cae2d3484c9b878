// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/metrics/gatheredusage.h"

#include <cmath>
#include <limits>

namespace gpuledger::gcp {

using format::Gauge;

namespace {

constexpr double kBytesOfMib = 1024.0 * 1024.0;

} // namespace

void GatheredUsage::add(Gauge gauge, const MonitoredValue &one, format::RejectedReadings &rejected)
{
    const auto end = std::chrono::floor<base::Seconds>(one.end);
    const std::int64_t number = base::toUnix(end) / base::kBucket.count() - 1;
    if (end != one.end || base::floorTo(end, base::kBucket) != end || !m_gauges.holds(number)) {
        rejected.add("value of another time than was asked for");
        return;
    }
    if (!one.value) {
        rejected.add("value that is no number");
        return;
    }
    const bool isMemory = gauge == Gauge::MemoryMean || gauge == Gauge::MemoryMax;
    if (!m_gauges.add(one.which, one.device, number, gauge, isMemory ? *one.value / kBytesOfMib : *one.value))
        rejected.add("value that was told twice");
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
