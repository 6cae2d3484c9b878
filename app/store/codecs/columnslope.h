// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// How one column follows another; reading and writing must agree to the last bit. Pure functions; any thread.
namespace gpuledger::store::columns {

constexpr int kSlopeBits = 24; // after the point
constexpr double kSteepest = 1e9; // of a slope in those units; beyond it nothing follows anything

inline std::int64_t along(std::int64_t slope, std::uint32_t guide)
{
    return (slope * std::int64_t{guide} + (std::int64_t{1} << (kSlopeBits - 1))) >> kSlopeBits;
}

} // namespace gpuledger::store::columns
