// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/statement/monthstatus.h"
#include "ui/cli/program/session.h"

#include <optional>
#include <string>
#include <vector>

// Months signed off on the command line: the parts of `showback` that show who signed off what, or do it.
namespace gpuledger::cli {

// Marks the month, or the statement of the named team, as reviewed. Fails with Refused.
[[nodiscard]] base::Result<void> review(Session &session, const insight::Month &month,
                                        const std::vector<std::string> &team);

// Closes the month after the user has agreed: with --yes (`agreed`), or on the terminal. Fails with Refused or
// Cancelled.
[[nodiscard]] base::Result<void> closeMonth(Session &session, const insight::Month &month, const std::string &reason,
                                            bool agreed);

// All months and their sign-off states.
[[nodiscard]] base::Result<void> printMonths(Session &session);

// The audit log, for one month or all of it.
[[nodiscard]] base::Result<void> printHistory(Session &session, const std::optional<insight::Month> &month);

// {state, closed_at, closed_by, reason, hash, …}
Json toJson(const reports::MonthStatus &status);

} // namespace gpuledger::cli
