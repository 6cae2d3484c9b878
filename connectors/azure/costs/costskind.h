// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/sourcekind.h"

namespace gpuledger::azure {

// The kind `azure-costs`: its settings, rights and capabilities.
ports::SourceKind costsKind();

} // namespace gpuledger::azure
