// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/plannedviewmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;

namespace gpuledger::widgets {
class DataTable;
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// Planned machines beside the bills: the other half of the Compare tab. Owned by its parent; the view model must
// outlive it; GUI thread.
class PlannedPanel : public QWidget {
    Q_OBJECT
public:
    PlannedPanel(const widgets::Theme &theme, PlannedViewModel &model, QWidget *parent = nullptr);

    widgets::DataTable *table() const { return m_table; }

private:
    void showState();

    PlannedViewModel &m_model;
    widgets::StatePanel *m_panel = nullptr;
    widgets::DataTable *m_table = nullptr;
    QLabel *m_note = nullptr;
};

} // namespace gpuledger::ui
