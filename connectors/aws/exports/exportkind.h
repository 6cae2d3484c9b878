// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/sourcekind.h"

namespace gpuledger::aws {

// The kind `aws-export`: its settings, rights and capabilities.
ports::SourceKind exportKind();

} // namespace gpuledger::aws
