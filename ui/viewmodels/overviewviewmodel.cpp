// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/overviewviewmodel.h"

#include <chrono>

namespace gpuledger::ui {

using Answer = Asker<OverviewSnapshot>::Answer;

namespace {

std::optional<base::Money> billedIn(services::Workspace &workspace, base::TimeRange range)
{
    insight::LedgerQuery query;
    query.range = range;
    const auto answer = workspace.ledger(query);
    if (!answer)
        return std::nullopt;
    for (const insight::LedgerTotal &total : answer->totals) {
        if (total.currency == workspace.settings().currency)
            return total.billEffective;
    }
    return std::nullopt;
}

Answer ask(services::Workspace &workspace, const Scope &scope)
{
    const auto covered = workspace.coveredRange();
    GPULEDGER_TRY(covered);
    auto snapshot = std::make_shared<OverviewSnapshot>();
    snapshot->covered = *covered;
    snapshot->span = scope.time.span;
    snapshot->zone = workspace.timeZone();
    snapshot->asked = workspace.clock().now();
    for (const model::SourceSettings &source : workspace.settings().sources)
        snapshot->sources.push_back(source.name);
    if (covered->empty())
        return snapshot;
    const base::TimeRange range = scope.time.resolve(*covered, snapshot->zone);
    auto overview = workspace.overview({{range, scope.filter},
                                        OverviewViewModel::previous(scope.time.span, range, *covered, snapshot->zone),
                                        snapshot->zone});
    GPULEDGER_TRY(overview);
    snapshot->overview = std::move(*overview);
    if (scope.filter.empty())
        snapshot->billed = billedIn(workspace, range);
    if (auto idle = workspace.idle(covered->end, scope.filter))
        snapshot->idle = std::move(*idle);
    return snapshot;
}

} // namespace

OverviewViewModel::OverviewViewModel(services::Workspace &workspace, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_asker(tasks, this, [this] { take(); })
{
}

void OverviewViewModel::setScope(const Scope &scope)
{
    if (m_scope == scope)
        return;
    m_scope = scope;
    refresh();
}

void OverviewViewModel::refresh()
{
    if (!snapshot()) {
        m_state = PageState::Loading;
        Q_EMIT changed();
    }
    m_asker.ask(
        [workspace = &m_workspace, scope = m_scope](const std::stop_token &) { return ask(*workspace, scope); });
}

void OverviewViewModel::take()
{
    m_state = error()                        ? PageState::Error
        : snapshot()->covered.empty()        ? PageState::FirstRun
        : snapshot()->overview.teams.empty() ? PageState::Empty
                                             : PageState::Data;
    Q_EMIT changed();
}

base::TimeRange OverviewViewModel::previous(Span span, base::TimeRange range, base::TimeRange covered,
                                            const base::TimeZone &zone)
{
    using namespace std::chrono;
    if (range.empty())
        return {};
    base::TimeRange before{range.start - range.length(), range.start};
    if (span == Span::ThisMonth || span == Span::LastMonth) {
        const year_month_day first{sys_days{days{zone.localDay(range.start)}}};
        const sys_days start{year_month{first.year(), first.month()} / 1 - months{1}};
        before.start = zone.startOfLocalDay(static_cast<std::int32_t>(start.time_since_epoch().count()));
        before.end = std::min(before.start + range.length(), range.start);
    }
    return before.start >= covered.start ? before : base::TimeRange{};
}

} // namespace gpuledger::ui
