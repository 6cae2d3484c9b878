// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/capacityoffer.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/capacitypools.h"
#include "app/services/savings/savingsengines.h"

#include <iterator>
#include <utility>

namespace gpuledger::services {

using base::Result;

Result<std::vector<savings::Proposal>> capacityProposals(Engine &engine, const SavingsQuestion &question,
                                                         const std::stop_token &stop)
{
    const Setup &setup = engine.setup();
    auto view = viewOf(engine.cache(), *setup.ledger, question.cost);
    GPULEDGER_TRY(view);
    auto pools = capacityPools(*setup.ledger, *view->facts, *view->attribution, question.range, stop);
    GPULEDGER_TRY(pools);
    std::vector<savings::Proposal> out;
    for (savings::CapacityPool &pool : *pools) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        auto offers = savings::offerCapacity(pool, {}, setup.settings.currency);
        GPULEDGER_TRY(offers);
        out.insert(out.end(), std::make_move_iterator(offers->begin()), std::make_move_iterator(offers->end()));
        pool = {}; // its hours are not needed any more
    }
    return out;
}

} // namespace gpuledger::services
