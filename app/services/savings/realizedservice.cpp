// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/engine/engine.h"
#include "app/services/savings/realizedfacts.h"
#include "app/services/savings/savingsservice.h"

#include <vector>

namespace gpuledger::services {

namespace {

constexpr std::uint64_t kRealizedSeed = 1;

} // namespace

base::Result<std::vector<savings::Realized>> SavingsService::realized(model::CostView cost, const std::stop_token &stop)
{
    return ofOneState(m_engine.cache(), [&]() -> base::Result<std::vector<savings::Realized>> {
        auto accepted = choices();
        GPULEDGER_TRY(accepted);
        std::erase_if(*accepted,
                      [](const savings::Choice &one) { return one.draft.state != savings::ChoiceState::Accepted; });
        std::vector<savings::Realized> out;
        if (accepted->empty())
            return out;
        const Setup &setup = m_engine.setup();
        const auto view = viewOf(m_engine.cache(), *setup.ledger, cost);
        GPULEDGER_TRY(view);
        const auto covered = view->facts->coveredRange();
        GPULEDGER_TRY(covered);
        const auto pasts = realizedPasts(*view->attribution, *accepted, *covered, setup.settings.currency, stop);
        GPULEDGER_TRY(pasts);
        for (std::size_t i = 0; i < accepted->size(); ++i)
            out.push_back(savings::measureRealized((*pasts)[i], (*accepted)[i].id, kRealizedSeed));
        return out;
    });
}

} // namespace gpuledger::services
