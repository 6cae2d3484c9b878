// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/timezone.h"
#include "app/services/savings/savingsservice.h"
#include "ui/cli/program/command.h"

#include <string>
#include <vector>

namespace gpuledger::cli {

void addAssumeOption(CLI::App &verb, std::vector<std::string> &assume);

// What --from, --to, --cost and --assume ask for, of all kinds, so that a choice is about the proposal that the list
// with the same options shows. Fails with InvalidArgument.
[[nodiscard]] base::Result<services::SavingsQuery> savingsQuery(const Session &session, const base::TimeZone &zone,
                                                                const std::string &cost,
                                                                const std::vector<std::string> &assume);

} // namespace gpuledger::cli
