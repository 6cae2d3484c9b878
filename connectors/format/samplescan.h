// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/seriesreader.h"

namespace gpuledger::format {

// Reads the array [[time,"value"],…] in the compact spelling that servers write, and appends its samples: half the time
// of walking it value by value. `text` begins with the array and is followed by at least eight readable bytes. False
// when anything is spelled otherwise or is wrong: then `out` may hold a part of it, and the caller reads the array in
// the general way, which also knows what is wrong.
[[nodiscard]] bool scanSamples(std::string_view text, std::vector<Sample> &out);

// Text between quotes as a number. NaN when it is none, as an unobserved sample is.
double sampleValue(std::string_view text);

} // namespace gpuledger::format
