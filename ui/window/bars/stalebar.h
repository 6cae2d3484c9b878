// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/synccontroller.h"
#include "ui/window/bars/alertbar.h"

#include <QTimer>

namespace gpuledger::services {
class ConfigService;
}

namespace gpuledger::ui {

// Reports above every page that the data are stale, for as long as they are; it cannot be dismissed. GUI thread.
class StaleBar : public AlertBar {
    Q_OBJECT
public:
    // All must outlive it.
    StaleBar(const widgets::Theme &theme, const services::ConfigService &config, SyncController &sync,
             QWidget *parent = nullptr);

    QString text() const; // empty: nothing is stale

private:
    void refresh();

    const services::ConfigService &m_config;
    SyncController &m_sync;
    QTimer m_minute; // data become stale without an event
};

} // namespace gpuledger::ui
