// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spotoffer.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/rightsizefacts.h"
#include "app/services/savings/savingsengines.h"
#include "app/services/savings/spotfacts.h"
#include "resources/resources.h"

#include <memory>
#include <utility>

namespace gpuledger::services {

using base::Result;

namespace {

// What the bills of the range say; `nodes` must outlive it.
struct SpotBills {
    std::vector<model::Node> nodes;
    std::vector<ledger::NodeDay> machines; // parallel to the nodes
    std::optional<BilledCommitments> bills;
    std::set<base::NodeId> spotNodes;

    Result<void> read(const ledger::PriceBook &prices, store::FactReader &facts, base::TimeRange range,
                      const std::stop_token &stop)
    {
        auto all = facts.nodes();
        GPULEDGER_TRY(all);
        nodes = std::move(*all);
        for (const model::Node &node : nodes) {
            machines.emplace_back().node = &node;
            machines.back().cluster = node.cluster;
        }
        bills.emplace(prices, machines);
        GPULEDGER_TRY(bills->read(base::dayOf(range.start), base::dayOf(range.end - base::Seconds{1}), facts, stop));
        for (const std::size_t node : bills->spotNodes())
            spotNodes.insert(nodes[node].id);
        return {};
    }
};

} // namespace

Result<SavingsReplay> spotReplay(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop)
{
    const Setup &setup = engine.setup();
    const auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value_or(""));
    GPULEDGER_TRY(catalog);
    const auto prices = ledger::PriceBook::create(setup.settings.prices, setup.settings.currency,
                                                  resources::find("prices/instances.csv").value_or(""), *catalog);
    GPULEDGER_TRY(prices);
    const auto list = ledger::PriceBook::create({setup.settings.prices.exchangeRates, {}, {}}, setup.settings.currency,
                                                resources::find("prices/instances.csv").value_or(""), *catalog);
    GPULEDGER_TRY(list);
    const auto published = savings::readPublishedSpot(resources::find("prices/spot_interruptions.csv").value_or(""));
    GPULEDGER_TRY(published);
    auto view = viewOf(engine.cache(), *setup.ledger, question.cost);
    GPULEDGER_TRY(view);
    SpotBills billed;
    GPULEDGER_TRY(billed.read(*prices, *view->facts, question.range, stop));
    const auto sized = rightSizePast(
        *view->attribution,
        {question.range, setup.settings.currency, model::toShare(setup.settings.idle.threshold), billed.spotNodes},
        *catalog, *prices,
        [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime at) {
            return setup.ledger->costTerms(*view->facts, devices, at);
        },
        stop);
    GPULEDGER_TRY(sized);
    auto past = spotPast(*sized, *view->facts, question.range, stop);
    GPULEDGER_TRY(past);
    const auto seen = spotSeen(*view->facts, question.range, billed.spotNodes);
    GPULEDGER_TRY(seen);
    GPULEDGER_TRY(setSpotMarkets(*past, {*billed.bills, *published, *seen, *prices, *list, question.range.end}));
    return [kept = std::make_shared<const savings::SpotPast>(std::move(*past))](const savings::Assumptions &assumed,
                                                                                const std::stop_token &stopped) {
        return savings::proposeSpots(*kept, assumed, {}, stopped);
    };
}

} // namespace gpuledger::services
