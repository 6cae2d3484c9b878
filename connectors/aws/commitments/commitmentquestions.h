// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "connectors/aws/awswire.h"

#include <array>
#include <string>

// What Cost Explorer is asked about commitments. No calls; plain functions.
namespace gpuledger::aws {

enum class CommitmentQuestion { Plans, PlanCoverage, Reservations, ReservationCoverage };
inline constexpr std::array kCommitmentQuestions{CommitmentQuestion::Plans, CommitmentQuestion::Reservations,
                                                 CommitmentQuestion::PlanCoverage,
                                                 CommitmentQuestion::ReservationCoverage};

// What a reading can't tell without the right of this question: a sentence without a full stop.
std::string withheldWithout(CommitmentQuestion question);

// The call for one page about whole UTC days; `token` is empty for the first. Its action names the right, too.
Call commitmentCall(CommitmentQuestion question, const base::TimeRange &days, const std::string &token);

} // namespace gpuledger::aws
