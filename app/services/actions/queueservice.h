// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/queue/waiting.h"
#include "app/ports/sourcecatalog.h"
#include "app/services/actions/fleetquestions.h"

#include <stop_token>

namespace gpuledger::services {

// Finds out what waits for GPUs, by querying every telemetry source and every platform on demand; stores nothing.
// Blocks; call from a worker thread.
class QueueService {
public:
    // All arguments must outlive this object.
    QueueService(FleetQuestions &fleet, const ports::SourceCatalog &catalog, ports::SecretStore &secrets);

    // What waited at `at`, or at the end of the data if that is earlier, matched against everything that was idle then.
    // Amounts are at `cost`. `filter` selects waiting jobs by team and cluster; its other dimensions do not apply to
    // jobs that have no GPU. A source that cannot answer is named in the result. Platforms only know the present: they
    // are queried as of now if `at` is now and the data end within the last hour. Fails like FleetService::idle(), with
    // Unsupported in a report, and with Cancelled.
    [[nodiscard]] base::Result<insight::WaitingList> waitingAt(base::UtcTime at, const insight::Filter &filter,
                                                               const std::stop_token &stop,
                                                               model::CostView cost = model::CostView::Effective);

private:
    struct Moment {
        base::UtcTime asked; // not after now
        base::UtcTime data; // the time for which idle workloads are known
    };
    base::Result<model::WaitingFacts> askOne(const model::SourceSettings &source, bool isPresent, Moment moment,
                                             const std::stop_token &stop);
    base::Result<model::WaitingFacts> ask(insight::WaitingList &list, Moment moment, const std::stop_token &stop);
    base::Result<insight::NodeRates> ratesOf(const model::WaitingFacts &facts, base::UtcTime at, model::CostView cost);
    base::Result<void> addTeams(model::WaitingFacts &facts, base::UtcTime at);

    FleetQuestions &m_fleet;
    const ports::SourceCatalog &m_catalog;
    ports::SecretStore &m_secrets;
};

} // namespace gpuledger::services
