// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/assumedrules.h"
#include "app/savings/rightsize.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/rightsizefacts.h"
#include "app/services/savings/savingsengines.h"
#include "resources/resources.h"

#include <memory>
#include <utility>

namespace gpuledger::services {

base::Result<SavingsReplay> rightSizeReplay(Engine &engine, const SavingsQuestion &question,
                                            const std::stop_token &stop)
{
    const Setup &setup = engine.setup();
    const auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value_or(""));
    GPULEDGER_TRY(catalog);
    const auto prices = ledger::PriceBook::create(setup.settings.prices, setup.settings.currency,
                                                  resources::find("prices/instances.csv").value_or(""), *catalog);
    GPULEDGER_TRY(prices);
    auto view = viewOf(engine.cache(), *setup.ledger, question.cost);
    GPULEDGER_TRY(view);
    auto past = rightSizePast(
        *view->attribution,
        {question.range, setup.settings.currency, model::toShare(setup.settings.idle.threshold), {}}, *catalog, *prices,
        [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime at) {
            return setup.ledger->costTerms(*view->facts, devices, at);
        },
        stop);
    GPULEDGER_TRY(past);
    const auto kept = std::make_shared<const savings::RightSizePast>(std::move(*past));
    return SavingsReplay{[kept](const savings::Assumptions &assumed, const std::stop_token &stopped) {
                             return savings::proposeRightSizes(*kept, savings::rightSizeRules(assumed), stopped);
                         },
                         [kept](const std::string &id, const savings::Assumptions &assumed, const std::stop_token &) {
                             return savings::rightSizeCurve(*kept, id, savings::rightSizeRules(assumed));
                         }};
}

} // namespace gpuledger::services
