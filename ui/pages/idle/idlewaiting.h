// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/idle/waitingviewmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace gpuledger::widgets {
class DataTable;
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// The part of the Idle page that shows which jobs wait for idle GPUs, which workloads could be stopped for them and
// what blocks the others. Owned by its parent; the view model must outlive it; GUI thread.
class IdleWaiting : public QWidget {
    Q_OBJECT
public:
    IdleWaiting(const widgets::Theme &theme, WaitingViewModel &model, QWidget *parent = nullptr);

    widgets::DataTable *table() const { return m_table; }

Q_SIGNALS:
    // These idle workloads are to be checked, so that they can be stopped.
    void tickRequested(const QStringList &idle);
    void rowChanged(const QString &row);

private:
    QWidget *footer();
    void showState();
    void showEmpty();
    void showRow();

    const widgets::Theme &m_theme;
    WaitingViewModel &m_model;
    widgets::StatePanel *m_panel = nullptr;
    widgets::DataTable *m_table = nullptr;
    QLabel *m_reason = nullptr;
    QPushButton *m_tick = nullptr, *m_tickAll = nullptr, *m_export = nullptr;
};

} // namespace gpuledger::ui
