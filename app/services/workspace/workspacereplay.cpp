// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idlereplay.h"

#include "app/services/workspace/workspaceprivate.h"

namespace gpuledger::services {

using base::Result;

Result<insight::IdleReplay> Workspace::replayIdle(const insight::ReplayQuery &query, const std::stop_token &stop)
{
    const Setup &setup = d->setup();
    model::Settings settings = setup.settings;
    settings.idle = query.rule;
    const auto ledger = ledger::Ledger::create(settings); // states depend on the threshold
    GPULEDGER_TRY(ledger);
    auto facts = d->cache->facts();
    GPULEDGER_TRY(facts);
    const auto covered = (*facts)->coveredRange();
    GPULEDGER_TRY(covered);
    const auto attribution = (*ledger)->attribution(**facts);
    insight::ReplayQuery cut = query;
    cut.range = query.range.intersect(*covered);
    return insight::replayIdle(*attribution, cut, settings.currency, stop);
}

} // namespace gpuledger::services
