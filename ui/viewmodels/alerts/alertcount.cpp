// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/alerts/alertcount.h"

#include "app/model/settings.h"
#include "app/services/alerts/alertanswer.h"
#include "app/services/alerts/alertservice.h"
#include "app/services/engine/configservice.h"
#include "ui/viewmodels/shell/synccontroller.h"

namespace gpuledger::ui {

AlertCount::AlertCount(const services::ConfigService &config, services::AlertService &alerts, TaskRunner &tasks,
                       SyncController &sync, QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_alerts(alerts)
    , m_asker(tasks, this, [this] { take(); })
{
    connect(&sync, &SyncController::runningChanged, this, [this, control = &sync] {
        if (!control->running())
            ask();
    });
    connect(&sync, &SyncController::sourcesChanged, this, &AlertCount::ask);
    // Otherwise the states of the sources are still being read, as at the start of the program.
    if (!sync.sources().empty() || sync.fleet().devices > 0)
        ask();
}

void AlertCount::ask()
{
    if (m_config.isReport())
        return;
    m_asker.ask([config = &m_config, alerts = &m_alerts](const std::stop_token &) -> LatestQuery<int>::Answer {
        if (config->settings().alerts.empty())
            return std::make_shared<const int>(0);
        const auto now = alerts->evaluate();
        GPULEDGER_TRY(now);
        int firing = 0;
        for (const services::RuleResult &rule : now->rules)
            firing += static_cast<int>(rule.firing.size());
        return std::make_shared<const int>(firing);
    });
}

void AlertCount::take()
{
    m_firing = m_asker.error() || !m_asker.snapshot() ? std::nullopt : std::optional(*m_asker.snapshot());
    Q_EMIT changed();
}

} // namespace gpuledger::ui
