// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/taskrunner.h"

#include <QObject>
#include <QTimer>

namespace gpuledger::services {
class AlertDesk;
class ConfigService;
} // namespace gpuledger::services

namespace gpuledger::ui {

class SyncController;

// Evaluates the alert rules after each sync, and sends the messages that are due after that, when they become due, and
// when the program starts. Both have workers of their own: a receiver that does not answer must hold up neither pages
// nor the next evaluation. Of several programs on a cache only one evaluates (AlertDesk has a leader). Does nothing for
// a report, and without rules. GUI thread.
class AlertWatch : public QObject {
    Q_OBJECT
public:
    // All must outlive it.
    AlertWatch(const services::ConfigService &config, services::AlertDesk &desk, SyncController &sync,
               QObject *parent = nullptr);

private:
    struct Round;
    struct Delivered;

    void evaluate();
    void deliver();

    const services::ConfigService &m_config;
    services::AlertDesk &m_desk;
    QTimer m_due; // until the next message
    bool m_isEvaluating = false, m_isDelivering = false;
    bool m_evaluatesAgain = false; // a sync ended during a round
    bool m_deliversAgain = false; // a round ended while messages were sent
    TaskRunner m_tasks; // the last member, so that its work ends before the others
};

} // namespace gpuledger::ui
