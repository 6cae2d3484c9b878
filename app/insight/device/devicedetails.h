// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query/measuresums.h"
#include "app/insight/query/query.h"
#include "app/insight/query/reach.h"
#include "app/model/fleet.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/facts/factreader.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::insight {

struct DeviceQuery {
    std::string device; // UUID; of a slice "UUID:<instance>", which asks for the whole device
    std::string cluster; // empty: whichever has it
    Query query; // range, and what of the device's time is counted
    int points = 300; // of a line, at most
};

// Somebody's time on a device without a pause; on each slice its own.
struct DeviceStay {
    std::string id; // stable within an answer
    std::string workload, nameSpace, pod, team;
    model::WorkloadKind kind = model::WorkloadKind::Unknown;
    std::string slice; // GPU instance; empty: the whole device
    base::TimeRange range; // within the asked one
    bool beganBefore = false; // it goes on before the asked range
    bool endedLater = false; // it was there at the end of the range, or of the data where these end before
    base::GpuTime held, idle;
    std::int64_t costNanos = 0;
    base::GpuTime unpriced;
};

// One line for each slice of a MIG device, else one. A value is the mean of what was observed in its step.
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
    std::string gpuModel; // the catalogue's name, else the exporter's
    std::optional<model::Node> node; // the newest
    base::TimeRange range; // whole quarter hours
    MeasureSums sums;
    base::GpuTime notSynced; // paid time to be expected behind stale data; in no sum
    base::UtcTime dataEnd{}; // of the device, at most the end of the range
    std::vector<DeviceStay> stays; // newest first
    DeviceLines lines;
    bool priced = false;
    base::Rate rate; // of the newest piece of time; of one whole device hour
    std::string priceSource;
    bool severalPrices = false; // another rate held in another part of the range
    double restingW = 0; // 0: unknown
};

// The step of a line over a range: the shortest of a list of round ones that gives at most `points`.
base::Seconds lineStep(base::TimeRange range, int points, base::Seconds atLeast = base::kBucket);

// Reads only the days of the one device. `reach` is that of the range. Blocking; worker threads. Fails with NotFound
// (no such device was ever seen) or Storage… codes.
[[nodiscard]] base::Result<DeviceDetails> deviceDetails(store::FactReader &facts, store::AttributionReader &attribution,
                                                        const DeviceQuery &query, const Reach &reach = {});

} // namespace gpuledger::insight
