// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/statepage.h"
#include "ui/viewmodels/heatmap/heatmapviewmodel.h"

class QTimer;
class QToolButton;

namespace gpuledger::widgets {
class Card;
class ChoiceButton;
class Heatmap;
class SegmentedSwitch;
struct StateMessage;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class HeatmapPath;
class HeatmapStrip;

// Who wastes, or another metric, per team and time; Enter or a click on a row opens the level below. Layout and
// bindings only: the state is in the view model.
class HeatmapPage : public StatePage {
    Q_OBJECT
public:
    HeatmapPage(const PageContext &context, QWidget *parent = nullptr);

    void setScope(const Scope &scope) override;
    QUrlQuery place() const override;
    void restore(const QUrlQuery &place) override;
    bool goBack() override;
    bool settled() const override;
    void refresh() override;
    void setActive(bool active) override;

private:
    QWidget *header();
    PageState state() const override { return m_model.state(); }
    void showData() override;
    void showEmpty() override;
    void showError() override;
    void stateShown() override { showStrip(); }
    void resolveEmpty() override;
    widgets::StateMessage emptyMessage() const;
    void showChoices();
    void bindChoices();
    void bindStrip();
    void open(const widgets::Heatmap &heatmap, int row);
    void explain();
    void showStrip();
    QString doubtOf(int row, int column) const; // empty: the cell is (almost) completely known
    std::optional<QUrl> grafanaLink() const; // for the current cell
    void offerProofs();

    HeatmapViewModel m_model;
    widgets::Card *m_card = nullptr; // around the matrix
    widgets::Heatmap *m_allocation = nullptr; // above the other one if both are shown
    widgets::Heatmap *m_heatmap = nullptr;
    widgets::ChoiceButton *m_metric = nullptr;
    widgets::ChoiceButton *m_rows = nullptr;
    widgets::ChoiceButton *m_bins = nullptr;
    widgets::SegmentedSwitch *m_view = nullptr;
    QToolButton *m_full = nullptr; // colours from 0 to 100 %
    HeatmapPath *m_path = nullptr;
    HeatmapStrip *m_strip = nullptr;
    QTimer *m_explain = nullptr; // delays the query, because the arrow keys pass many rows
    bool m_restoring = false;
};

} // namespace gpuledger::ui
