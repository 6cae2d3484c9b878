// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/series/rulereader.h"

#include "app/alerts/forecast/period.h"
#include "app/services/alerts/series/metricseries.h"

#include <algorithm>

namespace gpuledger::services {

using base::Result;

namespace {

constexpr base::Seconds kLongestSeries = 90 * base::kDay; // after a long pause, what was before is left out
constexpr base::Seconds kFreshFor{3600};

} // namespace

Result<SeriesQuestion> seriesQuestionFor(store::LedgerStore &cache, View &view, const Setup &setup,
                                         base::TimeRange range, SeriesBegin begin)
{
    const auto covered = view.facts->coveredRange();
    GPULEDGER_TRY(covered);
    auto fetched = cache.months().fetched();
    GPULEDGER_TRY(fetched);
    const base::UtcTime now = range.end;
    // Between two syncs the last known hour stands for now; after that, what was not fetched is unknown.
    if (range.end - covered->end < kFreshFor)
        range.end = std::min(range.end, covered->end);
    const base::UtcTime asked = begin == SeriesBegin::AsAsked
        ? range.start
        : alerts::Period::around(alerts::PeriodKind::Month, base::dayOf(range.start)).begin.start();
    const base::UtcTime start = std::max(asked, covered->start);
    const base::TimeRange cut = covered->empty() ? base::TimeRange{range.start, range.start}
                                                 : base::TimeRange{start, std::max(start, range.end)};
    return SeriesQuestion{cut,
                          *covered,
                          setup.settings.idle.observed,
                          std::move(*fetched),
                          now,
                          &cache,
                          {},
                          alerts::EventCalendar(setup.settings.events, setup.zone)};
}

RuleReader::RuleReader(const Engine &engine, std::vector<Request> requests)
    : m_engine(engine)
    , m_now(engine.clock().now())
    , m_requests(std::move(requests))
{
}

RuleReader::Begin RuleReader::beginOf(const Request &request) const
{
    const base::UtcTime earliest = m_now - kLongestSeries;
    return {std::max(request.from.value_or(earliest), earliest),
            request.from ? SeriesBegin::AsAsked : SeriesBegin::OfMonth};
}

Result<RuleReader::Group *> RuleReader::groupOf(const Begin &begin)
{
    if (const auto found = m_groups.find(begin); found != m_groups.end())
        return &found->second;
    auto question = seriesQuestionFor(m_engine.cache(), *m_view, m_engine.setup(), {begin.first, m_now}, begin.second);
    GPULEDGER_TRY(question);
    std::vector<alerts::Rule> rules;
    for (const Request &request : m_requests) {
        if (beginOf(request) == begin)
            rules.push_back(*request.rule);
    }
    RuleCells cells(rules, question->range);
    return &m_groups.emplace(begin, Group{std::move(*question), std::move(cells)}).first->second;
}

Result<RuleSeries> RuleReader::series(std::size_t number)
{
    const Request &request = m_requests.at(number);
    const Setup &setup = m_engine.setup();
    if (!m_view) {
        auto view = viewOf(m_engine.cache(), *setup.ledger);
        GPULEDGER_TRY(view);
        m_view.emplace(std::move(*view));
    }
    const auto group = groupOf(beginOf(request));
    GPULEDGER_TRY(group);
    SeriesQuestion question = (*group)->question;
    question.scopes = request.scopes;
    question.cells = &(*group)->cells;
    auto series = metricSeriesOf(*m_view, *request.rule, question, setup.settings);
    GPULEDGER_TRY(series);
    if (question.range.empty())
        return series;
    // A scope that no longer exists: a budget, a source, a commitment.
    for (const std::string &scope : request.scopes) {
        if (!series->contains(scope))
            series->emplace(scope, std::vector{alerts::Reading{question.range.end, std::nullopt, true}});
    }
    return series;
}

} // namespace gpuledger::services
