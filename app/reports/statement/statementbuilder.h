// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/statement/statementinput.h"

namespace gpuledger::reports {

// Fails with NotFound (no such team in that month) or Overflow.
[[nodiscard]] base::Result<Statement> makeStatement(const StatementInput &input);

} // namespace gpuledger::reports
