// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/viewmodels/heatmapviewmodel.h"

class QHBoxLayout;
class QTimer;

namespace gpuledger::widgets {
class ChoiceButton;
class Heatmap;
class SegmentedSwitch;
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class HeatmapStrip;

// Utilization per team and time; Enter or a click on a row opens what stands behind it. Layout and bindings only: state
// lives in the view-model.
class HeatmapPage : public Page {
    Q_OBJECT
public:
    HeatmapPage(const PageContext &context, QWidget *parent = nullptr);

    void setScope(const Scope &scope) override;
    QUrlQuery place() const override;
    void restore(const QUrlQuery &place) override;
    bool goBack() override;
    bool settled() const override;
    void refresh() override;

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *header();
    void showState();
    void showData();
    void showChoices();
    void showPath();
    void bindChoices();
    void open(const widgets::Heatmap &heatmap, int row);
    void explain();
    void showStrip();
    std::optional<QUrl> grafanaLink() const; // of the current cell

    const PageContext m_context;
    HeatmapViewModel m_model;
    widgets::StatePanel *m_panel = nullptr;
    widgets::Heatmap *m_allocation = nullptr; // above the other when both are shown
    widgets::Heatmap *m_heatmap = nullptr;
    widgets::ChoiceButton *m_metric = nullptr;
    widgets::ChoiceButton *m_rows = nullptr;
    widgets::ChoiceButton *m_bins = nullptr;
    widgets::SegmentedSwitch *m_view = nullptr;
    QHBoxLayout *m_path = nullptr;
    HeatmapStrip *m_strip = nullptr;
    QTimer *m_explain = nullptr; // the arrow keys pass many rows: only where one stays is asked for
    bool m_everShown = false;
    bool m_restoring = false;
};

} // namespace gpuledger::ui
