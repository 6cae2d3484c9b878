// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/overviewpage.h"

#include "app/services/alerts/alertservice.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/overview/overviewbudgets.h"
#include "ui/pages/overview/overviewfigures.h"
#include "ui/pages/overview/overviewfound.h"
#include "widgets/cards/card.h"
#include "widgets/cards/keyfigurerow.h"
#include "widgets/delegates/bardelegate.h"
#include "widgets/delegates/sparklinedelegate.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

namespace {

constexpr QLatin1String kMoneyKey("money"), kListMoney("list"), kShownKey("shown"), kFirstShown("change");
constexpr int kChartHeight = 250, kLowChartHeight = 196; // at least
constexpr int kLowPage = 620; // below this height, the charts leave room for the teams
constexpr int kFewTeams = 4; // the table has room for at least this many

QHBoxLayout *row(const widgets::Theme &theme, QWidget *parent)
{
    auto *layout = new QHBoxLayout(parent);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(widgets::Space::Medium));
    return layout;
}

// A card around the widgets.
QWidget *framed(const widgets::Theme &theme, std::initializer_list<QWidget *> contents)
{
    auto *card = new widgets::Card(theme);
    auto *layout = new QVBoxLayout(card);
    const int side = theme.space(widgets::Space::Large), above = theme.space(widgets::Space::Medium);
    layout->setContentsMargins(side, above, side, above);
    layout->setSpacing(theme.space(widgets::Space::Tiny));
    for (QWidget *content : contents)
        layout->addWidget(content, qobject_cast<QLabel *>(content) ? 0 : 1);
    return card;
}

bool hasTeamBudgets(const model::Settings &settings)
{
    return std::any_of(settings.budgets.begin(), settings.budgets.end(),
                       [](const model::Budget &budget) { return budget.by == "team"; });
}

} // namespace

OverviewPage::OverviewPage(const PageContext &context, QWidget *parent)
    : StatePage(context, parent)
    , m_model(context.workspace.config(), context.workspace.fleet(), context.workspace.spend(),
              savingsDesk(context.workspace.config(), context.workspace.fleet(), context.workspace.savings()),
              context.tasks)
    , m_teams(overviewTeamColumns(context.workspace.settings().currency, hasTeamBudgets(context.workspace.settings())))
{
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(context.theme.space(widgets::Space::Medium));
    layout->addWidget(figures());
    layout->addWidget(charts(), 2);
    layout->addWidget(teams(), 3);
    setContent(content);
    connect(&m_context.sync, &SyncController::actionsChanged, this, &OverviewPage::refresh);
    connect(&m_model, &OverviewViewModel::changed, this, &OverviewPage::showState);
    connect(&m_model, &OverviewViewModel::savingsChanged, this, &OverviewPage::showSavings);
    connect(&m_model, &OverviewViewModel::forecastChanged, this, &OverviewPage::showForecast);
    m_model.setForecasts(forecastDesk(context.workspace.alerts()));
    setMainControl(m_table);
    m_panel->showLoading();
    m_model.setActive(false);
    m_model.refresh();
}

QWidget *OverviewPage::figures()
{
    m_figures = new widgets::KeyFigureRow(m_context.theme, static_cast<int>(kOverviewFigures) + 1);
    const auto &cards = m_figures->cards();
    for (widgets::KeyFigureCard *card : {cards[0], cards[1], cards[2]})
        offerExplain(card, m_context, this, [this]() -> std::vector<Explained> {
            const auto snapshot = m_model.snapshot();
            if (!snapshot)
                return {};
            return overviewExplained(*snapshot, m_model.scope(), m_days->money(), std::nullopt);
        });
    connect(cards[0], &QAbstractButton::clicked, this, [this] { openHeatmap("cost"); });
    connect(cards[1], &QAbstractButton::clicked, this, [this] { openHeatmap("utilization"); });
    connect(cards[2], &QAbstractButton::clicked, this, [this] { openHeatmap("idle-cost"); });
    connect(cards[3], &QAbstractButton::clicked, this,
            [this] { m_context.navigator.openPage(QStringLiteral("idle")); });
    connect(cards[kOverviewFigures], &QAbstractButton::clicked, this,
            [this] { m_context.navigator.openPage(QStringLiteral("savings")); });
    showSavings();
    return m_figures;
}

QWidget *OverviewPage::charts()
{
    auto *bar = m_charts = new QWidget;
    bar->setMinimumHeight(kChartHeight);
    QHBoxLayout *layout = row(m_context.theme, bar);
    m_days = new OverviewDaysCard(m_context.theme);
    m_reasons = new OverviewReasonsCard(m_context.theme, m_context.workspace.settings().currency);
    layout->addWidget(m_days, 61);
    layout->addWidget(m_reasons, 39);
    rememberTable(QStringLiteral("hidden-costs"), m_reasons->hiddenTable()); // no-tr: key
    rememberTable(QStringLiteral("unit-prices"), m_reasons->priceTable()); // no-tr: key
    connect(m_days->chart(), &widgets::Chart::activated, this, &OverviewPage::openDay);
    explainCharts();
    connect(m_days, &OverviewDaysCard::moneyChosen, this, &OverviewPage::showMoney);
    const auto tellPlace = [this] {
        if (!m_restoring)
            Q_EMIT placeChanged();
    };
    connect(m_days, &OverviewDaysCard::moneyChosen, this, tellPlace);
    connect(m_reasons, &OverviewReasonsCard::shownChosen, this, tellPlace);
    return bar;
}

void OverviewPage::explainCharts()
{
    offerExplain(m_days->chart(), m_context, this, [this](int day) -> std::vector<Explained> {
        const auto snapshot = m_model.snapshot();
        return snapshot ? overviewDayExplained(*snapshot, m_model.scope(), m_days->money(), day)
                        : std::vector<Explained>();
    });
    offerExplain(m_reasons->chart(), m_context, this, [this](int step) -> std::vector<Explained> {
        const auto snapshot = m_model.snapshot();
        return snapshot ? overviewStepExplained(*snapshot, m_model.scope(), m_days->money(), step)
                        : std::vector<Explained>();
    });
    offerExplain(m_reasons->hiddenTable(), m_context, this, [this](const QString &row) -> std::vector<Explained> {
        const auto snapshot = m_model.snapshot();
        return snapshot && snapshot->spend ? overviewHiddenExplained(*snapshot, row) : std::vector<Explained>();
    });
    offerExplain(m_reasons->priceTable(), m_context, this, [this](const QString &row) -> std::vector<Explained> {
        const auto snapshot = m_model.snapshot();
        return snapshot && snapshot->spend ? overviewPriceExplained(*snapshot, row) : std::vector<Explained>();
    });
}

QWidget *OverviewPage::teams()
{
    m_table = new widgets::DataTable(m_context.theme, tr("Teams"), m_teams);
    m_table->setDelegate(QStringLiteral("utilization"), new widgets::BarDelegate(m_context.theme, m_table));
    m_table->setDelegate(QStringLiteral("idle-share"), new widgets::BarDelegate(m_context.theme, m_table));
    m_table->setDelegate(QStringLiteral("budget-share"), new widgets::BarDelegate(m_context.theme, m_table));
    m_table->setDelegate(QStringLiteral("days"), new widgets::SparklineDelegate(m_context.theme, m_table));
    connect(m_table, &widgets::DataTable::rowActivated, this,
            [this](const QString &team) { openHeatmap("utilization", team); });
    offerExplain(m_table, m_context, this, [this](const QString &team) -> std::vector<Explained> {
        const auto snapshot = m_model.snapshot();
        if (!snapshot)
            return {};
        return overviewExplained(*snapshot, m_model.scope(), m_days->money(), team.toStdString());
    });
    m_table->showWholeRows();
    rememberTable(QStringLiteral("teams"), m_table); // no-tr: key
    m_tableCard = framed(m_context.theme, {m_table});
    return m_tableCard;
}

void OverviewPage::showEmpty()
{
    m_panel->showEmpty(emptyMessage());
}

void OverviewPage::resolveEmpty()
{
    m_context.navigator.setScope({m_model.scope().time, {}, m_model.scope().cost});
}

void OverviewPage::showError()
{
    m_panel->showError(
        {tr("The overview can't be shown"), LocalText::sentence(*m_model.error()), {}, tr("Try again"), {}},
        m_model.snapshot() ? tr("Older data") : QString());
}

widgets::StateMessage OverviewPage::emptyMessage() const
{
    const auto snapshot = m_model.snapshot();
    const QString remove = m_model.scope().filter.empty() ? QString() : tr("Remove all filters");
    if (snapshot->overview.total.notSynced.ticks > 0)
        return {tr("Nothing from this time has been fetched yet"),
                tr("The data end at %1.").arg(LocalText::dateTime(snapshot->covered.end, snapshot->zone)),
                tr("Sync now (F5), or choose a longer time range."),
                remove,
                {}};
    return {tr("No GPU time in this range"),
            tr("No GPU was paid for in the chosen time and filter."),
            tr("Choose a longer time range or remove a filter."),
            remove,
            {}};
}

void OverviewPage::showData()
{
    const auto snapshot = m_model.snapshot();
    m_days->setForecast(m_model.forecast());
    m_days->setSnapshot(snapshot);
    showMoney();
    // On a large screen the charts get the height that the teams do not need.
    const QMargins around = m_tableCard->layout()->contentsMargins();
    m_tableCard->setMaximumHeight(
        m_table->heightFor(std::max(kFewTeams, static_cast<int>(snapshot->overview.teams.size()))) + around.top()
        + around.bottom());
    m_panel->showData();
}

// Updates everything that depends on the basis of cost.
void OverviewPage::showMoney()
{
    const auto snapshot = m_model.snapshot();
    if (!snapshot)
        return;
    const OverviewMoney money = m_days->money();
    const auto forecast = m_model.forecast();
    auto figures = overviewFigures(*snapshot, money);
    // For another time, it is the forecast of something else.
    if (forecast && snapshot->span == Span::ThisMonth)
        figures[0].detail = withForecast(figures[0].detail, *forecast);
    for (std::size_t i = 0; i < figures.size(); ++i)
        m_figures->setFigure(i, std::move(figures[i]));
    showSavings();
    m_reasons->setSnapshot(*snapshot, money);
    m_teams.setSnapshot(overviewTeams(snapshot, money, forecast));
}

void OverviewPage::showForecast()
{
    m_days->setForecast(m_model.forecast());
    showMoney();
}

void OverviewPage::showSavings()
{
    m_figures->setFigure(kOverviewFigures, overviewFound(m_model));
}

void OverviewPage::openHeatmap(const char *metric, const QString &team)
{
    QUrlQuery place;
    if (!team.isEmpty())
        place.addQueryItem(QStringLiteral("team"), QString::fromLatin1(QUrl::toPercentEncoding(team)));
    place.addQueryItem(QStringLiteral("metric"), QLatin1String(metric));
    place.addQueryItem(QStringLiteral("bins"), QStringLiteral("day"));
    place.addQueryItem(QStringLiteral("view"), QStringLiteral("compute"));
    m_context.navigator.openPage(QStringLiteral("heatmap"), place);
}

void OverviewPage::openDay(int index)
{
    const auto snapshot = m_model.snapshot();
    if (!snapshot || index < 0)
        return;
    const auto at = static_cast<std::size_t>(index);
    const bool bills = m_days->money() == OverviewMoney::Bills;
    if (at >= (bills ? snapshot->spend->days.size() : snapshot->overview.days.size()))
        return;
    const std::int32_t day = bills ? snapshot->spend->days[at].day.number : snapshot->overview.days[at].localDay;
    Place place{QStringLiteral("heatmap"), m_context.navigator.scope(), {}};
    place.scope.time = {Span::Custom, {snapshot->zone.startOfLocalDay(day), snapshot->zone.startOfLocalDay(day + 1)}};
    place.inner.addQueryItem(QStringLiteral("metric"), QStringLiteral("utilization"));
    place.inner.addQueryItem(QStringLiteral("bins"), QStringLiteral("hour"));
    place.inner.addQueryItem(QStringLiteral("view"), QStringLiteral("compute"));
    m_context.navigator.go(place);
}

QUrlQuery OverviewPage::place() const
{
    QUrlQuery place;
    if (m_days->wanted() == OverviewMoney::List)
        place.addQueryItem(kMoneyKey, kListMoney);
    if (m_reasons->shown() != kFirstShown)
        place.addQueryItem(kShownKey, m_reasons->shown());
    return place;
}

void OverviewPage::restore(const QUrlQuery &place)
{
    m_restoring = true;
    m_days->setWanted(place.queryItemValue(kMoneyKey) == kListMoney ? OverviewMoney::List : OverviewMoney::Bills);
    m_reasons->setShown(place.hasQueryItem(kShownKey) ? place.queryItemValue(kShownKey) : QString(kFirstShown));
    m_restoring = false;
}

void OverviewPage::resizeEvent(QResizeEvent *event)
{
    StatePage::resizeEvent(event);
    m_charts->setMinimumHeight(height() < kLowPage ? kLowChartHeight : kChartHeight);
}

void OverviewPage::setScope(const Scope &scope)
{
    m_model.setScope(scope);
}

bool OverviewPage::settled() const
{
    return m_model.state() != PageState::Loading && !m_model.isAsking();
}

bool OverviewPage::complete() const
{
    return settled() && !m_model.isAskingSavings() && !m_model.isAskingForecast();
}

void OverviewPage::refresh()
{
    m_model.refresh();
}

void OverviewPage::setActive(bool active)
{
    m_model.setActive(active);
}

} // namespace gpuledger::ui
