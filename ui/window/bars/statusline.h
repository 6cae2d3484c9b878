// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/synccontroller.h"
#include "widgets/theme/theme.h"

#include <QTimer>
#include <QWidget>

class QLabel;

namespace gpuledger::services {
class ConfigService;
}

namespace gpuledger::ui {

class SourceRow;

// The window's lower edge: freshness and state of each source, size of the fleet, currency and time zone. GUI thread;
// owned by the window.
class StatusLine : public QWidget {
    Q_OBJECT
public:
    StatusLine(const widgets::Theme &theme, const services::ConfigService &config, SyncController &sync,
               QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void rebuild();
    void addSource(const services::SourceStatus &source);
    QTimer m_minute; // ages increase without a sync

    const widgets::Theme &m_theme;
    const services::ConfigService &m_config;
    SyncController &m_sync;
    SourceRow *m_sources;
    QLabel *m_fleet;
};

} // namespace gpuledger::ui
