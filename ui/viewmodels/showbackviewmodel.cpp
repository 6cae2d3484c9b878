// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/showbackviewmodel.h"

#include <algorithm>

namespace gpuledger::ui {

using Answer = Asker<ShowbackSnapshot>::Answer;
using base::Result;
using insight::LedgerDimension;
using insight::Month;
using reports::CostView;

namespace {

constexpr int kOldestYears = 6; // of months that are offered
constexpr QLatin1String kMonthKey("month"), kTeamKey("team"), kCostKey("cost"), kBilled("billed");

Month monthAt(base::UtcTime t)
{
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(t)};
    return {static_cast<int>(day.year()), static_cast<unsigned>(day.month())};
}

Result<std::vector<Month>> monthsOf(services::Workspace &workspace)
{
    const base::UtcTime now = workspace.clock().now();
    const Month last = monthAt(now);
    insight::LedgerQuery query;
    query.range = {Month{last.year - kOldestYears, last.number}.range().start, last.range().end};
    query.by = {LedgerDimension::Month};
    const auto rows = workspace.ledger(query);
    GPULEDGER_TRY(rows);
    std::vector<Month> months;
    for (const insight::LedgerRow &row : rows->rows) {
        const auto month = insight::monthFromString(row.keys.front());
        if (month && (months.empty() || months.back() != *month))
            months.push_back(*month);
    }
    std::reverse(months.begin(), months.end());
    return months;
}

// The last one that is over; else the newest.
Month firstShown(const std::vector<Month> &months, base::UtcTime now)
{
    const auto over =
        std::find_if(months.begin(), months.end(), [&](const Month &month) { return month.range().end <= now; });
    return over == months.end() ? months.front() : *over;
}

base::Money perHour(const base::Money &cost, base::GpuTime time)
{
    __extension__ using Wide = __int128;
    constexpr std::int64_t kTicksPerHour = base::GpuTime::kTicksPerSecond * 3600;
    return {static_cast<std::int64_t>(Wide{cost.nanos()} * kTicksPerHour / time.ticks), cost.currency()};
}

Result<std::optional<ModelRate>> commonestOf(services::Workspace &workspace, const Month &month, CostView view)
{
    insight::LedgerQuery query;
    query.range = month.range();
    query.by = {LedgerDimension::GpuModel};
    query.include[LedgerDimension::Category] = {"gpu"};
    const auto rows = workspace.ledger(query);
    GPULEDGER_TRY(rows);
    const base::Currency report = workspace.settings().currency;
    std::optional<ModelRate> best;
    for (const insight::LedgerRow &row : rows->rows) {
        const base::Money own = view == CostView::Billed ? row.billed : row.effective;
        const bool known = row.currency == report && row.hasGpuTime && row.gpuTimeComplete;
        const double hours = (row.gpuTime - row.unpriced).hours();
        const auto cost = own.plus(row.priced);
        if (!known || row.keys.front().empty() || hours <= 0 || !cost || cost->nanos() <= 0
            || (best && best->hours >= hours))
            continue;
        best = ModelRate{row.keys.front(), perHour(*cost, row.gpuTime - row.unpriced), hours};
    }
    return best;
}

Answer answer(services::Workspace &workspace, std::optional<Month> month, CostView view, const std::stop_token &stop)
{
    auto snapshot = std::make_shared<ShowbackSnapshot>();
    snapshot->zone = workspace.timeZone();
    for (const model::SourceSettings &source : workspace.settings().sources)
        snapshot->sources.push_back(source.name);
    auto months = monthsOf(workspace);
    GPULEDGER_TRY(months);
    snapshot->months = std::move(*months);
    if (snapshot->months.empty())
        return snapshot;
    snapshot->month = month.value_or(firstShown(snapshot->months, workspace.clock().now()));
    auto history = workspace.statementHistory(snapshot->month, view);
    GPULEDGER_TRY(history);
    snapshot->history = std::move(*history);
    auto reconciliation = workspace.reconcile(snapshot->month);
    GPULEDGER_TRY(reconciliation);
    snapshot->reconciliation = std::move(*reconciliation);
    const auto commonest = commonestOf(workspace, snapshot->month, view);
    GPULEDGER_TRY(commonest);
    snapshot->commonest = *commonest;
    if (stop.stop_requested())
        return base::fail(base::ErrorCode::Cancelled, "superseded");
    auto statement = workspace.statement(snapshot->month, view, {});
    GPULEDGER_TRY(statement);
    snapshot->statement = std::move(*statement);
    return snapshot;
}

} // namespace

ShowbackViewModel::ShowbackViewModel(services::Workspace &workspace, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_asker(tasks, this, [this] { take(); })
{
}

void ShowbackViewModel::setMonth(const Month &month)
{
    const auto shown = snapshot() ? std::optional(snapshot()->month) : m_month;
    if (shown == month)
        return;
    m_month = month;
    Q_EMIT placeChanged();
    refresh();
}

void ShowbackViewModel::setView(CostView view)
{
    if (m_view == view)
        return;
    m_view = view;
    Q_EMIT placeChanged();
    refresh();
}

void ShowbackViewModel::setTeam(const std::optional<std::string> &team)
{
    if (m_team == team)
        return;
    m_team = team;
    Q_EMIT teamChanged();
    Q_EMIT placeChanged();
}

void ShowbackViewModel::refresh()
{
    if (!snapshot()) {
        m_state = PageState::Loading;
        Q_EMIT changed();
    }
    ask();
}

void ShowbackViewModel::ask()
{
    m_asker.ask([workspace = &m_workspace, month = m_month, view = m_view](const std::stop_token &stop) {
        return answer(*workspace, month, view, stop);
    });
}

void ShowbackViewModel::take()
{
    m_state = error()                              ? PageState::Error
        : snapshot()->months.empty()               ? PageState::FirstRun
        : snapshot()->statement.currencies.empty() ? PageState::Empty
                                                   : PageState::Data;
    Q_EMIT changed();
}

QUrlQuery ShowbackViewModel::place() const
{
    QUrlQuery place;
    if (m_month)
        place.addQueryItem(kMonthKey, QString::fromStdString(insight::toString(*m_month)));
    if (m_team)
        place.addQueryItem(kTeamKey, QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(*m_team))));
    if (m_view == CostView::Billed)
        place.addQueryItem(kCostKey, kBilled);
    return place;
}

void ShowbackViewModel::restore(const QUrlQuery &place)
{
    const auto month = insight::monthFromString(place.queryItemValue(kMonthKey).toStdString());
    const CostView view = place.queryItemValue(kCostKey) == kBilled ? CostView::Billed : CostView::Effective;
    std::optional<std::string> team;
    if (place.hasQueryItem(kTeamKey))
        team = place.queryItemValue(kTeamKey, QUrl::FullyDecoded).toStdString();
    const bool asks = month != m_month || view != m_view;
    m_month = month;
    m_view = view;
    if (m_team != team) {
        m_team = team;
        Q_EMIT teamChanged();
    }
    if (asks)
        refresh();
}

} // namespace gpuledger::ui
