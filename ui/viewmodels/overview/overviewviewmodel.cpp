// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/overview/overviewviewmodel.h"

#include "app/services/engine/configservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/spend/spendservice.h"
#include "ui/viewmodels/shell/askablerange.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gpuledger::ui {

using Answer = LatestQuery<OverviewSnapshot>::Answer;

namespace {

std::shared_ptr<const insight::Spend> spendIn(const services::ConfigService &config, services::SpendService &service,
                                              base::TimeRange range)
{
    insight::LedgerQuery query;
    query.range = insight::nearestDays(range);
    query.by = insight::spendDimensions();
    const auto answer = service.ledger(query);
    const base::Currency report = config.settings().currency;
    const bool hasBill = answer
        && std::any_of(answer->totals.begin(), answer->totals.end(),
                       [&](const insight::LedgerTotal &total) { return total.currency == report; });
    if (!hasBill)
        return nullptr;
    auto spend = insight::spendOf(*answer, report, config.clock().now());
    return spend ? std::make_shared<const insight::Spend>(std::move(*spend)) : nullptr;
}

void takeSpend(const services::ConfigService &config, services::SpendService &spend, OverviewSnapshot &snapshot)
{
    snapshot.spend = spendIn(config, spend, snapshot.overview.range);
    if (!snapshot.spend)
        return;
    if (snapshot.overview.comparison.state == insight::Comparison::State::Made)
        snapshot.spendBefore = spendIn(config, spend, snapshot.overview.previous);
    // Teams with a bill but without GPU time.
    for (const auto &[team, amount] : snapshot.spend->teams) {
        const bool isThere = std::any_of(snapshot.overview.teams.begin(), snapshot.overview.teams.end(),
                                         [&](const insight::OverviewTeam &one) { return one.now.key == team; });
        if (isThere || team.empty())
            continue;
        insight::OverviewTeam one;
        one.now.key = team;
        snapshot.overview.teams.push_back(std::move(one));
    }
}

Answer askOverview(const services::ConfigService &config, services::FleetService &fleet, services::SpendService &spend,
                   const Scope &scope)
{
    const auto covered = fleet.coveredRange();
    GPULEDGER_TRY(covered);
    auto snapshot = std::make_shared<OverviewSnapshot>();
    snapshot->covered = *covered;
    snapshot->span = scope.time.span;
    snapshot->zone = config.timeZone();
    snapshot->asked = config.clock().now();
    for (const model::SourceSettings &source : config.settings().sources)
        snapshot->sources.push_back(source.name);
    if (covered->empty())
        return snapshot;
    const base::TimeRange range = scope.time.resolve(askableRange(config, *covered), snapshot->zone);
    auto overview = fleet.overview({{range, scope.filter, scope.cost},
                                    OverviewViewModel::previous(scope.time.span, range, snapshot->zone),
                                    snapshot->zone});
    GPULEDGER_TRY(overview);
    snapshot->overview = std::move(*overview);
    snapshot->cost = scope.cost;
    if (scope.filter.empty() && scope.cost == model::CostView::Effective)
        takeSpend(config, spend, *snapshot);
    if (auto idle = fleet.idle(snapshot->asked, scope.filter, scope.cost))
        snapshot->idle = std::move(*idle);
    return snapshot;
}

} // namespace

OverviewViewModel::OverviewViewModel(const services::ConfigService &config, services::FleetService &fleet,
                                     services::SpendService &spend, SavingsDesk desk, TaskRunner &tasks,
                                     QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_fleet(fleet)
    , m_spend(spend)
    , m_desk(std::move(desk))
    , m_asker(tasks, this, [this] { take(); })
    , m_savings(tasks, this, [this] { Q_EMIT savingsChanged(); })
    , m_forecast(tasks, this, [this] { Q_EMIT forecastChanged(); })
{
}

std::shared_ptr<const OverviewSavings> OverviewViewModel::savings() const
{
    const auto &last = m_savings.snapshot();
    const bool isOfScope = last && last->time == m_scope.time && last->cost == m_scope.cost;
    return isOfScope && !m_savings.error() ? last : nullptr;
}

void OverviewViewModel::setForecasts(ForecastDesk desk)
{
    m_forecastDesk = std::move(desk);
    m_isForecastDue = m_forecastDesk != nullptr;
}

std::shared_ptr<const OverviewForecast> OverviewViewModel::forecast() const
{
    const auto &last = m_forecast.snapshot();
    const bool isOfScope = last && last->filter == m_scope.filter && last->cost == m_scope.cost;
    return isOfScope && !m_forecast.error() ? last : nullptr;
}

void OverviewViewModel::setScope(const Scope &scope)
{
    if (m_scope == scope)
        return;
    const bool isOtherPast = scope.time != m_scope.time || scope.cost != m_scope.cost;
    const bool isOtherPart = scope.filter != m_scope.filter || scope.cost != m_scope.cost;
    m_scope = scope;
    m_isForecastDue = m_forecastDesk && (m_isForecastDue || isOtherPart);
    m_areSavingsDue = m_areSavingsDue || isOtherPast; // a filter changes nothing about them
    ask();
}

void OverviewViewModel::refresh()
{
    m_areSavingsDue = true;
    m_isForecastDue = m_forecastDesk != nullptr;
    ask();
}

void OverviewViewModel::ask()
{
    if (m_areSavingsDue)
        Q_EMIT savingsChanged();
    if (!snapshot()) {
        m_state = PageState::Loading;
        Q_EMIT changed();
    }
    m_asker.ask([config = &m_config, fleet = &m_fleet, spend = &m_spend, scope = m_scope](const std::stop_token &) {
        return askOverview(*config, *fleet, *spend, scope);
    });
}

void OverviewViewModel::take()
{
    m_state = error()                        ? PageState::Error
        : snapshot()->covered.empty()        ? PageState::FirstRun
        : snapshot()->overview.teams.empty() ? PageState::Empty
                                             : PageState::Data;
    Q_EMIT changed();
    if (m_isForecastDue)
        askForecast();
    if (m_areSavingsDue)
        askSavings();
}

void OverviewViewModel::askSavings()
{
    m_areSavingsDue = false;
    m_savings.ask([desk = m_desk, currency = m_config.settings().currency, scope = m_scope](
                      const std::stop_token &stop) { return askOverviewSavings(desk, currency, scope, stop); });
}

void OverviewViewModel::askForecast()
{
    m_isForecastDue = false;
    m_forecast.ask(
        [desk = m_forecastDesk, scope = m_scope](const std::stop_token &) { return askOverviewForecast(desk, scope); });
}

void OverviewViewModel::setActive(bool active)
{
    m_asker.setActive(active);
    m_savings.setActive(active);
    m_forecast.setActive(active);
}

base::TimeRange OverviewViewModel::previous(Span span, base::TimeRange range, const base::TimeZone &zone)
{
    using namespace std::chrono;
    if (range.empty() || span == Span::All)
        return {};
    base::TimeRange before{range.start - range.length(), range.start};
    if (span == Span::ThisMonth || span == Span::LastMonth) {
        const year_month_day first{sys_days{days{zone.localDay(range.start)}}};
        const sys_days start{year_month{first.year(), first.month()} / 1 - months{1}};
        before.start = zone.startOfLocalDay(static_cast<std::int32_t>(start.time_since_epoch().count()));
        before.end = std::min(before.start + range.length(), range.start);
    }
    return before;
}

} // namespace gpuledger::ui
