// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/exports/objectstore.h"

#include <string_view>

namespace gpuledger::azure {

// A page of List Blobs. Fails with Parse.
[[nodiscard]] base::Result<format::ObjectPage> blobPageOf(std::string_view body);

} // namespace gpuledger::azure
