// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savings/savingsservice.h"

#include "app/services/engine/engine.h"
#include "app/services/savings/realizedmemo.h"
#include "app/services/savings/savingschoices.h"
#include "app/services/savings/savingsfacts.h"
#include "app/services/savings/usualassumptions.h"

#include <utility>
#include <vector>

namespace gpuledger::services {

using base::Result;
using savings::Kind;
using savings::Proposal;
using savings::SavingsList;

namespace {

// What the whole list says of one kind.
SavingsList partOf(SavingsList list, Kind kind)
{
    std::erase_if(list.items, [&](const Proposal &one) { return one.kind != kind; });
    for (savings::SavingsSum &sum : list.sums)
        std::erase_if(sum.byKind, [&](const auto &one) { return one.first != kind; });
    std::erase_if(list.sums, [](const savings::SavingsSum &sum) { return sum.byKind.empty(); });
    for (savings::SavingsSum &sum : list.sums)
        sum.perMonth = sum.byKind.front().second;
    return list;
}

} // namespace

SavingsService::SavingsService(Engine &engine, bool onlyFacts)
    : m_engine(engine)
    , m_facts(std::make_shared<SavingsFacts>(engine, savingsEngines(), onlyFacts))
    , m_realized(std::make_shared<RealizedMemo>())
{
}

Result<SavingsList> SavingsService::savings(const SavingsQuery &query, const std::stop_token &stop)
{
    return ofOneState(m_engine.cache(), [&]() -> Result<SavingsList> {
        const auto chosen = choices();
        GPULEDGER_TRY(chosen);
        const base::Day today{m_engine.setup().zone.localDay(m_engine.clock().now())};
        const auto exclude = [&](std::vector<savings::Proposal> &all) { excludeChosen(all, *chosen, today); };
        auto list = m_facts->list(query, exclude, stop);
        GPULEDGER_TRY(list);
        return query.kind ? partOf(std::move(*list), *query.kind) : std::move(*list);
    });
}

savings::Assumptions SavingsService::usual() const
{
    return usualAssumptions(m_engine.setup().settings.savings);
}

Result<std::optional<savings::ProposalCurve>>
SavingsService::curve(const SavingsQuery &query, const std::string &proposal, const std::stop_token &stop)
{
    return ofOneState(m_engine.cache(), [&] { return m_facts->curve(query, proposal, stop); });
}

} // namespace gpuledger::services
