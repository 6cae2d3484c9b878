// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Workspace that stores the decisions of review meetings.
#include "app/base/remedy.h"
#include "app/reports/months/decisions.h"
#include "app/services/billing/acceptedsavings.h"
#include "app/services/billing/billingservice.h"
#include "app/services/engine/engine.h"
#include "app/store/months/monthstore.h"

#include <algorithm>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using reports::Decision;
using reports::DecisionDraft;
using reports::DecisionState;
using Log = std::vector<store::AuditEntry>;

namespace {

std::size_t openOf(const Log &log, const DecisionDraft &draft)
{
    const auto decisions = reports::decisionsOf(log);
    return static_cast<std::size_t>(std::count_if(decisions.begin(), decisions.end(), [&](const Decision &one) {
        return one.state == DecisionState::Open && one.draft.team == draft.team && one.draft.month == draft.month;
    }));
}

} // namespace

Result<std::vector<Decision>> BillingService::decisions()
{
    const auto log = m_engine.cache().months().audit();
    GPULEDGER_TRY(log);
    return reports::decisionsOf(*log);
}

Result<std::vector<AcceptedSaving>> BillingService::acceptedSavings()
{
    const auto log = m_engine.cache().months().audit();
    GPULEDGER_TRY(log);
    return acceptedSavingsOf(*log, m_engine.setup().zone);
}

Result<Decision> BillingService::decide(DecisionDraft draft)
{
    const auto kept = reports::checked(std::move(draft));
    GPULEDGER_TRY(kept);
    const auto isFree = [&](const Log &log) { return openOf(log, *kept) < DecisionDraft::kMostOfATeam; };
    const auto entry =
        m_engine.cache().months().note(reports::toEvent(*kept, m_engine.clock().now(), m_engine.actor()), isFree);
    GPULEDGER_TRY(entry);
    if (!*entry)
        return base::fail(ErrorCode::Refused,
                          "this team and month already have " + std::to_string(DecisionDraft::kMostOfATeam)
                              + " open decisions",
                          base::Remedy::SettleDecisionFirst);
    return reports::decisionsOf({**entry}).front();
}

Result<Decision> BillingService::settle(std::int64_t decision, DecisionState state)
{
    const auto all = decisions();
    GPULEDGER_TRY(all);
    const auto it = std::find_if(all->begin(), all->end(), [&](const Decision &one) { return one.id == decision; });
    if (it == all->end() || state == DecisionState::Open)
        return base::fail(ErrorCode::NotFound, "there is no decision " + std::to_string(decision) + " to settle");
    Decision settled = *it;
    settled.state = state;
    const auto isOpen = [&](const Log &log) {
        const auto now = reports::decisionsOf(log);
        return std::any_of(now.begin(), now.end(),
                           [&](const Decision &one) { return one.id == decision && one.state == DecisionState::Open; });
    };
    const auto entry =
        m_engine.cache().months().note(reports::toEvent(settled, m_engine.clock().now(), m_engine.actor()), isOpen);
    GPULEDGER_TRY(entry);
    if (!*entry)
        return base::fail(ErrorCode::Refused, "the decision is already settled");
    settled.settledAt = (*entry)->event.at;
    settled.settledBy = (*entry)->event.actor;
    return settled;
}

Result<std::vector<store::AuditEntry>> BillingService::auditLog()
{
    return m_engine.cache().months().audit();
}

} // namespace gpuledger::services
