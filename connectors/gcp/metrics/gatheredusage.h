// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/gauges/devicegauges.h"
#include "connectors/gcp/metrics/monitoringpage.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Values of Cloud Monitoring, as facts. No calls; values.
namespace gpuledger::gcp {

// The aggregated values of a range on bucket boundaries: a bucket's value ends with it.
class GatheredUsage {
public:
    explicit GatheredUsage(base::TimeRange range)
        : m_gauges(range)
    {
    }

    bool empty() const { return m_gauges.empty(); }
    // In any order. Of two values of one bucket of a series, the first one counts.
    void add(format::Gauge gauge, const MonitoredValue &one, format::RejectedReadings &rejected);
    std::vector<ports::MeasuredGpu> take(format::RejectedReadings &rejected) const { return m_gauges.take(rejected); }

private:
    format::DeviceGauges m_gauges;
};

// The newest samples, as they were written.
class GatheredActivity {
public:
    void add(const MonitoredValue &one);
    // One reading of each device. What is no number is a sample without a measurement.
    std::vector<ports::MeasuredActivity::Reading> take(const ports::ActivityQuestion &question) const;

private:
    using Series = std::map<ports::SampleTime, double>;
    std::map<std::pair<std::size_t, std::int64_t>, std::map<std::string, Series>> m_gpus;
};

} // namespace gpuledger::gcp
