// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/savings/proposals/choice.h"
#include "app/savings/proposals/proposal.h"
#include "app/savings/realized/realized.h"

#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::reports {
struct Statement;
struct StatementSavings;
} // namespace gpuledger::reports

namespace gpuledger::services {

class SavingsService;

// What could be saved, for `statement`; of `team` alone, or of all (empty). In the statement's cost, with the default
// assumptions of the configuration, as of when it was made. The proposals of a team are those that have it as their
// owner; what several teams use is in none of them. Reads 28 days of facts unless `savings` has them already, so call
// it from a worker thread, and only if it is asked for; any thread. The same data give the same answer in every
// process. Fails with InvalidArgument (the month is closed: it is shown as it was closed), Cancelled and
// like SavingsService.
[[nodiscard]] base::Result<reports::StatementSavings> foundSavings(SavingsService &savings,
                                                                   const reports::Statement &statement,
                                                                   const std::string &team,
                                                                   const std::stop_token &stop = {});

// The same in two steps, for many teams of one month: what takes long is read once.
struct SavingsOfMonth {
    savings::SavingsList list;
    std::vector<savings::Choice> choices;
    std::vector<savings::Realized> realized;
};
[[nodiscard]] base::Result<SavingsOfMonth> savingsOfMonth(SavingsService &savings, const reports::Statement &statement,
                                                          const std::stop_token &stop = {});
// Quick. Fails with Overflow.
[[nodiscard]] base::Result<reports::StatementSavings>
foundSavings(const SavingsOfMonth &known, const reports::Statement &statement, const std::string &team);

} // namespace gpuledger::services
