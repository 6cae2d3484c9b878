// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/explainmenu.h"
#include "ui/pages/statepage.h"
#include "ui/viewmodels/heatmap/heatmapviewmodel.h"

#include <array>

class QLabel;
class QLayout;
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

class HeatmapStrip;

// Utilization per team and time; Enter or a click on a row opens the level below. Layout and bindings only: the state
// is in the view model.
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
    QLayout *makePath(QWidget *bar);
    void showPath();
    void bindChoices();
    void open(const widgets::Heatmap &heatmap, int row);
    void explain();
    void showStrip();
    QString doubtOf(int row, int column) const; // empty: the cell is (almost) completely known
    std::optional<QUrl> grafanaLink() const; // for the current cell
    void offerProofs();
    QString cellName(const widgets::Heatmap &heatmap, int row, int column) const; // "research, Sat 10:00–11:00"
    std::vector<Explained> explained(const widgets::Heatmap &heatmap, int row, int column) const;
    std::vector<Explained> explainedHolder(const QString &key) const; // for a row of the strip, in the current cell

    HeatmapViewModel m_model;
    widgets::Card *m_card = nullptr; // around the matrix
    widgets::Heatmap *m_allocation = nullptr; // above the other one if both are shown
    widgets::Heatmap *m_heatmap = nullptr;
    widgets::ChoiceButton *m_metric = nullptr;
    widgets::ChoiceButton *m_rows = nullptr;
    widgets::ChoiceButton *m_bins = nullptr;
    widgets::SegmentedSwitch *m_view = nullptr;
    struct Step { // of the drill-down, to go back to
        QToolButton *button = nullptr;
        QLabel *arrow = nullptr;
    };
    std::array<Step, 3> m_steps; // workloads, nodes and devices each have a level above them
    QLabel *m_here = nullptr, *m_what = nullptr;
    HeatmapStrip *m_strip = nullptr;
    QTimer *m_explain = nullptr; // delays the query, because the arrow keys pass many rows
    bool m_restoring = false;
};

} // namespace gpuledger::ui
