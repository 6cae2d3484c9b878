// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/exports/objectstore.h"

#include <string_view>

namespace gpuledger::aws {

// A page of ListObjectsV2. Fails with Parse.
[[nodiscard]] base::Result<format::ObjectPage> objectPageOf(std::string_view body);

} // namespace gpuledger::aws
