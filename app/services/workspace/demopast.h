// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/services/engine/workspaceoptions.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace gpuledger::ports {
class SecretStore;
class SourceCatalog;
} // namespace gpuledger::ports

namespace gpuledger::services {

class Workspace;
struct SyncProgress;

// Gives the demo company a past: a pool of machines that it gave back, for which it accepted a proposal, workloads that
// its people stopped in the last weeks, and months that they closed.
// Everything is done by the services that a user's own actions go through, in a workspace whose clock is set to the
// time of the deed, so that log, platform and facts agree. Every function blocks; call on a worker thread. `catalog`,
// `secrets` and `clock` must outlive it.
class DemoPast {
public:
    using ProgressFn = std::function<void(const SyncProgress &)>;

    DemoPast(model::Settings settings, WorkspaceOptions options, const ports::SourceCatalog &catalog,
             ports::SecretStore &secrets, const base::Clock &clock);

    // Before the first sync: syncs all bills, then the fleet up to each deed, and does it. Does nothing if facts are
    // stored already. Fails with Cancelled, with Storage… codes, and like the services.
    [[nodiscard]] base::Result<void> stopWorkloads(const std::stop_token &stop, const ProgressFn &progress);
    // After the first sync of the bills: closes every whole month but the last, which is reviewed. Does nothing if a
    // month is reviewed or closed already. Fails with Cancelled and like BillingService::closeMonth().
    [[nodiscard]] base::Result<void> closeMonths(const std::stop_token &stop);

private:
    using Deed = std::function<base::Result<void>(Workspace &, base::UtcTime)>;
    base::Result<void> doAt(base::UtcTime at, const char *actor, const Deed &deed) const;
    base::Result<bool> beginWithBills(const std::stop_token &stop, const ProgressFn &progress) const;

    const model::Settings m_settings;
    const WorkspaceOptions m_options;
    const ports::SourceCatalog &m_catalog;
    ports::SecretStore &m_secrets;
    const base::Clock &m_clock;
};

} // namespace gpuledger::services
