// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"
#include "app/model/fleet/usage.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// What a source knows about the present moment: raw samples, not means over buckets. Queried right before something is
// stopped, and never stored.
namespace gpuledger::ports {

using SampleTime = std::chrono::sys_time<std::chrono::milliseconds>;

// Selects the samples of a query about the present moment.
struct ActivityQuestion {
    base::UtcTime since{}; // every sample from then on counts, and at least those of the last two scrape intervals
    std::optional<base::UtcTime> at; // as of this time; std::nullopt: now, by the server's own clock
    double threshold = 0.05; // a device is active at or above this share
};

// How far back from `now` samples are considered if the query does not reach further back: three samples at a scrape
// interval of five minutes.
inline constexpr base::Seconds kActivityWindow{900};
// The furthest back that a query about the present may reach.
inline constexpr base::Seconds kLongestActivityWindow{2 * 3600};

// One series of one activity signal. HA replicas and old label sets of a device are separate series.
struct ActivityReading {
    struct Holder { // a holder that the labels may refer to; the exporter itself is left out
        model::SubjectKind kind = model::SubjectKind::Pod;
        std::string nameSpace, name;
    };
    struct Sample {
        SampleTime at{};
        double share = 0;
    };
    std::string cluster, uuid, gpuInstance;
    std::vector<std::string> nodes; // every name that its machine may have
    std::vector<Holder> holders;
    model::ActivitySignal signal = model::ActivitySignal::None;
    std::optional<Sample> newest; // std::nullopt: no sample is a measurement
    std::optional<Sample> most; // the maximum of those that count
    std::size_t samples = 0;
    std::chrono::milliseconds interval{}; // scrape interval estimated from the samples; 0: too few samples
};

// A counter or gauge of the requests that a pod serves.
struct RequestReading {
    std::string cluster, nameSpace, pod;
    SampleTime newest{};
    std::optional<SampleTime> served; // the newest sample that shows a request
    std::chrono::milliseconds interval{};
};

// The samples of one source at the present moment.
struct ActivityAnswer {
    SampleTime now{}; // by the server's clock, at the latest when it answered
    std::vector<ActivityReading> readings;
    std::vector<RequestReading> requests;
};

// How often a series is scraped, from the times of its samples, ascending; 0: fewer than two. Robust against a gap, and
// against a pair of servers that write to one series.
std::chrono::milliseconds scrapeInterval(const std::vector<SampleTime> &times);

// True if `newest` is current: at most two scrape intervals old.
constexpr bool isFresh(SampleTime newest, std::chrono::milliseconds interval, SampleTime now)
{
    const auto age = now - newest;
    return interval.count() > 0 && age <= 2 * interval && age >= -interval;
}

} // namespace gpuledger::ports
