// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/assumedrules.h"
#include "app/savings/capacityoffer.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/capacitypools.h"
#include "app/services/savings/savingsengines.h"

#include <iterator>
#include <memory>
#include <utility>

namespace gpuledger::services {

using base::Result;

Result<SavingsReplay> capacityReplay(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop)
{
    const Setup &setup = engine.setup();
    auto view = viewOf(engine.cache(), *setup.ledger, question.cost);
    GPULEDGER_TRY(view);
    auto read = capacityPools(*setup.ledger, *view->facts, *view->attribution, question.range, stop);
    GPULEDGER_TRY(read);
    return
        [pools = std::make_shared<const std::vector<savings::CapacityPool>>(std::move(*read)),
         currency = setup.settings.currency](const savings::Assumptions &assumed,
                                             const std::stop_token &stopped) -> Result<std::vector<savings::Proposal>> {
            const savings::CapacityPolicy policy = savings::capacityPolicy(assumed);
            std::vector<savings::Proposal> out;
            for (const savings::CapacityPool &pool : *pools) {
                if (stopped.stop_requested())
                    return base::fail(base::ErrorCode::Cancelled, "cancelled");
                auto offers = savings::offerCapacity(pool, policy, currency);
                GPULEDGER_TRY(offers);
                out.insert(out.end(), std::make_move_iterator(offers->begin()), std::make_move_iterator(offers->end()));
            }
            return out;
        };
}

} // namespace gpuledger::services
