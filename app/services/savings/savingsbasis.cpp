// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/assumptions/assumedrules.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsfacts.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/savings/usualassumptions.h"

namespace gpuledger::services {

using base::Result;

Result<std::optional<savings::ProposalBasis>>
SavingsFacts::basis(const SavingsQuery &query, const std::string &proposal, const std::stop_token &stop)
{
    const auto known = pastOfOneSetup(query, stop);
    GPULEDGER_TRY(known);
    const savings::Assumptions assumed = assumedAmong(query.assumptions, (*known)->key.setup->settings.savings);
    for (const auto &part : (*known)->parts) {
        if (!part->replay.basis)
            continue;
        auto found = part->replay.basis(proposal, savings::assumptionsOf(part->kind, assumed), stop);
        if (!found || *found)
            return found;
    }
    return std::optional<savings::ProposalBasis>();
}

Result<std::optional<savings::ProposalBasis>>
SavingsService::basis(const SavingsQuery &query, const std::string &proposal, const std::stop_token &stop)
{
    return ofOneState(m_engine.cache(), [&] { return m_facts->basis(query, proposal, stop); });
}

} // namespace gpuledger::services
