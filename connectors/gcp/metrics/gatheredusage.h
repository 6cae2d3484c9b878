// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/gauges/gaugeseries.h"
#include "connectors/gcp/metrics/monitoringpage.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Values of Cloud Monitoring, as facts. No calls; values.
namespace gpuledger::gcp {

// The aggregated values of a range on bucket boundaries: a bucket's value ends with it.
class GatheredUsage {
public:
    explicit GatheredUsage(base::TimeRange range);

    bool empty() const { return m_gpus.empty(); }
    // In any order. Of two values of one bucket of a series, the first one counts.
    void add(format::Gauge gauge, const MonitoredValue &one, RejectedReadings &rejected);
    // The buckets of each GPU. Where several devices tell of one place, a bucket is that of the one with the most
    // samples in it, and if they have as many, of the busier one.
    std::vector<ports::MeasuredGpu> take(RejectedReadings &rejected) const;

private:
    static constexpr std::size_t kGauges = 4;
    using Values = std::array<std::optional<double>, kGauges>; // by gauge
    using Buckets = std::map<std::int64_t, Values>;
    using Devices = std::map<std::string, Buckets>;

    static bool isBetter(const Values &one, const Values &other);
    static Buckets chosenOf(const Devices &devices, RejectedReadings &rejected);

    std::int64_t m_first, m_end; // bucket numbers
    std::map<std::pair<std::size_t, std::int64_t>, Devices> m_gpus;
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
