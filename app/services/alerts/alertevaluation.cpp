// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/rules/boundsuggest.h"
#include "app/alerts/rules/rulemachine.h"
#include "app/base/text/text.h"
#include "app/services/alerts/alertanswer.h"
#include "app/services/alerts/alertservice.h"
#include "app/services/alerts/series/anomalyseries.h"
#include "app/services/alerts/series/metricseries.h"
#include "app/services/alerts/series/rulereader.h"
#include "app/services/fleet/fleetservice.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace gpuledger::services {

using alerts::AlertState;
using alerts::Rule;
using base::Result;

namespace {

constexpr base::Seconds kEvaluatedPast = 90 * base::kDay;

int seriousness(AlertState state)
{
    switch (state) {
    case AlertState::Firing:
        return 3;
    case AlertState::Pending:
        return 2;
    case AlertState::Resolved:
        return 1;
    case AlertState::Inactive:
        break;
    }
    return 0;
}

RuleResult resultOf(const Rule &rule, const RuleSeries &series)
{
    RuleResult out;
    out.rule = rule;
    out.scopes = series.size();
    for (const auto &[scope, readings] : series) {
        const alerts::ScopeState state = alerts::runOf(rule, readings).state;
        out.unknown += state.newest ? 0 : 1;
        if (seriousness(state.state) > seriousness(out.state))
            out.state = state.state;
        if (state.state == AlertState::Firing)
            out.firing.push_back({scope,
                                  state.since,
                                  state.newest,
                                  state.peak.value_or(0),
                                  alerts::alertKey(rule.name, scope, state.since),
                                  {}});
    }
    return out;
}

// The end of the newest day that is over.
base::UtcTime lastDayEnd(const SeriesQuestion &question)
{
    return base::floorTo(std::min(question.range.end, question.covered.end), base::kDay);
}

bool isOfAnomaly(const Rule &rule)
{
    return rule.metric == alerts::RuleMetric::AnomalyCost || rule.metric == alerts::RuleMetric::AnomalyUtilization;
}

// The scopes that are within a known event on the day before `end`: their value is left out, and not unknown.
void addEvents(const RuleSeries &series, const SeriesQuestion &question, base::UtcTime end, RuleResult &result)
{
    const base::Day day{base::dayOf(end).number - 1};
    for (const auto &[scope, readings] : series) {
        const auto *event = question.events.on(day, eventTeamOf(result.rule, scope));
        if (!event || readings.empty() || !readings.back().nothing)
            continue;
        result.events[event->name].push_back(scope);
        --result.unknown;
    }
}

// The names of the events that days of the range are left out for.
std::set<std::string> eventsOf(const RuleSeries &series, const Rule &rule, const SeriesQuestion &question,
                               base::TimeRange range)
{
    std::set<std::string> out;
    for (const auto &[scope, readings] : series) {
        for (const alerts::Reading &reading : readings) {
            const base::Day day{base::dayOf(reading.at).number - 1};
            const auto *event =
                range.contains(day.start()) ? question.events.on(day, eventTeamOf(rule, scope)) : nullptr;
            if (event)
                out.insert(event->name);
        }
    }
    return out;
}

// Of what fires, if the rule is about an anomaly.
Result<void> addDrivers(View &view, const SeriesQuestion &question, base::Currency currency, RuleResult &result)
{
    if (!isOfAnomaly(result.rule))
        return {};
    const base::UtcTime end = lastDayEnd(question);
    for (FiringScope &one : result.firing) {
        auto drivers = anomalyDriversOf(view, result.rule, one.scope, end, question, currency);
        GPULEDGER_TRY(drivers);
        one.drivers = std::move(*drivers);
    }
    return {};
}

} // namespace

Result<std::vector<Rule>> AlertService::rules() const
{
    const Setup &setup = m_engine.setup();
    std::vector<Rule> out;
    for (const model::AlertRule &configured : setup.settings.alerts) {
        auto rule = alerts::ruleOf(configured, setup.settings.currency, setup.zone);
        GPULEDGER_TRY(rule);
        out.push_back(std::move(*rule));
    }
    return out;
}

Result<AlertEvaluation> AlertService::evaluate()
{
    const Setup &setup = m_engine.setup();
    const auto all = rules();
    GPULEDGER_TRY(all);
    AlertEvaluation out;
    out.at = m_engine.clock().now();
    out.currency = setup.settings.currency;
    auto reach = m_fleet.reach({out.at - base::Seconds{3600}, out.at}); // before the view: never newer than it
    GPULEDGER_TRY(reach);
    out.reach = std::move(*reach);
    auto view = viewOf(m_engine.cache(), *setup.ledger);
    GPULEDGER_TRY(view);
    auto question =
        seriesQuestionFor(m_engine.cache(), *view, setup, {out.at - kEvaluatedPast, out.at}, SeriesBegin::OfMonth);
    GPULEDGER_TRY(question);
    RuleCells cells(*all, question->range);
    question->cells = &cells;
    for (const Rule &rule : *all) {
        const auto series = metricSeriesOf(*view, rule, *question, setup.settings);
        GPULEDGER_TRY(series);
        out.rules.push_back(resultOf(rule, *series));
        if (isOfAnomaly(rule))
            addEvents(*series, *question, lastDayEnd(*question), out.rules.back());
        GPULEDGER_TRY(addDrivers(*view, *question, out.currency, out.rules.back()));
    }
    return out;
}

Result<AlertReplay> AlertService::replay(const std::string &name, base::TimeRange range)
{
    const auto all = rules();
    GPULEDGER_TRY(all);
    const auto rule = std::find_if(all->begin(), all->end(), [&](const Rule &one) { return one.name == name; });
    if (rule == all->end()) {
        std::string names;
        for (const Rule &one : *all)
            names += (names.empty() ? "it is one of " : ", ") + one.name;
        return base::fail(base::ErrorCode::NotFound, "there is no alert \"" + base::printable(name, 64) + '"', names);
    }
    return replayOf(*rule, range);
}

Result<AlertReplay> AlertService::replay(const model::AlertRule &configured, base::TimeRange range)
{
    const Setup &setup = m_engine.setup();
    const auto rule = alerts::ruleOf(configured, setup.settings.currency, setup.zone);
    GPULEDGER_TRY(rule);
    return replayOf(*rule, range);
}

Result<std::optional<std::string>> AlertService::suggestedBound(const model::AlertRule &configured)
{
    const Setup &setup = m_engine.setup();
    const auto rule = alerts::ruleOf(configured, setup.settings.currency, setup.zone);
    GPULEDGER_TRY(rule);
    RuleReader reader(m_engine, {{&*rule, m_engine.clock().now() - alerts::kBoundFrom, {}}});
    const auto past = reader.series(0);
    GPULEDGER_TRY(past);
    return alerts::suggestedBound(*rule, *past, setup.settings.currency);
}

Result<AlertReplay> AlertService::replayOf(const Rule &rule, base::TimeRange range)
{
    const Setup &setup = m_engine.setup();
    range.end = std::min(range.end, m_engine.clock().now());
    auto view = viewOf(m_engine.cache(), *setup.ledger);
    GPULEDGER_TRY(view);
    const auto question = seriesQuestionFor(m_engine.cache(), *view, setup, range, SeriesBegin::OfMonth);
    GPULEDGER_TRY(question);
    AlertReplay out;
    out.rule = rule;
    out.currency = setup.settings.currency;
    out.range = range.intersect(question->covered);
    const auto series = metricSeriesOf(*view, rule, *question, setup.settings);
    GPULEDGER_TRY(series);
    for (const auto &[scope, readings] : *series) {
        for (const alerts::Firing &firing : alerts::runOf(rule, readings).firings) {
            const bool isBefore = firing.from < range.start;
            if (isBefore && firing.to && *firing.to <= range.start)
                continue;
            out.notices += isBefore ? 0 : 1;
            out.unactionable += !isBefore && alerts::isUnactionable(firing) ? 1 : 0;
            out.fired.push_back({scope, firing, isBefore});
        }
    }
    std::stable_sort(out.fired.begin(), out.fired.end(), [](const FiredScope &a, const FiredScope &b) {
        return std::tie(a.firing.from, a.scope) < std::tie(b.firing.from, b.scope);
    });
    if (isOfAnomaly(rule))
        out.events = eventsOf(*series, rule, *question, out.range);
    out.noticesPerWeek = alerts::noticesPerWeek(out.notices, out.range);
    return out;
}

} // namespace gpuledger::services
