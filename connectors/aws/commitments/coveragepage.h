// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/commitments/commitmentfacts.h"

#include <string>

// What GetSavingsPlansCoverage answers by INSTANCE_FAMILY, and GetReservationCoverage by INSTANCE_TYPE. No calls; plain
// functions.
namespace gpuledger::aws {

// Both add the coverage of a page, and return the token of the next page, empty after the last. Use that is not of
// machines is left out; what can't be read is counted. Both fail with Parse (not such an answer).
[[nodiscard]] base::Result<std::string> addPlanCoveragePage(const std::string &body, const AskedCommitments &asked,
                                                            CommitmentPart &out);
[[nodiscard]] base::Result<std::string> addReservationCoveragePage(const std::string &body,
                                                                   const AskedCommitments &asked, CommitmentPart &out);

} // namespace gpuledger::aws
