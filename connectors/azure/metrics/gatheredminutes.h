// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/azure/metrics/learningmetrics.h"
#include "connectors/format/gauges/devicegauges.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

// Values of Azure Monitor, as facts. No calls; values.
namespace gpuledger::azure {

// Minutes of utilization and buckets of memory, as the buckets of a range. Of two values of one time of a series, the
// first one counts.
class GatheredMinutes {
public:
    explicit GatheredMinutes(base::TimeRange range)
        : m_gauges(range)
    {
    }
    // A minute. Returns false if it is not a measurement; then it is counted.
    bool addUtilization(const MetricValue &one, format::RejectedReadings &rejected);
    // A bucket of 5 minutes.
    void addMemory(const MetricValue &one, format::RejectedReadings &rejected);
    // The mean of a bucket is that of its minutes, and their number is its number of samples. Call it once.
    std::vector<ports::MeasuredGpu> take(format::RejectedReadings &rejected);

private:
    struct MinuteSum {
        double percent = 0;
        unsigned minutes = 0; // a bit for each one added
        int count = 0;
    };
    using Device = std::tuple<std::size_t, std::int64_t, std::string>; // machine, place, what reports for it

    std::map<Device, std::map<std::int64_t, MinuteSum>> m_sums; // by bucket
    format::DeviceGauges m_gauges;
};

// The newest minutes.
class GatheredReadings {
public:
    void add(const MetricValue &one);
    // A reading of each device. What is not a number is a sample without a measurement.
    std::vector<ports::MeasuredActivity::Reading> take(const ports::ActivityQuestion &question,
                                                       base::UtcTime now) const;

private:
    using Minutes = std::map<std::int64_t, double>; // since 1970
    std::map<std::tuple<std::size_t, std::int64_t, std::string>, Minutes> m_devices;
};

} // namespace gpuledger::azure
