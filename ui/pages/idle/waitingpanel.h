// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/idle/waitingviewmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace gpuledger::ui {

// The right side of the Idle page while it lists waiting jobs: what the selected one needs, what would serve it or
// keeps it waiting, and what that costs. Owned by its parent; theme and view model must outlive it; GUI thread.
class WaitingPanel : public QWidget {
    Q_OBJECT
public:
    WaitingPanel(const widgets::Theme &theme, const WaitingViewModel &model, QWidget *parent = nullptr);

    void showRow(const QString &row); // an unknown row: an empty panel

Q_SIGNALS:
    // Shows this workload of the idle list.
    void idleRequested(const QString &idle);

private:
    void clearLines();
    void addLine(const QString &text, widgets::Color color);
    void addHeading(const QString &text);
    void addNeeds(const insight::WaitingItem &item);
    void addParts(const insight::WaitingItem &item);
    void addReasons(const insight::WaitingItem &item, const QString &row);

    const widgets::Theme &m_theme;
    const WaitingViewModel &m_model;
    QVBoxLayout *m_lines;
    QPushButton *m_show;
    QString m_idle; // shown by the button
};

} // namespace gpuledger::ui
