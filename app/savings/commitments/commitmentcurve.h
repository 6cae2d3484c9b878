// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/commitments/commitments.h"
#include "app/savings/proposals/curve.h"

#include <string>

// What a commitment costs at each level. Pure; any thread.
namespace gpuledger::savings {

inline constexpr int kCommitmentCurveLevels = 60; // at most

// Of the proposal with this id: on-demand cost of the expected demand - commitmentGain(level), per month, for levels
// from zero to the largest hour, and the level that costs least. The offer is the one that the proposal is about; where
// none saves anything, the cheapest. std::nullopt: there is no such demand (an existing commitment has no levels), its
// past is too short, no price is known, or an amount is too large. Fails with InvalidArgument as proposeCommitments().
[[nodiscard]] base::Result<std::optional<ProposalCurve>> commitmentCurve(const CommitmentInput &input,
                                                                         const std::string &id);

// Parts of proposeCommitments(); internal to app/savings.
std::string commitmentId(const CommitmentDemand &demand);
CommitmentDemand expectedDemand(CommitmentDemand demand, int percent); // during the term
[[nodiscard]] base::Result<void> checkCommitmentDemand(const CommitmentDemand &demand); // Overflow: it is too large

} // namespace gpuledger::savings
