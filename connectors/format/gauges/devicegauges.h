// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/gauges/gaugeseries.h"
#include "connectors/format/gauges/rejectedreadings.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::format {

// The aggregated values of GPUs by bucket, where several devices may report for one place in a machine. No calls;
// values.
class DeviceGauges {
public:
    // Keeps the whole buckets of `range`.
    explicit DeviceGauges(base::TimeRange range);

    bool empty() const { return m_gpus.empty(); }
    bool holds(std::int64_t bucketNumber) const { return bucketNumber >= m_first && bucketNumber < m_end; }
    // `device` tells apart the devices of one place. Values may come in any order. Returns false if the device already
    // has such a value for this bucket: the first one counts.
    bool add(ports::ListedGpu which, const std::string &device, std::int64_t bucketNumber, Gauge gauge, double value);
    // The buckets of each GPU. Where several devices report for one place, each bucket is that of the device with the
    // most samples in it, and if they have as many, of the busier one.
    std::vector<ports::MeasuredGpu> take(RejectedReadings &rejected) const;

private:
    static constexpr std::size_t kGauges = 5;
    using Values = std::array<std::optional<double>, kGauges>; // by gauge
    using Buckets = std::map<std::int64_t, Values>;
    using Devices = std::map<std::string, Buckets>;

    static bool isBetter(const Values &one, const Values &other);
    static Buckets chosenOf(const Devices &devices, RejectedReadings &rejected);

    std::int64_t m_first, m_end; // bucket numbers
    std::map<std::pair<std::size_t, std::int64_t>, Devices> m_gpus; // by machine and place
};

} // namespace gpuledger::format
