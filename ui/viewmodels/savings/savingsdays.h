// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "ui/viewmodels/shell/taskrunner.h"

#include <QObject>

#include <functional>
#include <stop_token>

namespace gpuledger::services {
class ConfigService;
}

namespace gpuledger::ui {

class SyncController;

// Stores what a question about savings needs of new days after each sync, so that the Savings page opens quickly. A
// sync that begins stops it, because what is computed meanwhile could not be stored; the end of that sync starts it
// again. It has a worker of its own, so that pages never wait for it. Does nothing for a report. GUI thread.
class SavingsDays : public QObject {
    Q_OBJECT
public:
    // Stores the days that are missing; SavingsService::keepDays(). Called on a worker, never twice at a time.
    using Keep = std::function<base::Result<void>(const std::stop_token &)>;
    // `config`, `sync` and what `keep` uses must outlive it. Its destructor stops the work and waits for it.
    SavingsDays(const services::ConfigService &config, Keep keep, SyncController &sync, QObject *parent = nullptr);

    bool isStoring() const { return m_isStoring; }

private:
    void store();

    const services::ConfigService &m_config;
    const Keep m_keep;
    const SyncController &m_sync;
    std::stop_source m_stop; // of the work that goes on
    bool m_isStoring = false;
    bool m_storesAgain = false; // a sync ended before the work that it had stopped
    TaskRunner m_tasks; // the last member, so that its work ends before the others
};

} // namespace gpuledger::ui
