// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/realized/realized.h"
#include "app/services/savings/savingsservice.h"
#include "ui/cli/program/output.h"

#include <vector>

// Adds "figures" to the JSON of savings, as figureids.h does for other answers. Pure; any thread.
namespace gpuledger::cli {

// `json` has the list's sums under "total".
void addSumFigures(Json &json, const savings::SavingsList &list, const services::SavingsQuery &query);
// `json` is one item of the list.
void addProposalFigures(Json &json, const savings::SavingsList &list, const savings::Proposal &proposal,
                        const services::SavingsQuery &query);

// `json` is a line of what was really saved, in this view of cost.
void addRealizedFigures(Json &json, const savings::Realized &one, model::CostView cost);
// `json` is a sum of what `all` has.
void addRealizedSumFigures(Json &json, const savings::RealizedTotal &sum, const std::vector<savings::Realized> &all,
                           model::CostView cost);

} // namespace gpuledger::cli
