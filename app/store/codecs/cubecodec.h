// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/values/cube.h"

#include <cstdint>
#include <string>
#include <string_view>

// The blob of one measure, day and group: version (1 byte) | 96 deltas as zig-zag varints, where a 0 is followed by the
// number of further zeros | checksum over everything before it and the row's id (4 bytes).
namespace gpuledger::store::cubecodec {

// The row's id: the days of one measure are adjacent, and so are the groups within a day.
std::int64_t rowId(Measure measure, base::Day day, base::GroupId group);
Measure measureOf(std::int64_t rowId);
base::Day dayOf(std::int64_t rowId);
base::GroupId groupOf(std::int64_t rowId);
// The largest day and group that fit.
inline constexpr std::int32_t kMaxDay = (1 << 24) - 1;
inline constexpr std::int64_t kMaxGroup = (1 << 24) - 1;

bool isZero(const CellRow &cells);
// Overwrites `out`.
void encode(std::int64_t rowId, const CellRow &cells, std::string &out);
// False if the blob is damaged.
[[nodiscard]] bool decode(std::int64_t rowId, std::string_view blob, CellRow &cells);

} // namespace gpuledger::store::cubecodec
