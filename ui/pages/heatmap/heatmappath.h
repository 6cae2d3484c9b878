// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/heatmap/heatmapviewmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <array>

class QLabel;
class QToolButton;

namespace gpuledger::ui {

// The drill-down of the heat map, from the top to what is shown: "Teams › research › Workloads". GUI thread.
class HeatmapPath : public QWidget {
    Q_OBJECT
public:
    // The steps are created once, so that Tab reaches them before the widgets after them.
    HeatmapPath(const widgets::Theme &theme, QWidget *parent = nullptr);

    void showPath(const HeatmapViewModel &model);

Q_SIGNALS:
    void climbed(int depth); // back to this one, 0: the top

private:
    struct Step { // of the drill-down, to go back to
        QToolButton *button = nullptr;
        QLabel *arrow = nullptr;
    };
    std::array<Step, 3> m_steps; // workloads, nodes and devices each have a level above them
    QLabel *m_here = nullptr, *m_what = nullptr;
};

} // namespace gpuledger::ui
