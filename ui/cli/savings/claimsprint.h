// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/spend/claimedsavings.h"
#include "ui/cli/program/output.h"

#include <string>

// Prints claimed savings beside the bill, for `claims`. Pure; any thread.
namespace gpuledger::cli {

std::string gapText(services::ClaimGap gap); // why a claim is not compared

Json claimsJson(const services::ClaimsAnswer &answer);
std::string claimsCsv(const services::ClaimsAnswer &answer);
std::string claimsText(const services::ClaimsAnswer &answer, bool bold);

} // namespace gpuledger::cli
