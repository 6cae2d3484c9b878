// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FleetService that tests owner rules.
#include "app/insight/query/measuresums.h"
#include "app/ledger/survey/rulesurvey.h"
#include "app/services/engine/engine.h"
#include "app/services/fleet/fleetservice.h"

namespace gpuledger::services {

using base::Result;

Result<ledger::RulePreview> FleetService::preview(base::TimeRange range, const ledger::OwnerRules &rules,
                                                  std::stop_token stop)
{
    const Setup &inUse = m_engine.setup();
    const ledger::OwnerRules &owners = inUse.ledger->owners();
    range = insight::wholeCells(range);
    const auto generation = m_engine.cache().generation();
    GPULEDGER_TRY(generation);
    Surveyed found;
    {
        const std::lock_guard lock(m_surveyMutex);
        found = m_surveyed;
    }
    if (found.setup != &inUse || found.generation != *generation || found.range != range
        || !found.survey->fits(rules)) {
        std::vector<base::UtcTime> cuts = owners.boundaries();
        cuts.insert(cuts.end(), rules.boundaries().begin(), rules.boundaries().end());
        auto facts = m_engine.cache().facts();
        GPULEDGER_TRY(facts);
        auto survey = inUse.ledger->survey(**facts, range, std::move(cuts), stop);
        GPULEDGER_TRY(survey);
        found = {&inUse, *generation, range, std::move(*survey), nullptr};
        const auto bills = m_engine.cache().billTotals(
            base::dayOf(range.start), base::dayOf(range.end - base::Seconds{1}), store::LedgerStore::BillCheck::Kept);
        GPULEDGER_TRY(bills);
        if (!bills->empty()) {
            auto taken = inUse.ledger->surveyBills(**facts, range, stop);
            GPULEDGER_TRY(taken);
            found.bills = std::move(*taken);
        }
        const std::lock_guard lock(m_surveyMutex);
        m_surveyed = found;
    }
    ledger::RulePreview preview = found.survey->preview(rules, owners);
    preview.currency = inUse.settings.currency;
    if (found.bills) {
        auto tags = found.bills->preview(rules);
        GPULEDGER_TRY(tags);
        preview.bills = std::move(*tags);
    }
    return preview;
}

Result<ledger::RulePreview> FleetService::testRules(base::TimeRange range, std::stop_token stop)
{
    return preview(range, m_engine.setup().ledger->owners(), std::move(stop));
}

Result<ledger::RulePreview> FleetService::testRules(base::TimeRange range, std::vector<model::OwnerRule> owners,
                                                    std::stop_token stop)
{
    const auto rules = ledger::OwnerRules::create(std::move(owners));
    GPULEDGER_TRY(rules);
    return preview(range, *rules, std::move(stop));
}

std::vector<model::OwnerRule> FleetService::ownerRules() const
{
    return m_engine.setup().ledger->owners().rules();
}

} // namespace gpuledger::services
