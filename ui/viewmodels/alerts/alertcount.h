// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/latestquery.h"

#include <QObject>

#include <optional>

namespace gpuledger::services {
class AlertService;
class ConfigService;
} // namespace gpuledger::services

namespace gpuledger::ui {

class SyncController;

// How many alerts fire, for the badge on the rail: after the program has started, and whenever data or the
// configuration change. Without rules it asks nothing. GUI thread; evaluates on worker threads.
class AlertCount : public QObject {
    Q_OBJECT
public:
    // All must outlive it.
    AlertCount(const services::ConfigService &config, services::AlertService &alerts, TaskRunner &tasks,
               SyncController &sync, QObject *parent = nullptr);

    // std::nullopt: not known.
    std::optional<int> firing() const { return m_firing; }

Q_SIGNALS:
    void changed();

private:
    void ask();
    void take();

    const services::ConfigService &m_config;
    services::AlertService &m_alerts;
    LatestQuery<int> m_asker;
    std::optional<int> m_firing;
};

} // namespace gpuledger::ui
