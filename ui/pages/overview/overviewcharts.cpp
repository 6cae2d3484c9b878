// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/overviewcharts.h"

#include "ui/pages/overview/overviewbudgets.h"
#include "ui/viewmodels/overview/spendtables.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr QLatin1String kList("list"), kBills("bills"); // keys of the switch
constexpr QLatin1String kChange("change"), kHidden("hidden"), kPrices("prices"); // keys of the choice

QVBoxLayout *cardLayout(const widgets::Theme &theme, QWidget *card)
{
    auto *layout = new QVBoxLayout(card);
    const int side = theme.space(Space::Large), above = theme.space(Space::Medium);
    layout->setContentsMargins(side, above, side, above);
    layout->setSpacing(theme.space(Space::Tiny));
    return layout;
}

} // namespace

OverviewDaysCard::OverviewDaysCard(const widgets::Theme &theme, QWidget *parent)
    : Card(theme, parent)
    , m_head(new QWidget(this))
    , m_prices(new widgets::SegmentedSwitch(theme, tr("Cost of"), {{kBills, tr("Everything")}, {kList, tr("GPU time")}},
                                            m_head))
    , m_chart(new widgets::StackedBarChart(theme))
{
    QVBoxLayout *layout = cardLayout(theme, this);
    auto *head = new QHBoxLayout(m_head);
    head->setContentsMargins(0, 0, 0, 0);
    head->addWidget(plainLabel(theme, tr("Spend per day"), TextSize::Section, Color::Text, QFont::DemiBold, m_head));
    head->addStretch();
    head->addWidget(m_prices);
    layout->addWidget(m_head);
    layout->addWidget(m_chart, 1);
    m_head->hide();
    connect(m_prices, &widgets::SegmentedSwitch::chosen, this, [this] {
        showDays();
        Q_EMIT moneyChosen();
    });
}

OverviewMoney OverviewDaysCard::wanted() const
{
    return m_prices->currentKey() == kBills ? OverviewMoney::Bills : OverviewMoney::List;
}

void OverviewDaysCard::setWanted(OverviewMoney money)
{
    m_prices->setCurrentKey(money == OverviewMoney::Bills ? kBills : kList);
}

OverviewMoney OverviewDaysCard::money() const
{
    return m_snapshot && m_snapshot->spend ? wanted() : OverviewMoney::List;
}

void OverviewDaysCard::setSnapshot(std::shared_ptr<const OverviewSnapshot> snapshot)
{
    m_snapshot = std::move(snapshot);
    showDays();
}

void OverviewDaysCard::setForecast(std::shared_ptr<const OverviewForecast> forecast)
{
    if (m_forecast == forecast)
        return;
    m_forecast = std::move(forecast);
    showDays();
}

void OverviewDaysCard::showDays()
{
    if (!m_snapshot)
        return;
    const bool choice = m_snapshot->spend != nullptr;
    m_head->setVisible(choice);
    widgets::StackedBars bars =
        money() == OverviewMoney::Bills ? overviewBilledDays(*m_snapshot) : overviewDays(*m_snapshot);
    if (choice)
        bars.title.clear(); // it is shown above
    if (m_forecast)
        addBudgetLine(bars, *m_forecast);
    m_chart->setData(std::move(bars));
}

OverviewReasonsCard::OverviewReasonsCard(const widgets::Theme &theme, base::Currency currency, QWidget *parent)
    : Card(theme, parent)
    , m_head(new QWidget(this))
    , m_choice(new widgets::ChoiceButton(tr("Shown"), m_head))
    , m_stack(new QStackedLayout)
    , m_change(new widgets::WaterfallChart(theme))
    , m_movers(plainLabel(theme, {}, TextSize::Caption, Color::Muted))
    , m_hidden(hiddenCostColumns(currency))
    , m_prices(unitPriceColumns(currency))
    , m_hiddenTable(new widgets::DataTable(theme, tr("Hidden costs"), m_hidden))
    , m_priceTable(new widgets::DataTable(theme, tr("Unit prices"), m_prices))
{
    QVBoxLayout *layout = cardLayout(theme, this);
    auto *head = new QHBoxLayout(m_head);
    head->setContentsMargins(0, 0, 0, 0);
    head->addWidget(m_choice);
    head->addStretch();
    layout->addWidget(m_head);
    auto *change = new QWidget(this);
    auto *inside = new QVBoxLayout(change);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->setSpacing(theme.space(Space::Tiny));
    m_movers->setWordWrap(true);
    inside->addWidget(m_change, 1);
    inside->addWidget(m_movers);
    for (QWidget *one : {change, static_cast<QWidget *>(m_hiddenTable), static_cast<QWidget *>(m_priceTable)})
        m_stack->addWidget(one);
    layout->addLayout(m_stack, 1);
    m_choice->setChoices({{kChange, tr("What changed")}, {kHidden, tr("Hidden costs")}, {kPrices, tr("Unit prices")}});
    m_head->hide();
    connect(m_choice, &widgets::ChoiceButton::chosen, this, [this] {
        showChoice();
        Q_EMIT shownChosen();
    });
}

QString OverviewReasonsCard::shown() const
{
    return m_choice->currentKey();
}

void OverviewReasonsCard::setShown(const QString &key)
{
    m_choice->setCurrentKey(key);
}

void OverviewReasonsCard::showChoice()
{
    const QString key = m_head->isHidden() ? QString(kChange) : m_choice->currentKey();
    m_stack->setCurrentIndex(key == kHidden ? 1 : key == kPrices ? 2 : 0);
}

void OverviewReasonsCard::setSnapshot(const OverviewSnapshot &snapshot, OverviewMoney money)
{
    m_head->setVisible(snapshot.spend != nullptr);
    widgets::Waterfall change = overviewChange(snapshot, money);
    if (snapshot.spend) {
        change.title.clear(); // it is shown above
        m_hidden.setSnapshot(hiddenCosts(snapshot.spend));
        m_prices.setSnapshot(unitPrices(snapshot.spend));
    }
    m_change->setData(std::move(change));
    const QString movers = money == OverviewMoney::List ? overviewMovers(snapshot) : QString();
    m_movers->setText(movers);
    m_movers->setVisible(!movers.isEmpty());
    showChoice();
}

} // namespace gpuledger::ui
