// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace arrow {
class Array;
class DataType;
} // namespace arrow

namespace gpuledger::format {

inline constexpr int kMostNested = 32; // lists and structs inside each other

// How many lists, structs and maps lie inside each other in values of this type; counts up to kMostNested + 1.
int nestingOf(const arrow::DataType &type);

// Appends the value as text, and returns whether it was a text: null as nothing, decimals exactly, floating-point
// numbers with as many digits as tell them apart, times as ISO 8601 in UTC (those without a zone are UTC), maps,
// structs and lists as JSON, and types that no bill has in Arrow's own form.
bool appendCell(const arrow::Array &array, std::int64_t row, std::string &out);

} // namespace gpuledger::format
