// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/spotoffer.h"
#include "app/services/engine/engine.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/placementmemory.h"
#include "app/services/savings/savingsengines.h"
#include "app/services/savings/sizedfacts.h"
#include "app/services/savingsinputs/spot/spotfacts.h"
#include "app/services/savingsinputs/spot/spotquotes.h"
#include "resources/resources.h"

#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::Result;

namespace {

Result<std::vector<model::PlacementRating>> keptRatings(const Engine &engine)
{
    std::vector<model::PlacementRating> all;
    for (const model::SourceSettings &source : engine.setup().settings.sources) {
        if (!source.mayRead || !engine.kindOf(source).tellsPrices())
            continue;
        auto kept = keptPlacement(engine.cache(), source.name);
        GPULEDGER_TRY(kept);
        std::move(kept->ratings.begin(), kept->ratings.end(), std::back_inserter(all));
    }
    return all;
}

} // namespace

std::vector<std::string> sourcesWithPrices(const Engine &engine, const model::Settings &settings)
{
    std::vector<std::string> names;
    for (const model::SourceSettings &source : settings.sources) {
        if (source.mayRead && engine.kindOf(source).tellsPrices())
            names.push_back(source.name);
    }
    return names;
}

Result<SavingsReplay> spotReplay(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop)
{
    const Setup &setup = engine.setup();
    const auto published = publishedSpot();
    GPULEDGER_TRY(published);
    const auto sized = sizedFacts(engine, question, stop);
    GPULEDGER_TRY(sized);
    const auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value_or(""));
    GPULEDGER_TRY(catalog);
    model::PriceSettings rates; // alone: what the user pays instead of a list price says nothing about spot
    rates.exchangeRates = setup.settings.prices.exchangeRates;
    const auto list = ledger::PriceBook::create(rates, setup.settings.currency,
                                                resources::find("prices/instances.csv").value_or(""), *catalog);
    GPULEDGER_TRY(list);
    auto view = viewOf(engine.cache(), *setup.ledger, question.cost);
    GPULEDGER_TRY(view);
    auto past = spotPast(*(*sized)->past(), *view->facts, question.range, stop);
    GPULEDGER_TRY(past);
    const auto seen = spotSeen(*view->facts, question.range, (*sized)->spotNodes());
    GPULEDGER_TRY(seen);
    const SpotHistories histories = readSpotHistories(setup.settings.savings.spotHistory, question.range.end);
    const std::vector<std::string> told = sourcesWithPrices(engine, setup.settings);
    const auto quotes = readSpotQuotes(past->markets, {setup.settings.prices, told}, engine.cache().prices(),
                                       question.range.end, engine.clock().now());
    GPULEDGER_TRY(quotes);
    const auto ratings = keptRatings(engine);
    GPULEDGER_TRY(ratings);
    GPULEDGER_TRY(setSpotMarkets(*past,
                                 {(*sized)->bills(), *published, *seen, (*sized)->prices(), *list, question.range.end,
                                  &histories, &*catalog, &*quotes, &*ratings}));
    past->unread = histories.unread;
    const auto kept = std::make_shared<const savings::SpotPast>(std::move(*past));
    SavingsReplay replay{
        [kept](const savings::Assumptions &assumed, const std::stop_token &stopped) {
            return savings::proposeSpots(*kept, assumed, {}, stopped);
        },
        [kept](const std::string &id, const savings::Assumptions &assumed, const std::stop_token &stopped) {
            return savings::spotCurve(*kept, assumed, id, {}, stopped);
        },
        [kept, start = question.range.start](const std::string &id, const savings::Assumptions &assumed,
                                             const std::stop_token &stopped) {
            return savings::spotBasis(*kept, assumed, id, start, {}, stopped);
        }};
    for (const savings::SpotUnread &file : kept->unread)
        replay.warnings.push_back(savings::unreadRemark(file));
    return replay;
}

} // namespace gpuledger::services
