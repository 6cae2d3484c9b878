// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/commitments/commitmentfacts.h"

#include <string>

// What GetReservationUtilization answers by SUBSCRIPTION_ID. No calls; plain functions.
namespace gpuledger::aws {

// Adds the reservations of a page that have not ended, and returns the token of the next page, empty after the last.
// Those that can't be read are counted. Fails with Parse (not such an answer).
[[nodiscard]] base::Result<std::string> addReservationPage(const std::string &body, const AskedCommitments &asked,
                                                           CommitmentPart &out);

} // namespace gpuledger::aws
