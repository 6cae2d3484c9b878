// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/gauges/devicegauges.h"

namespace gpuledger::format {

namespace {

std::size_t placeOf(Gauge gauge)
{
    return static_cast<std::size_t>(gauge);
}

std::int64_t bucketNumberOf(base::UtcTime time)
{
    return base::toUnix(time) / base::kBucket.count();
}

} // namespace

DeviceGauges::DeviceGauges(base::TimeRange range)
    : m_first(bucketNumberOf(base::ceilTo(range.start, base::kBucket)))
    , m_end(bucketNumberOf(range.end))
{
    static_assert(static_cast<std::size_t>(Gauge::Power) + 1 == kGauges);
}

bool DeviceGauges::add(ports::ListedGpu which, const std::string &device, std::int64_t bucketNumber, Gauge gauge,
                       double value)
{
    auto &kept = m_gpus[{which.machine, which.gpu}][device][bucketNumber].at(placeOf(gauge));
    if (kept)
        return false;
    kept = value;
    return true;
}

bool DeviceGauges::isBetter(const Values &one, const Values &other)
{
    const auto key = [](const Values &values) {
        return std::pair(values[placeOf(Gauge::Samples)].value_or(0), values[placeOf(Gauge::Utilization)].value_or(0));
    };
    return key(one) > key(other);
}

DeviceGauges::Buckets DeviceGauges::chosenOf(const Devices &devices, RejectedReadings &rejected)
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

std::vector<ports::MeasuredGpu> DeviceGauges::take(RejectedReadings &rejected) const
{
    std::vector<ports::MeasuredGpu> out;
    for (const auto &[place, devices] : m_gpus) {
        GaugeSeries series;
        for (const auto &[number, values] : chosenOf(devices, rejected)) {
            for (std::size_t gauge = 0; gauge < kGauges; ++gauge) {
                if (values[gauge] && !series.add(static_cast<Gauge>(gauge), number, *values[gauge]))
                    rejected.add("value that is no measurement");
            }
        }
        if (!series.empty())
            out.push_back(series.take({place.first, place.second}, m_first, m_end));
    }
    return out;
}

} // namespace gpuledger::format
