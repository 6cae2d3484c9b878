// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/metrics/gatheredminutes.h"

#include "connectors/format/gauges/minutesamples.h"

#include <cmath>
#include <limits>

namespace gpuledger::azure {

using format::Gauge;

namespace {

constexpr const char *kNotANumber = "value that is no number";
constexpr const char *kToldTwice = "value that was told twice";

std::int64_t intervalNumber(base::UtcTime time, base::Seconds length)
{
    return base::toUnix(time) / length.count();
}

} // namespace

bool GatheredMinutes::addUtilization(const MetricValue &one, format::RejectedReadings &rejected)
{
    const char *const reason = !one.value                      ? kNotANumber
        : !format::isPlausible(Gauge::Utilization, *one.value) ? "value that is no measurement"
                                                               : nullptr;
    if (reason) {
        rejected.add(reason);
        return false;
    }
    const Device device{one.which.machine, one.which.gpu, one.device};
    MinuteSum &sum = m_sums[device][intervalNumber(one.start, base::kBucket)];
    const auto bit = 1u << (intervalNumber(one.start, format::kMinute) % (base::kBucket / format::kMinute));
    if (sum.minutes & bit) {
        rejected.add(kToldTwice);
        return true;
    }
    sum.minutes |= bit;
    sum.percent += *one.value;
    ++sum.count;
    return true;
}

void GatheredMinutes::addMemory(const MetricValue &one, format::RejectedReadings &rejected)
{
    const Gauge gauge = one.statistic == MetricStatistic::Average ? Gauge::MemoryMean : Gauge::MemoryMax;
    if (!one.value)
        rejected.add(kNotANumber);
    else if (!m_gauges.add(one.which, one.device, intervalNumber(one.start, base::kBucket), gauge, *one.value))
        rejected.add(kToldTwice);
}

std::vector<ports::MeasuredGpu> GatheredMinutes::take(format::RejectedReadings &rejected)
{
    for (const auto &[device, buckets] : m_sums) {
        const auto &[machine, gpu, name] = device;
        for (const auto &[bucket, sum] : buckets) {
            m_gauges.add({machine, gpu}, name, bucket, Gauge::Utilization, sum.percent / sum.count);
            m_gauges.add({machine, gpu}, name, bucket, Gauge::Samples, sum.count);
        }
    }
    return m_gauges.take(rejected);
}

// Of two values of one minute, the busier one counts.
void GatheredReadings::add(const MetricValue &one)
{
    const double value = one.value.value_or(std::numeric_limits<double>::quiet_NaN());
    Minutes &minutes = m_devices[{one.which.machine, one.which.gpu, one.device}];
    double &kept = minutes.try_emplace(intervalNumber(one.start, format::kMinute), value).first->second;
    if (std::isnan(kept) || value > kept)
        kept = value;
}

std::vector<ports::MeasuredActivity::Reading> GatheredReadings::take(const ports::ActivityQuestion &question,
                                                                     base::UtcTime now) const
{
    std::vector<ports::MeasuredActivity::Reading> out;
    for (const auto &[device, minutes] : m_devices) {
        const ports::ListedGpu which{std::get<0>(device), std::get<1>(device)};
        out.push_back({which, format::activityOf(format::minuteSamples(minutes, now), question)});
    }
    return out;
}

} // namespace gpuledger::azure
