// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/spend/plannedmachines.h"
#include "ui/cli/program/output.h"

#include <string>

// Prints planned machines beside the bills, for `planned`. Pure; any thread.
namespace gpuledger::cli {

Json plannedJson(const services::PlannedAnswer &answer);
std::string plannedCsv(const services::PlannedAnswer &answer); // a row for each group of machines
std::string plannedText(const services::PlannedAnswer &answer, bool bold);

} // namespace gpuledger::cli
