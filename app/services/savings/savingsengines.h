// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time.h"
#include "app/model/costview.h"
#include "app/savings/assumptions.h"
#include "app/savings/proposal.h"

#include <stop_token>
#include <vector>

namespace gpuledger::services {

class Engine;

// What every engine is asked. `range` lies within the fetched data and has whole hours.
struct SavingsQuestion {
    base::TimeRange range;
    model::CostView cost = model::CostView::Effective;
    savings::Assumptions assumptions;
};

// One function for each savings::Kind: gathers the facts, calls the pure engine of app/savings, and returns its
// proposals, the excluded ones included. Blocking; any thread. They fail with Cancelled, Overflow and Storage… codes.
base::Result<std::vector<savings::Proposal>> capacityProposals(Engine &engine, const SavingsQuestion &question,
                                                               const std::stop_token &stop);
base::Result<std::vector<savings::Proposal>> scheduleProposals(Engine &engine, const SavingsQuestion &question,
                                                               const std::stop_token &stop);
base::Result<std::vector<savings::Proposal>> rightSizeProposals(Engine &engine, const SavingsQuestion &question,
                                                                const std::stop_token &stop);
base::Result<std::vector<savings::Proposal>> spotProposals(Engine &engine, const SavingsQuestion &question,
                                                           const std::stop_token &stop);
base::Result<std::vector<savings::Proposal>> commitmentProposals(Engine &engine, const SavingsQuestion &question,
                                                                 const std::stop_token &stop);

} // namespace gpuledger::services
