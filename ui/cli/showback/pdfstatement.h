// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/spend/reconcile.h"
#include "app/reports/statement/statement.h"
#include "ui/cli/program/session.h"

#include <string>

namespace gpuledger::cli {

// Writes a statement as PDF. Pages are drawn by the GUI program in this program's folder, which is run without a
// display. Blocks. Fails with Unsupported (it is not installed) or Storage (it failed and reported why on stderr).
[[nodiscard]] base::Result<void> writePdfStatement(Session &session, const insight::Month &month,
                                                   reports::CostView view, bool withSavings, const std::string &file);

} // namespace gpuledger::cli
