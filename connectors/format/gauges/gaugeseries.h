// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/usagesource.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

// What monitoring services tell of a GPU, as facts. No calls; values.
namespace gpuledger::format {

// What a value says of one bucket.
enum class Gauge {
    Utilization, // mean of its samples, 0 to 100 percent
    Samples, // how many there were
    MemoryMean, // MiB
    MemoryMax, // MiB
    Power, // mean, W
};

// Whether a value can have been measured; false for NaN.
bool isPlausible(Gauge gauge, double value);

// The aggregated values of one GPU by bucket.
class GaugeSeries {
public:
    // Returns false if the value is no measurement; then it is left out. Values may come in any order; the last one of
    // a bucket counts.
    bool add(Gauge gauge, std::int64_t bucketNumber, double value);
    bool empty() const { return m_cells.empty(); }
    // The buckets of [first, end). A bucket is observed for as much of it as it has samples, compared with the one
    // that has most: services do not tell how often an agent measures. A utilization without a number of samples
    // counts as not observed.
    ports::MeasuredGpu take(ports::ListedGpu which, std::int64_t first, std::int64_t end) const;

private:
    struct Cell {
        double samples = 0;
        model::UsageBucket bucket{};
    };
    std::map<std::int64_t, Cell> m_cells;
};

// A sample of GPU utilization at a time.
struct GaugeSample {
    ports::SampleTime at{};
    double percent = 0;
};

// The signal, newest and highest samples of a GPU, as TelemetrySource::newestActivity() wants them. Values that are no
// measurement are left out. `samples` in any order.
ports::ActivityReading activityOf(std::vector<GaugeSample> samples, const ports::ActivityQuestion &question);

// From when samples are asked for, to answer the question at `now`.
base::UtcTime activityFrom(const ports::ActivityQuestion &question, base::UtcTime now);

} // namespace gpuledger::format
