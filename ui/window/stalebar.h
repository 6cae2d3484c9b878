// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace.h"
#include "ui/viewmodels/synccontroller.h"
#include "widgets/theme/theme.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace gpuledger::ui {

// Says above every page that the data end before now, for as long as they do; it can't be dismissed. In sight only
// then. GUI thread.
class StaleBar : public QWidget {
    Q_OBJECT
public:
    // All must outlive it.
    StaleBar(const widgets::Theme &theme, services::Workspace &workspace, SyncController &sync,
             QWidget *parent = nullptr);

    QString text() const; // empty: nothing is stale

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void update();

    const widgets::Theme &m_theme;
    services::Workspace &m_workspace;
    SyncController &m_sync;
    QLabel *m_text;
    QPushButton *m_syncNow;
    QTimer m_minute; // data grow old by themselves
};

} // namespace gpuledger::ui
