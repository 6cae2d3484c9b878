// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/base/time/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuledger::model {

// The readings that can mean "busy", best first (definitions.md, Activity signal). The one used is stored with every
// bucket.
enum class ActivitySignal : std::uint8_t {
    None = 0,
    SmActive = 1,
    GraphicsEngineActive = 2,
    GpuUtilization = 3,
    DutyCycle = 4
};

// A share 0..1 as an integer in units of 1/60000, so that whole percents and their means over up to 12 samples are
// exact, and a mean just below a threshold never reaches it (it is truncated, not rounded). 65535 means "not reported".
inline constexpr std::uint16_t kShareScale = 60000;
inline constexpr std::uint16_t kNoShare = 65535;
inline constexpr std::uint32_t kNoMemory = 0xFFFFFFFF;
inline constexpr std::uint16_t kNoPower = 65535;

// NaN, infinite and negative values yield kNoShare; values above 1 yield 1 (profiling counters reach 1.29).
std::uint16_t toShare(double value);
constexpr double shareToDouble(std::uint16_t share)
{
    return static_cast<double>(share) / kShareScale;
}

// What one series reported in one base bucket. A bucket without any valid activity sample has observed == 0 and
// activity == kNoShare; it may still have memory and power. A missing bucket is absent from its track; nothing here is
// ever zero because it was missing.
struct UsageBucket {
    std::uint16_t index = 0; // bucket of the UTC day, 0..287
    std::uint16_t observed = 0; // seconds of the bucket covered by valid activity samples, 0..300
    ActivitySignal signal = ActivitySignal::None;
    std::uint16_t activity = kNoShare; // mean over the observed seconds
    std::uint16_t smActive = kNoShare; // mean SM activity where reported
    std::uint16_t tensorActive = kNoShare; // mean tensor pipe activity where reported
    std::uint32_t memoryMeanMib = kNoMemory;
    std::uint32_t memoryMaxMib = kNoMemory;
    std::uint16_t powerDeciwatt = kNoPower;

    bool operator==(const UsageBucket &) const = default;
};

// How the values of a series relate to its slice.
enum class SeriesRole : std::uint8_t {
    Slice = 0, // the slice's own reading; with holder labels, that holder's reading
    CopyPerHolder = 1, // the reading of the whole slice, repeated for every sharing holder: never summed
    ProcessShare = 2, // this holder's own part of a shared slice (measured shares)
    Listed = 3, // no reading: a list of machines says that the device was there from its first bucket to its last
};

// Buckets of one series in one UTC day, ascending by index, one entry per index.
struct UsageTrack {
    std::string gpuInstance; // MIG GPU_I_ID, empty for the whole device
    base::SubjectId subject; // the holder's name in the labels; 0 = the series names none
    base::NodeId node;
    SeriesRole role = SeriesRole::Slice;
    std::vector<UsageBucket> buckets;

    bool operator==(const UsageTrack &) const = default;
};

// The usage of one device in one UTC day.
struct DeviceDay {
    base::DeviceId device;
    base::Day day;
    std::vector<UsageTrack> tracks;
};

} // namespace gpuledger::model
