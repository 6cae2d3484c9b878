// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/queue/waiting.h"
#include "app/ports/sourcecatalog.h"
#include "app/services/actions/fleetquestions.h"

#include <stop_token>

namespace gpuledger::services {

// What waits for GPUs, asked of every source of telemetry and every platform at this moment and stored nowhere. Blocks;
// worker threads.
class QueueService {
public:
    // All must outlive it.
    QueueService(FleetQuestions &fleet, const ports::SourceCatalog &catalog, ports::SecretStore &secrets);

    // What waited at `at`, or at the end of the data where that is earlier, against all that was idle then. `filter`
    // chooses among the waiting jobs by team and cluster; its other dimensions say nothing of jobs that have no GPU. A
    // source that can't tell is named in the answer. Platforms only know the present: they are asked as of now where
    // `at` is now and the data end within the last hour. Fails as Workspace::idle() does, with Unsupported in a report,
    // and with Cancelled.
    [[nodiscard]] base::Result<insight::WaitingList> waitingAt(base::UtcTime at, const insight::Filter &filter,
                                                               const std::stop_token &stop);

private:
    struct Moment {
        base::UtcTime asked; // not after now
        base::UtcTime data; // at which it is known what is idle
    };
    base::Result<model::WaitingFacts> askOne(const model::SourceSettings &source, bool isPresent, Moment moment,
                                             const std::stop_token &stop);
    base::Result<model::WaitingFacts> ask(insight::WaitingList &list, Moment moment, const std::stop_token &stop);
    base::Result<insight::NodeRates> ratesOf(const model::WaitingFacts &facts, base::UtcTime at);
    base::Result<void> addTeams(model::WaitingFacts &facts, base::UtcTime at);

    FleetQuestions &m_fleet;
    const ports::SourceCatalog &m_catalog;
    ports::SecretStore &m_secrets;
};

} // namespace gpuledger::services
