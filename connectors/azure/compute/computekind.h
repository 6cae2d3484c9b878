// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/sourcekind.h"

namespace gpuledger::azure {

// The kind `azure`, as its descriptor declares it.
ports::SourceKind computeKind();

} // namespace gpuledger::azure
