// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/sourcekind.h"

namespace gpuledger::aws {

// The kind of sources that read the bill from Cost Explorer and the budgets of AWS Budgets, with its settings and
// rights.
ports::SourceKind costsKind();

} // namespace gpuledger::aws
