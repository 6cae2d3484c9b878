// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savings/sizedfacts.h"

#include "app/services/engine/engine.h"
#include "app/services/savings/keepdays.h"
#include "app/services/savings/usualassumptions.h"
#include "app/services/savingsinputs/capacitypools.h"
#include "app/services/savingsinputs/days/keptdays.h"
#include "app/services/savingsinputs/rightsizefacts.h"
#include "app/services/savingsinputs/schedule/schedulefacts.h"
#include "resources/resources.h"

#include <any>
#include <array>
#include <memory>
#include <utility>

namespace gpuledger::services {

using base::Result;

SizedFacts::SizedFacts(ledger::GpuCatalog catalog, ledger::PriceBook prices)
    : m_catalog(std::move(catalog))
    , m_prices(std::move(prices))
{
}

Result<void> SizedFacts::read(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop)
{
    const Setup &setup = engine.setup();
    if (!question.onlyFacts)
        GPULEDGER_TRY(storeMissingDays(engine, question.range, question.cost, stop));
    const auto generation = engine.cache().generation();
    GPULEDGER_TRY(generation);
    auto view = viewOf(engine.cache(), *setup.ledger, question.cost);
    GPULEDGER_TRY(view);
    GPULEDGER_TRY(readBills(*view->facts, question.range, stop));
    const auto terms = [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime at) {
        return setup.ledger->costTerms(*view->facts, devices, at);
    };
    std::unique_ptr<KeptDays> kept;
    if (!question.onlyFacts) {
        auto opened = KeptDays::open(engine.cache(), *generation, *setup.ledger, setup.settings, *view->attribution);
        GPULEDGER_TRY(opened);
        kept = std::move(*opened);
    }
    const base::Currency currency = setup.settings.currency;
    const base::TimeRange scheduled = savings::scheduleRange(question.range, setup.zone);
    auto told = termsOfPlaced(view->attribution->facts(), question.range, terms);
    GPULEDGER_TRY(told);
    auto ofSchedule = *told; // a device was last seen in the same place, if both ranges end at the same time
    if (scheduled.end != question.range.end) {
        auto other = termsOfPlaced(view->attribution->facts(), scheduled, terms);
        GPULEDGER_TRY(other);
        ofSchedule = std::move(*other);
    }
    auto schedule =
        scheduleCollector({scheduled, setup.zone, currency, teamCalendars(setup.settings.savings, setup.zone), true},
                          std::move(ofSchedule));
    auto sized =
        rightSizeCollector(*view->attribution,
                           {question.range, currency, model::toShare(setup.settings.idle.threshold), m_spotNodes, true},
                           m_catalog, m_prices, std::move(*told), stop, kept.get(), schedule->recent());
    GPULEDGER_TRY(sized);
    const auto capacity = capacityCollector(question.range);
    const std::array<DayCollector *, 3> all{sized->get(), schedule.get(), capacity.get()};
    GPULEDGER_TRY(collectDays(*view->attribution, all, stop, kept.get()));
    kept.reset();
    view->attribution.reset(); // nothing below needs its index of the fleet, which is large
    if (std::any *derived = view->facts->derived())
        derived->reset();
    auto past = (*sized)->take();
    GPULEDGER_TRY(past);
    sized->reset();
    auto hours = schedule->take();
    GPULEDGER_TRY(hours);
    schedule.reset();
    auto pools = capacity->take(*setup.ledger, *view->facts);
    GPULEDGER_TRY(pools);
    m_past = std::make_shared<const savings::RightSizePast>(std::move(*past));
    m_schedule = std::make_shared<const savings::SchedulePast>(std::move(*hours));
    m_pools = std::make_shared<const std::vector<savings::CapacityPool>>(std::move(*pools));
    return {};
}

Result<void> SizedFacts::readBills(store::FactReader &facts, base::TimeRange range, const std::stop_token &stop)
{
    auto all = facts.nodes();
    GPULEDGER_TRY(all);
    m_nodes = std::move(*all);
    for (const model::Node &node : m_nodes) {
        m_machines.emplace_back().node = &node;
        m_machines.back().cluster = node.cluster;
    }
    m_bills.emplace(m_prices, m_machines);
    GPULEDGER_TRY(m_bills->read(base::dayOf(range.start), base::dayOf(range.end - base::Seconds{1}), facts, stop));
    for (const std::size_t node : m_bills->spotNodes())
        m_spotNodes.insert(m_nodes[node].id);
    return {};
}

Result<std::shared_ptr<const SizedFacts>> sizedFacts(Engine &engine, const SavingsQuestion &question,
                                                     const std::stop_token &stop)
{
    if (question.sized && *question.sized)
        return *question.sized;
    const Setup &setup = engine.setup();
    auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value_or(""));
    GPULEDGER_TRY(catalog);
    auto prices = ledger::PriceBook::create(setup.settings.prices, setup.settings.currency,
                                            resources::find("prices/instances.csv").value_or(""), *catalog);
    GPULEDGER_TRY(prices);
    const auto facts = std::make_shared<SizedFacts>(std::move(*catalog), std::move(*prices));
    GPULEDGER_TRY(facts->read(engine, question, stop));
    if (question.sized)
        *question.sized = facts;
    return std::shared_ptr<const SizedFacts>(facts);
}

} // namespace gpuledger::services
