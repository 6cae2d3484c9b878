// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "ui/viewmodels/shell/taskrunner.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {
class ConfigService;
}

namespace gpuledger::ui {

// Runs syncs in the background: at start, then at the interval of the most frequent source, and on demand. GUI thread.
class SyncController : public QObject {
    Q_OBJECT
public:
    // All must outlive it.
    SyncController(const services::ConfigService &config, services::SourceService &sources,
                   services::FleetService &fleet, TaskRunner &tasks, QObject *parent = nullptr);
    ~SyncController() override;

    bool running() const { return m_running; }
    // A report has nothing to sync.
    bool canSync() const;
    const services::SyncProgress &progress() const { return m_progress; }
    double fraction() const; // 0..1 of the range of the source being synced
    const std::vector<services::SourceStatus> &sources() const { return m_sources; }
    const std::vector<services::SyncReport> &lastReports() const { return m_reports; }
    services::FleetService::FleetSize fleet() const { return m_fleet; }
    // Observed share of the paid time of the last kObserved; std::nullopt if there is none.
    std::optional<double> observed() const { return m_observed; }
    static constexpr base::Seconds kObserved = 30 * base::kDay;

    // Starts a sync unless one is running.
    void start();
    // The same for one source. With `Accept`, the user confirms that data the source no longer has were deleted there;
    // this waits for a running sync to end.
    using WhatIsGone = services::SourceService::WhatIsGone;
    void startOne(const std::string &source, WhatIsGone gone = WhatIsGone::Keep);
    // Whether the running sync includes this source.
    bool isSyncing(const std::string &source) const { return m_running && (!m_only || *m_only == source); }
    // Call when a new configuration is in use: pages query again, and a sync starts.
    void takeConfiguration();
    void cancel();
    // Run on the worker before and, unless it is cancelled, after the next sync of all sources: the past of the demo
    // company.
    using Prelude = std::function<void(const std::stop_token &, const services::SourceService::ProgressFn &)>;
    void surround(Prelude before, Prelude after);
    // Call when something was stopped, restored, marked or left alone: pages that show it query again.
    void tellActions() { Q_EMIT actionsChanged(); }
    // Starts the schedule, with an immediate sync.
    void schedule();
    // Reads the states of the sources from the cache.
    void reloadSources();

Q_SIGNALS:
    void runningChanged();
    void progressChanged();
    void dataChanged(); // facts were stored
    void actionsChanged(); // see tellActions()
    void sourcesChanged();

private:
    struct Status {
        std::vector<services::SourceStatus> sources;
        services::FleetService::FleetSize fleet;
        std::optional<double> observed;
    };
    void startSync(std::optional<std::string> only, WhatIsGone gone = WhatIsGone::Keep);
    void finish(base::Result<std::vector<services::SyncReport>> answer);

    const services::ConfigService &m_config;
    services::SourceService &m_sourceService;
    services::FleetService &m_fleetService;
    TaskRunner &m_tasks;
    Prelude m_before, m_after; // may be empty
    QTimer m_timer;
    QTimer m_partial; // updates the pages during a sync
    bool m_running = false;
    bool m_again = false; // a configuration arrived during a sync
    std::optional<std::string> m_only; // the only source being synced
    std::optional<std::string> m_accept; // the source whose loss the user accepted during a sync
    std::stop_source m_stop;
    services::SyncProgress m_progress;
    std::vector<services::SourceStatus> m_sources;
    std::vector<services::SyncReport> m_reports;
    services::FleetService::FleetSize m_fleet;
    std::optional<double> m_observed;
};

} // namespace gpuledger::ui
