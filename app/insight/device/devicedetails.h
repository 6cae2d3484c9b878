// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query/measuresums.h"
#include "app/insight/query/query.h"
#include "app/insight/query/reach.h"
#include "app/model/fleet/fleet.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/facts/factreader.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::insight {

// Selects the device and the time range of a device page.
struct DeviceQuery {
    std::string device; // UUID; "UUID:<instance>" for a slice, which selects the whole device
    std::string cluster; // empty: any cluster that has the device
    Query query; // range, and a filter on the device's time
    int points = 300; // maximum number of points per line
};

// A holder's uninterrupted time on a device; one per slice.
struct DeviceStay {
    std::string id; // stable within one result
    std::string workload, nameSpace, pod, team;
    model::WorkloadKind kind = model::WorkloadKind::Unknown;
    std::string slice; // GPU instance; empty: the whole device
    base::TimeRange range; // within the queried range
    bool beganBefore = false; // it started before the queried range
    bool endedLater = false; // it was still there at the end of the range, or at the end of the data if that is earlier
    base::GpuTime held, idle;
    std::int64_t costNanos = 0;
    base::GpuTime unpriced;
};

// One line per slice of a MIG device, else a single line. A value is the mean of the observations in its step.
struct DeviceLines {
    struct Unit {
        std::string slice; // GPU instance; empty: the whole device
        std::string profile; // of the slice, "1g.10gb"
        std::vector<std::optional<double>> activity; // 0..1
        std::vector<std::optional<double>> memoryMib;
    };
    base::UtcTime first{}; // start of the first step
    base::Seconds step{300};
    std::size_t count = 0;
    std::vector<Unit> units; // ascending by slice
    std::vector<std::optional<double>> powerW; // of the whole device, however many slices repeat it
    model::ActivitySignal signal = model::ActivitySignal::None; // the newest
};

// Everything about one device over some time.
struct DeviceDetails {
    model::Device device;
    std::string gpuModel; // the catalogue name, else the exporter's
    std::optional<model::Node> node; // the newest
    base::TimeRange range; // whole quarter hours
    MeasureSums sums;
    base::GpuTime notSynced; // paid time expected beyond the end of stale data; not included in any sum
    base::UtcTime dataEnd{}; // for this device, at most the end of the range
    std::vector<DeviceStay> stays; // newest first
    DeviceLines lines;
    bool priced = false;
    base::Rate rate; // of the newest piece of time, per hour of a whole device
    std::string priceSource;
    bool severalPrices = false; // another part of the range had a different rate
    double restingW = 0; // 0: unknown
};

// The step of a line over a range: the shortest of a list of round steps that yields at most `points` points.
base::Seconds lineStep(base::TimeRange range, int points, base::Seconds atLeast = base::kBucket);

// Reads only the days of this device. `reach` is that of the range. Blocking; call from a worker thread. Fails with
// NotFound (the device was never seen) or Storage… codes.
[[nodiscard]] base::Result<DeviceDetails> deviceDetails(store::FactReader &facts, store::AttributionReader &attribution,
                                                        const DeviceQuery &query, const Reach &reach = {});

} // namespace gpuledger::insight
