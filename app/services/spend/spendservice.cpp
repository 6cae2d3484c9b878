// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/spend/spendservice.h"

#include "app/reports/splitlens.h"
#include "app/services/spend/ledgeranswers.h"

#include <algorithm>
#include <array>

namespace gpuledger::services {

using base::Result;

Result<insight::LedgerAnswer> SpendService::ledger(const insight::LedgerQuery &query)
{
    if (query.range.empty())
        return base::fail(base::ErrorCode::InvalidArgument, "the range of days is empty");
    return ofOneState(m_engine.cache(), [&] { return ledgerOf(m_engine.cache(), m_engine.setup(), query); });
}

Result<reports::SplitLens> SpendService::splitLens(const insight::Month &month, reports::CostView view)
{
    std::vector<insight::LedgerQuery> queries;
    for (const model::SplitPolicy policy : reports::kSplitPolicies)
        queries.push_back(reports::lensQuery(month, policy));
    return ofOneState(m_engine.cache(), [&]() -> Result<reports::SplitLens> {
        auto answers = ledgersOf(m_engine.cache(), m_engine.setup(), queries);
        GPULEDGER_TRY(answers);
        std::array<insight::LedgerAnswer, reports::kSplitPolicies.size()> byPolicy;
        std::move(answers->begin(), answers->end(), byPolicy.begin());
        return reports::makeSplitLens(month, view, byPolicy);
    });
}

Result<insight::Reconciliation> SpendService::reconcile(const insight::Month &month)
{
    return ofOneState(m_engine.cache(), [&]() -> Result<insight::Reconciliation> {
        auto answer = reconciliationOf(m_engine.cache(), m_engine.setup().settings.currency, month);
        GPULEDGER_TRY(answer);
        if (!answer->hasUnknownTypes())
            return answer;
        auto types = unknownTypesOf(m_engine.cache(), m_engine.setup(), month);
        GPULEDGER_TRY(types);
        answer->unknownTypes = std::move(*types);
        return answer;
    });
}

} // namespace gpuledger::services
