// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/overview/overviewadapter.h"
#include "ui/pages/overview/overviewcharts.h"
#include "ui/pages/statepage.h"

namespace gpuledger::widgets {
class DataTable;
class KeyFigureRow;
struct StateMessage;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// The first page: the spend, how much of it does work, what changed, and each team. Every figure opens its rows. Layout
// and bindings only: the state is in the view model.
class OverviewPage : public StatePage {
    Q_OBJECT
public:
    OverviewPage(const PageContext &context, QWidget *parent = nullptr);

    void setScope(const Scope &scope) override;
    QUrlQuery place() const override;
    void restore(const QUrlQuery &place) override;
    bool settled() const override;
    bool complete() const override;
    void refresh() override;
    void setActive(bool active) override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *figures();
    QWidget *charts();
    void explainCharts();
    QWidget *teams();
    PageState state() const override { return m_model.state(); }
    void showData() override;
    void showEmpty() override;
    void showError() override;
    void resolveEmpty() override;
    widgets::StateMessage emptyMessage() const;
    void showMoney();
    void showSavings();
    void showForecast();
    void openHeatmap(const char *metric, const QString &team = {});
    void openDay(int index);

    OverviewViewModel m_model;
    TableModel m_teams;
    widgets::KeyFigureRow *m_figures = nullptr;
    bool m_restoring = false;
    QWidget *m_charts = nullptr;
    OverviewDaysCard *m_days = nullptr;
    OverviewReasonsCard *m_reasons = nullptr;
    widgets::DataTable *m_table = nullptr;
    QWidget *m_tableCard = nullptr;
};

} // namespace gpuledger::ui
