// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/shell/synccontroller.h"

#include "app/insight/overview/summary.h"
#include "app/insight/query/query.h"
#include "app/services/engine/configservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace gpuledger::ui {

using Answer = base::Result<std::vector<services::SyncReport>>;

namespace {

constexpr int kPartialMs = 3000; // how often pages are told about new facts during a sync

} // namespace

SyncController::SyncController(const services::ConfigService &config, services::SourceService &sources,
                               services::FleetService &fleet, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_sourceService(sources)
    , m_fleetService(fleet)
    , m_tasks(tasks)
{
    m_sourceService.pausePriceLists(services::kPriceListPause);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &SyncController::start);
    m_partial.setInterval(kPartialMs);
    connect(&m_partial, &QTimer::timeout, this, &SyncController::dataChanged);
}

SyncController::~SyncController()
{
    m_stop.request_stop();
}

bool SyncController::canSync() const
{
    return !m_config.isReport();
}

double SyncController::fraction() const
{
    const auto total = m_progress.range.length().count();
    if (total <= 0)
        return 0;
    const auto done = (m_progress.doneTo - m_progress.range.start).count();
    return std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
}

void SyncController::surround(Prelude before, Prelude after)
{
    m_before = std::move(before);
    m_after = std::move(after);
}

void SyncController::schedule()
{
    reloadSources();
    start();
}

void SyncController::start()
{
    startSync(std::nullopt);
}

void SyncController::startOne(const std::string &source, WhatIsGone gone)
{
    if (m_running && gone == WhatIsGone::Accept)
        m_accept = source;
    else
        startSync(source, gone);
}

void SyncController::takeConfiguration()
{
    reloadSources();
    Q_EMIT dataChanged();
    m_again = m_running;
    m_stop.request_stop(); // of the old sources
    start();
}

void SyncController::startSync(std::optional<std::string> only, WhatIsGone gone)
{
    if (m_running || !canSync() || m_config.settings().sources.empty())
        return;
    m_running = true;
    m_only = std::move(only);
    m_progress = {};
    m_partial.start();
    Q_EMIT runningChanged();
    const QPointer<SyncController> self(this);
    Prelude before = m_only ? Prelude() : std::exchange(m_before, {});
    Prelude after = m_only ? Prelude() : std::exchange(m_after, {});
    m_stop = m_tasks.run<Answer>(
        this,
        [service = &m_sourceService, tasks = &m_tasks, self, only = m_only, gone, before = std::move(before),
         after = std::move(after)](const std::stop_token &stop) {
            const auto tell = [tasks, self](const services::SyncProgress &progress) {
                tasks->deliver([self, progress] {
                    if (!self)
                        return;
                    self->m_progress = progress;
                    Q_EMIT self->progressChanged();
                });
            };
            if (before)
                before(stop, tell);
            auto answer = service->sync(only, stop, tell, gone);
            if (after && answer)
                after(stop, tell);
            return answer;
        },
        [this](Answer answer) { finish(std::move(answer)); });
}

void SyncController::cancel()
{
    m_accept.reset();
    m_stop.request_stop();
}

void SyncController::finish(Answer answer)
{
    m_running = false;
    m_partial.stop();
    if (answer && !m_only)
        m_reports.clear();
    if (answer) {
        for (services::SyncReport &report : *answer) {
            std::erase_if(m_reports, [&](const services::SyncReport &old) { return old.name == report.name; });
            m_reports.push_back(std::move(report));
        }
    }
    base::Seconds every{300};
    for (const model::SourceSettings &source : m_config.settings().sources)
        every = std::min(every, source.every);
    m_timer.start(std::max(every, base::Seconds{10}));
    Q_EMIT runningChanged();
    Q_EMIT dataChanged();
    reloadSources();
    if (m_accept)
        startOne(*std::exchange(m_accept, std::nullopt), WhatIsGone::Accept);
    else if (std::exchange(m_again, false))
        start();
}

void SyncController::reloadSources()
{
    using Loaded = base::Result<Status>;
    m_tasks.run<Loaded>(
        this,
        [config = &m_config, sourceService = &m_sourceService,
         fleetService = &m_fleetService](const std::stop_token &) -> Loaded {
            auto sources = sourceService->statuses();
            GPULEDGER_TRY(sources);
            auto fleet = fleetService->fleetSize();
            GPULEDGER_TRY(fleet);
            auto covered = fleetService->coveredRange();
            GPULEDGER_TRY(covered);
            // Up to now: what has not been fetched yet has not been observed either.
            const base::UtcTime end = config->isReport() ? covered->end : config->clock().now();
            const base::TimeRange range{std::max(covered->start, end - kObserved), end};
            std::optional<double> observed;
            if (!covered->empty() && !range.empty()) {
                auto summary = fleetService->summary({range, {}}, insight::Dimension::Team);
                GPULEDGER_TRY(summary);
                observed = summary->total.coverage;
            }
            return Status{std::move(*sources), *fleet, observed};
        },
        [this](Loaded loaded) {
            if (!loaded)
                return;
            m_sources = std::move(loaded->sources);
            m_fleet = loaded->fleet;
            m_observed = loaded->observed;
            Q_EMIT sourcesChanged();
        });
}

} // namespace gpuledger::ui
