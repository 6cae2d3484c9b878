// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/metrics/gpumeter.h"

#include <algorithm>

namespace gpuledger::aws {

using format::Gauge;

double gaugeOf(const GpuMeter &meter, Gauge gauge, double value)
{
    if (meter.summed == 0)
        return value;
    if (gauge == Gauge::Utilization)
        return value / static_cast<double>(meter.summed);
    // More samples come from instances that the machine no longer has, or at shorter intervals.
    return gauge == Gauge::Samples ? std::min(value, static_cast<double>(meter.mostSamples)) : value;
}

double busiestOf(const GpuMeter &meter, double percent)
{
    constexpr double kBusy = 100;
    return meter.summed == 0 ? percent : std::min(percent, kBusy);
}

bool isInTime(const GpuMeter &meter, base::UtcTime at)
{
    return !meter.from || at >= *meter.from;
}

} // namespace gpuledger::aws
