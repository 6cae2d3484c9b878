// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/overview/overviewadapter.h"
#include "widgets/cards/card.h"

class QLabel;
class QStackedLayout;

namespace gpuledger::widgets {
class ChoiceButton;
class DataTable;
class SegmentedSwitch;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// Spend per day: at list prices, or by the bills if there are any. Owned by its parent; GUI thread.
class OverviewDaysCard : public widgets::Card {
    Q_OBJECT
public:
    explicit OverviewDaysCard(const widgets::Theme &theme, QWidget *parent = nullptr);
    void setSnapshot(std::shared_ptr<const OverviewSnapshot> snapshot);
    void setForecast(std::shared_ptr<const OverviewForecast> forecast); // for the budget line; null: unknown
    OverviewMoney money() const; // Bills only if there are any
    OverviewMoney wanted() const; // as chosen
    void setWanted(OverviewMoney money);
    widgets::StackedBarChart *chart() const { return m_chart; }

Q_SIGNALS:
    void moneyChosen();

private:
    void showDays();

    std::shared_ptr<const OverviewSnapshot> m_snapshot;
    std::shared_ptr<const OverviewForecast> m_forecast;
    QWidget *m_head;
    widgets::SegmentedSwitch *m_prices;
    widgets::StackedBarChart *m_chart;
};

// Explains why the spend differs from the previous period; if there are bills, also costs other than GPU time, and unit
// prices. Owned by its parent; GUI thread.
class OverviewReasonsCard : public widgets::Card {
    Q_OBJECT
public:
    OverviewReasonsCard(const widgets::Theme &theme, base::Currency currency, QWidget *parent = nullptr);
    void setSnapshot(const OverviewSnapshot &snapshot, OverviewMoney money);
    // The current view: "change", "hidden" or "prices"; other values are ignored.
    QString shown() const;
    void setShown(const QString &key);
    widgets::WaterfallChart *chart() const { return m_change; }
    widgets::DataTable *hiddenTable() const { return m_hiddenTable; }
    widgets::DataTable *priceTable() const { return m_priceTable; }

Q_SIGNALS:
    void shownChosen();

private:
    void showChoice();

    QWidget *m_head;
    widgets::ChoiceButton *m_choice;
    QStackedLayout *m_stack;
    widgets::WaterfallChart *m_change;
    QLabel *m_movers;
    TableModel m_hidden, m_prices;
    widgets::DataTable *m_hiddenTable, *m_priceTable;
};

} // namespace gpuledger::ui
