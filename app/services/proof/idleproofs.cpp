// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/proof/idleproofs.h"

#include "app/actions/plan/evidence.h"
#include "app/base/remedy.h"
#include "app/insight/proof/idleproof.h"
#include "app/insight/proof/replayproof.h"
#include "app/model/action.h"
#include "app/store/actions/actionstore.h"

#include <utility>

namespace gpuledger::services {

using base::Result;
using insight::Proof;

Result<Proof> replayProofOf(store::LedgerStore &cache, const Setup &setup, const insight::Figure &figure,
                            const std::stop_token &stop)
{
    model::Settings settings = setup.settings;
    settings.idle.threshold = figure.rule.threshold;
    settings.idle.observed = figure.rule.observed;
    settings.idle.grace = figure.rule.grace;
    const auto ledger = ledger::Ledger::create(settings); // states depend on the threshold
    GPULEDGER_TRY(ledger);
    auto facts = cache.facts();
    GPULEDGER_TRY(facts);
    const auto covered = (*facts)->coveredRange();
    GPULEDGER_TRY(covered);
    insight::ReplayQuery query;
    query.range = figure.range.intersect(*covered);
    query.filter = figure.filter;
    query.rule = settings.idle;
    query.resumeWithin = figure.rule.resumeWithin;
    query.cost = figure.rule.cost;
    const auto attribution = (*ledger)->attribution(**facts, query.cost);
    return insight::replayProof(*attribution, figure, query, settings.currency, stop);
}

Result<Proof> actionProofOf(store::LedgerStore &cache, const Setup &setup, const insight::Figure &figure,
                            const std::stop_token &cancel)
{
    const auto record = cache.actions().action(figure.action);
    GPULEDGER_TRY(record);
    auto listed = actions::itemsIn(record->intent.evidence);
    if (!listed || record->intent.kind != model::ActionKind::Stop)
        return base::fail(base::ErrorCode::NotFound,
                          "the log does not say which idle workloads action " + std::to_string(figure.action)
                              + " was about",
                          base::Remedy::SeeActions);
    insight::LoggedStop stop;
    stop.listedAt = listed->listedAt;
    stop.perMonth = record->intent.perMonth;
    for (actions::ListedItem &item : listed->items)
        stop.items.push_back({std::move(item.id), item.perMonth});
    auto view = viewOf(cache, *setup.ledger); // decisions use the effective cost
    GPULEDGER_TRY(view);
    return insight::actionProof(*view->attribution, figure, stop, setup.settings.idle, setup.settings.currency, cancel);
}

} // namespace gpuledger::services
