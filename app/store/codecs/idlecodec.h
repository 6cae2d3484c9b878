// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/values/idlekept.h"

#include <string>
#include <string_view>

// The blobs of the stored idle list: version (1 byte) | fields as varints, texts prefixed by their length | checksum
// over everything before it and the row's id (4 bytes). Within a day, ids are stored as the difference from the
// previous unit.
namespace gpuledger::store::idlecodec {

std::string encode(base::Day day, const IdleDay &units);
// Whether an older version wrote it, which stored neither whole days nor idle time without a price.
bool isOlderDay(std::string_view blob);
// False if the blob is damaged.
[[nodiscard]] bool decode(base::Day day, std::string_view blob, IdleDay &units);

std::string encode(std::int64_t rowId, const IdleCandidate &candidate);
[[nodiscard]] bool decode(std::int64_t rowId, std::string_view blob, IdleCandidate &candidate);

} // namespace gpuledger::store::idlecodec
