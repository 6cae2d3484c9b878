// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"
#include "app/model/fleet.h"
#include "app/model/usage.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// What a source knows of the present moment: raw samples, no means over buckets. Asked right before something is
// stopped, and stored nowhere.
namespace gpuledger::ports {

using SampleTime = std::chrono::sys_time<std::chrono::milliseconds>;

struct ActivityQuestion {
    base::UtcTime since{}; // every sample from then on counts, and those of the last two scrape intervals at least
    std::optional<base::UtcTime> at; // as if it were then; nothing: now, by the server's own clock
    double threshold = 0.05; // a share from which on a device is active
};

// How much of the time before `now` is looked at when the question does not reach further back: three samples of a
// scrape every five minutes.
inline constexpr base::Seconds kActivityWindow{900};
// Further back than this no question about the present goes.
inline constexpr base::Seconds kLongestActivityWindow{2 * 3600};

// One series of one activity signal. HA replicas and old label sets of one device are series of their own.
struct ActivityReading {
    struct Holder { // whom the labels may mean; the exporter itself is left out
        model::SubjectKind kind = model::SubjectKind::Pod;
        std::string nameSpace, name;
    };
    struct Sample {
        SampleTime at{};
        double share = 0;
    };
    std::string cluster, uuid, gpuInstance;
    std::vector<std::string> nodes; // every name that its machine may go by
    std::vector<Holder> holders;
    model::ActivitySignal signal = model::ActivitySignal::None;
    std::optional<Sample> newest; // nothing: no sample is a measurement
    std::optional<Sample> most; // the greatest of those that count
    std::size_t samples = 0;
    std::chrono::milliseconds interval{}; // of its scrapes, by the samples themselves; 0: too few of them
};

// A counter or gauge of the requests that a pod serves.
struct RequestReading {
    std::string cluster, nameSpace, pod;
    SampleTime newest{};
    std::optional<SampleTime> served; // the newest sample that shows one
    std::chrono::milliseconds interval{};
};

struct ActivityAnswer {
    SampleTime now{}; // by the server's clock, when it answered at the latest
    std::vector<ActivityReading> readings;
    std::vector<RequestReading> requests;
};

// How often a series is scraped, by the times of its samples, ascending; 0: there are fewer than two. A gap, and a pair
// of servers that write into one series, do not change it.
std::chrono::milliseconds scrapeInterval(const std::vector<SampleTime> &times);

// Whether `newest` is of the present: at most two scrape intervals old.
constexpr bool isFresh(SampleTime newest, std::chrono::milliseconds interval, SampleTime now)
{
    const auto age = now - newest;
    return interval.count() > 0 && age <= 2 * interval && age >= -interval;
}

} // namespace gpuledger::ports
