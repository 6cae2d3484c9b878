// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/savingsdays.h"

#include "app/base/text/log.h"
#include "app/services/engine/configservice.h"
#include "ui/viewmodels/shell/synccontroller.h"

#include <utility>

namespace gpuledger::ui {

SavingsDays::SavingsDays(const services::ConfigService &config, Keep keep, SyncController &sync, QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_keep(std::move(keep))
    , m_sync(sync)
{
    connect(&sync, &SyncController::runningChanged, this, [this] {
        if (m_sync.running())
            m_stop.request_stop();
        else
            store();
    });
}

void SavingsDays::store()
{
    if (m_config.isReport())
        return;
    if (m_isStoring) {
        m_storesAgain = true;
        return;
    }
    m_isStoring = true;
    using Kept = base::Result<void>;
    m_stop = m_tasks.run<Kept>(
        this, [keep = m_keep](const std::stop_token &stop) { return keep(stop); },
        [this](const Kept &kept) {
            m_isStoring = false;
            // Only a copy: a question about savings makes it too, and reports what is wrong.
            if (!kept && kept.error().code != base::ErrorCode::Cancelled)
                base::log::info("savings", "no days are prepared for savings: " + kept.error().text);
            if (std::exchange(m_storesAgain, false) && !m_sync.running())
                store();
        });
}

} // namespace gpuledger::ui
