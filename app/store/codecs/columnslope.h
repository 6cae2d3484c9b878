// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// How one column follows another; reading and writing must agree exactly. Pure functions; any thread.
namespace gpuledger::store::columns {

constexpr int kSlopeBits = 24; // fractional bits
constexpr double kSteepest = 1e9; // maximum slope in those units; a steeper one is not used

inline std::int64_t along(std::int64_t slope, std::uint32_t guide)
{
    return (slope * std::int64_t{guide} + (std::int64_t{1} << (kSlopeBits - 1))) >> kSlopeBits;
}

} // namespace gpuledger::store::columns
