// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/session.h"

namespace gpuledger::cli {

// Prints what each team is charged for machines with GPUs under every split policy.
[[nodiscard]] base::Result<void> printSplitLens(Session &session, const insight::Month &month, reports::CostView view);

} // namespace gpuledger::cli
