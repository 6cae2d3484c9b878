// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/seriesreader.h"

namespace gpuledger::format {

// Reads the array [[time,"value"],…] in the compact spelling that servers write and appends its samples, in half the
// time of reading it value by value. `text` begins with the array and is followed by at least eight readable bytes.
// Returns false if anything is spelled differently or invalid: `out` may then hold a part of the array, and the caller
// reads it by the general path, which also reports what is wrong.
[[nodiscard]] bool scanSamples(std::string_view text, std::vector<Sample> &out);

// Converts the text between quotes to a number; NaN if it is not one, like an unobserved sample.
double sampleValue(std::string_view text);

} // namespace gpuledger::format
