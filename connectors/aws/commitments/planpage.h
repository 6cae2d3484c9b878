// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/commitments/commitmentfacts.h"

#include <string>

// What GetSavingsPlansUtilizationDetails answers. No calls; plain functions.
namespace gpuledger::aws {

// Adds the Savings Plans of a page that have not ended, and returns the token of the next page, empty after the last.
// Those that can't be read are counted. Fails with Parse (not such an answer).
[[nodiscard]] base::Result<std::string> addPlanPage(const std::string &body, const AskedCommitments &asked,
                                                    CommitmentPart &out);

} // namespace gpuledger::aws
