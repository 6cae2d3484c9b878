// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace/workspace.h"
#include "ui/viewmodels/shell/synccontroller.h"
#include "ui/window/alertbar.h"

#include <QTimer>

namespace gpuledger::ui {

// Says above every page that the data end before now, for as long as they do; it can't be dismissed. In sight only
// then. GUI thread.
class StaleBar : public AlertBar {
    Q_OBJECT
public:
    // All must outlive it.
    StaleBar(const widgets::Theme &theme, services::Workspace &workspace, SyncController &sync,
             QWidget *parent = nullptr);

    QString text() const; // empty: nothing is stale

private:
    void refresh();

    services::Workspace &m_workspace;
    SyncController &m_sync;
    QTimer m_minute; // data grow old by themselves
};

} // namespace gpuledger::ui
