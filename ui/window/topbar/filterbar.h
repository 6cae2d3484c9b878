// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/viewmodels/shell/dimensionvalues.h"

#include <QWidget>

class QPushButton;

namespace gpuledger::widgets {
class ChipRow;
class ChoiceButton;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// The filter of all pages: the team, other included or excluded values as chips, and the button to add more. Shows the
// navigator's place and changes it. GUI thread; owned by the top bar.
class FilterBar : public QWidget {
    Q_OBJECT
public:
    FilterBar(const WindowContext &context, Navigator &navigator, DimensionValues &values, QWidget *parent = nullptr);
    void openMenu();

private:
    void show(const insight::Filter &filter);
    void showTeams(const insight::Filter &filter);
    void chooseTeam(const QString &key);
    void setFilter(insight::Filter filter);

    const widgets::Theme &m_theme;
    Navigator &m_navigator;
    DimensionValues &m_values;
    widgets::ChoiceButton *m_team;
    widgets::ChipRow *m_chips;
    QPushButton *m_add;
};

} // namespace gpuledger::ui
