// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/values/idlekept.h"

#include <string>
#include <string_view>

// The blobs of what is kept for the idle list: version (1 byte) | fields as varints, texts by length | checksum over
// all before it and the row's id (4 bytes). In a day, ids are told as the distance to the unit before.
namespace gpuledger::store::idlecodec {

std::string encode(base::Day day, const IdleDay &units);
// False when the blob is damaged.
[[nodiscard]] bool decode(base::Day day, std::string_view blob, IdleDay &units);

std::string encode(std::int64_t rowId, const IdleCandidate &candidate);
[[nodiscard]] bool decode(std::int64_t rowId, std::string_view blob, IdleCandidate &candidate);

} // namespace gpuledger::store::idlecodec
