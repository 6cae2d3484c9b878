// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement/statement.h"
#include "ui/cli/program/output.h"

namespace gpuledger::cli {

// The statement of a month as JSON, with the ids of its figures. For each currency, "steps_to_bill" leads from the
// totals of the listed teams to the bill: added to them, the amounts come to it exactly; null without a bill. Pure; any
// thread.
Json toJson(const reports::Statement &statement);

} // namespace gpuledger::cli
