// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/values/gapkept.h"

#include <string>
#include <string_view>

// The blobs of the stored gaps: version (1 byte) | varints, texts prefixed by their length | checksum over everything
// before it and the day (4 bytes). Ids of holders are stored as the difference from the previous run; of a count, only
// the classes that are not zero.
namespace gpuledger::store::gapcodec {

std::string encode(base::Day day, const GapDay &gaps);
std::string encode(base::Day day, const GapPast &past);
// False if the blob is damaged.
[[nodiscard]] bool decode(base::Day day, std::string_view blob, GapDay &gaps);
[[nodiscard]] bool decode(base::Day day, std::string_view blob, GapPast &past);
// Written by a program that counted the same days otherwise: to be counted again.
[[nodiscard]] bool isOutdatedPast(std::string_view blob);

} // namespace gpuledger::store::gapcodec
