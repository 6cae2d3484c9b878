// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/fleet/fleetservice.h"

#include "app/insight/device/devicedetails.h"
#include "app/insight/heatmap/heatmap.h"
#include "app/insight/idle/evidence.h"
#include "app/insight/idle/idle.h"
#include "app/insight/idle/idlereplay.h"
#include "app/insight/idle/idlerule.h"
#include "app/insight/overview/overview.h"
#include "app/insight/overview/summary.h"
#include "app/insight/query/labels.h"
#include "app/insight/query/reach.h"
#include "app/insight/query/values.h"
#include "app/insight/queue/blocked.h"
#include "app/services/engine/engine.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

using base::Result;

namespace {

// `replay` over what the query's rule attributes, cut to the fetched data.
template <typename Replay>
auto replayed(Engine &engine, const insight::ReplayQuery &query, Replay replay)
    -> decltype(replay(std::declval<store::AttributionReader &>(), query, base::Currency::usd()))
{
    model::Settings settings = engine.setup().settings;
    settings.idle = query.rule;
    const auto ledger = ledger::Ledger::create(settings); // states depend on the threshold
    GPULEDGER_TRY(ledger);
    auto facts = engine.cache().facts();
    GPULEDGER_TRY(facts);
    const auto covered = (*facts)->coveredRange();
    GPULEDGER_TRY(covered);
    const auto attribution = (*ledger)->attribution(**facts, query.cost);
    insight::ReplayQuery cut = query;
    cut.range = query.range.intersect(*covered);
    return replay(*attribution, cut, settings.currency);
}

} // namespace

Result<insight::Summary> FleetService::summary(const insight::Query &query, const insight::Dimension &by)
{
    const Setup &setup = m_engine.setup();
    const auto reached = reach(query.range); // before the view, so that it is never newer than the answer
    GPULEDGER_TRY(reached);
    auto view = viewOf(m_engine.cache(), *setup.ledger, query.cost);
    GPULEDGER_TRY(view);
    return insight::summarize(*view->cube, *view->attribution, query, by, setup.settings.currency, *reached);
}

Result<insight::Overview> FleetService::overview(const insight::OverviewQuery &query)
{
    const Setup &setup = m_engine.setup();
    const auto reached = reach(query.query.range);
    GPULEDGER_TRY(reached);
    const auto before = reach(query.previous);
    GPULEDGER_TRY(before);
    auto view = viewOf(m_engine.cache(), *setup.ledger, query.query.cost);
    GPULEDGER_TRY(view);
    return insight::overview(*view->cube, *view->attribution, query, setup.settings.currency, *reached, *before);
}

Result<insight::Heatmap> FleetService::heatmap(const insight::HeatmapQuery &query, const std::stop_token &stop)
{
    const Setup &setup = m_engine.setup();
    const auto reached = reach(query.query.range);
    GPULEDGER_TRY(reached);
    auto view = viewOf(m_engine.cache(), *setup.ledger, query.query.cost);
    GPULEDGER_TRY(view);
    return insight::heatmap(*view->cube, *view->attribution, query, setup.settings.currency, stop, *reached);
}

Result<insight::IdleList> FleetService::idle(base::UtcTime at, const insight::Filter &filter, model::CostView cost)
{
    const Setup &setup = m_engine.setup();
    const auto reached = reach({at, at});
    GPULEDGER_TRY(reached);
    auto view = viewOf(m_engine.cache(), *setup.ledger, cost);
    GPULEDGER_TRY(view);
    const auto covered = view->facts->coveredRange();
    GPULEDGER_TRY(covered);
    // Nothing is known after the last sync; the state at that time is returned, with that time.
    auto list = insight::idleAt(*view->attribution, covered->empty() ? at : std::min(at, covered->end), filter,
                                setup.settings.idle, setup.settings.currency,
                                [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime when) {
                                    return setup.ledger->costTerms(*view->facts, devices, when);
                                });
    if (list)
        list->reach = *reached;
    return list;
}

Result<insight::BlockedList> FleetService::blocked(base::UtcTime at, const insight::Filter &filter,
                                                   model::CostView cost)
{
    const Setup &setup = m_engine.setup();
    auto view = viewOf(m_engine.cache(), *setup.ledger, cost);
    GPULEDGER_TRY(view);
    const auto covered = view->facts->coveredRange();
    GPULEDGER_TRY(covered);
    return insight::blockedAt(*view->attribution, covered->empty() ? at : std::min(at, covered->end), filter,
                              setup.settings.currency);
}

Result<insight::IdleRule> FleetService::idleRule()
{
    const Setup &setup = m_engine.setup();
    auto view = viewOf(m_engine.cache(), *setup.ledger);
    GPULEDGER_TRY(view);
    const auto covered = view->facts->coveredRange();
    GPULEDGER_TRY(covered);
    return insight::idleRuleAt(*view->attribution, base::floorTo(covered->end, base::kBucket), setup.settings.idle);
}

Result<insight::IdleReplay> FleetService::replayIdle(const insight::ReplayQuery &query, const std::stop_token &stop)
{
    return replayed(m_engine, query, [&](auto &attribution, const auto &cut, base::Currency currency) {
        return insight::replayIdle(attribution, cut, currency, stop);
    });
}

Result<std::vector<insight::IdleReplay>> FleetService::replayIdleRules(const insight::ReplayQuery &query,
                                                                       const std::vector<model::IdleSettings> &rules,
                                                                       const std::stop_token &stop)
{
    return replayed(m_engine, query, [&](auto &attribution, const auto &cut, base::Currency currency) {
        return insight::replayIdleRules(attribution, cut, rules, currency, stop);
    });
}

Result<std::vector<insight::DimensionValue>> FleetService::values(const insight::Dimension &dimension)
{
    auto view = viewOf(m_engine.cache(), *m_engine.setup().ledger);
    GPULEDGER_TRY(view);
    return insight::dimensionValues(*view->cube, *view->attribution, *view->facts, dimension);
}

Result<std::vector<insight::LabelUse>> FleetService::labels()
{
    auto facts = m_engine.cache().facts();
    GPULEDGER_TRY(facts);
    return insight::labelsInUse(**facts);
}

Result<insight::Evidence> FleetService::evidence(const insight::EvidenceQuery &query)
{
    const Setup &setup = m_engine.setup();
    auto view = viewOf(m_engine.cache(), *setup.ledger, query.cost);
    GPULEDGER_TRY(view);
    return insight::evidenceOf(*view->facts, *view->attribution, query, setup.settings.idle);
}

Result<insight::DeviceDetails> FleetService::deviceDetails(const insight::DeviceQuery &query)
{
    const auto reached = reach(query.query.range);
    GPULEDGER_TRY(reached);
    auto view = viewOf(m_engine.cache(), *m_engine.setup().ledger, query.query.cost);
    GPULEDGER_TRY(view);
    return insight::deviceDetails(*view->facts, *view->attribution, query, *reached);
}

Result<base::TimeRange> FleetService::coveredRange()
{
    auto facts = m_engine.cache().facts();
    GPULEDGER_TRY(facts);
    return (*facts)->coveredRange();
}

Result<FleetService::FleetSize> FleetService::fleetSize()
{
    auto facts = m_engine.cache().facts();
    GPULEDGER_TRY(facts);
    const auto clusters = (*facts)->clusterSizes();
    GPULEDGER_TRY(clusters);
    FleetSize size;
    for (const store::ClusterSize &one : *clusters) {
        size.devices += one.devices;
        size.nodes += one.nodes;
    }
    return size;
}

} // namespace gpuledger::services
