// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/model/money/costview.h"
#include "app/savings/proposals/proposal.h"
#include "ui/cli/program/jsonrows.h"

#include <string>
#include <vector>

// Prints what could be saved, for `savings`. Pure; any thread.
namespace gpuledger::cli {

// The answer without its items.
Json savingsHead(const savings::SavingsList &list, model::CostView view);
Json sumsJson(const savings::SavingsList &list);
Json proposalJson(const savings::Proposal &proposal);
std::string savingsCsv(const std::vector<savings::Proposal> &items);
// `all`: also those rows that a short list leaves out.
std::string savingsText(const savings::SavingsList &list, model::CostView view, const base::TimeZone &zone, bool all,
                        bool bold);
// One proposal with its assumptions, evidence, risks and how to do it.
std::string proposalText(const savings::Proposal &proposal);

} // namespace gpuledger::cli
