// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <compare>
#include <cstdint>

namespace gpuledger::base {

// Device time as an exact integer. One GPU-second = 2520 ticks, the least common multiple of 1..10, so that a MIG slice
// (n/7, n/4, n/8) and an equal split among up to ten holders are whole numbers; other splits use the largest remainder.
// Range: 10,000 GPUs for 100 years use 1/100 of it.
struct GpuTime {
    static constexpr std::int64_t kTicksPerSecond = 2520;

    std::int64_t ticks = 0;

    static constexpr GpuTime wholeDevice(Seconds s) { return {s.count() * kTicksPerSecond}; }
    constexpr double seconds() const { return static_cast<double>(ticks) / kTicksPerSecond; }
    constexpr double hours() const { return seconds() / 3600.0; }
    constexpr auto operator<=>(const GpuTime &) const = default;
    constexpr GpuTime operator+(GpuTime o) const { return {ticks + o.ticks}; }
    constexpr GpuTime operator-(GpuTime o) const { return {ticks - o.ticks}; }
    constexpr GpuTime &operator+=(GpuTime o)
    {
        ticks += o.ticks;
        return *this;
    }
};

} // namespace gpuledger::base
