// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spotoffer.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsengines.h"
#include "app/services/savings/sizedfacts.h"
#include "app/services/savings/spotfacts.h"
#include "resources/resources.h"

#include <memory>
#include <utility>

namespace gpuledger::services {

using base::Result;

Result<SavingsReplay> spotReplay(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop)
{
    const Setup &setup = engine.setup();
    const auto published = savings::readPublishedSpot(resources::find("prices/spot_interruptions.csv").value_or(""));
    GPULEDGER_TRY(published);
    const auto sized = sizedFacts(engine, question, stop);
    GPULEDGER_TRY(sized);
    auto view = viewOf(engine.cache(), *setup.ledger, question.cost);
    GPULEDGER_TRY(view);
    auto past = spotPast(*(*sized)->past(), *view->facts, question.range);
    GPULEDGER_TRY(past);
    const auto seen = spotSeen(*view->facts, question.range, (*sized)->spotNodes());
    GPULEDGER_TRY(seen);
    GPULEDGER_TRY(
        setSpotMarkets(*past, {(*sized)->bills(), *published, *seen, (*sized)->prices(), question.range.end}));
    return [kept = std::make_shared<const savings::SpotPast>(std::move(*past))](const savings::Assumptions &assumed,
                                                                                const std::stop_token &stopped) {
        return savings::proposeSpots(*kept, assumed, {}, stopped);
    };
}

} // namespace gpuledger::services
