// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/splitlens.h"

#include "app/reports/sharing/moneysum.h"
#include "app/reports/statement/statementinput.h"

#include <algorithm>
#include <map>

namespace gpuledger::reports {

using base::Currency;
using base::Money;
using base::Result;
using insight::LedgerDimension;
using model::MachinePart;

namespace {

enum LensKey { LensByTeam, LensByPart, LensByCategory, LensByOrigin };

struct Sums {
    std::map<std::string, LensTeam> teams;
    BySplitPolicy cpu, memory, unsplit, total;
};

BySplitPolicy zeros(Currency currency)
{
    BySplitPolicy out;
    out.fill(Money(0, currency));
    return out;
}

class LensMaker {
public:
    explicit LensMaker(CostView view)
        : m_view(view)
    {
    }

    Result<void> add(std::size_t policy, const insight::LedgerRow &row)
    {
        const std::string &part = row.keys[LensByPart];
        if (part.empty())
            return {};
        const bool estimate = row.keys[LensByOrigin] != model::toString(model::LedgerOrigin::Billed);
        const Money amount = estimate ? estimateOf(row) : m_view == CostView::Billed ? row.billed : row.effective;
        Sums &sums = sumsOf(amount.currency());
        GPULEDGER_TRY(addTo(sums.total[policy], amount));
        if (part == model::toString(MachinePart::Cpu))
            return addTo(sums.cpu[policy], amount);
        if (part == model::toString(MachinePart::Memory))
            return addTo(sums.memory[policy], amount);
        const Money zero(0, amount.currency());
        LensTeam &team =
            sums.teams
                .try_emplace(row.keys[LensByTeam],
                             LensTeam{row.keys[LensByTeam], zeros(zero.currency()), zeros(zero.currency())})
                .first->second;
        if (part == model::toString(MachinePart::Unsplit)) {
            GPULEDGER_TRY(addTo(sums.unsplit[policy], amount));
            GPULEDGER_TRY(addTo(team.unsplit[policy], amount));
        }
        return addTo(team.cost[policy], amount);
    }

    Result<std::vector<CurrencyLens>> take()
    {
        std::vector<CurrencyLens> out;
        for (auto &[currency, sums] : m_sums) {
            CurrencyLens &lens = out.emplace_back();
            lens.currency = currency;
            lens.cpu = sums.cpu;
            lens.memory = sums.memory;
            lens.unsplit = sums.unsplit;
            lens.total = sums.total[0];
            if (std::any_of(sums.total.begin(), sums.total.end(),
                            [&](const Money &total) { return total.nanos() != lens.total.nanos(); }))
                return base::fail(base::ErrorCode::Internal, "the shares of a machine don't add up to its price");
            for (auto &[name, team] : sums.teams) {
                for (const Money &cost : team.cost)
                    GPULEDGER_TRY(cost.minus(team.cost[0])); // so that difference() cannot overflow
                lens.teams.push_back(std::move(team));
            }
            std::stable_sort(lens.teams.begin(), lens.teams.end(), [](const LensTeam &a, const LensTeam &b) {
                return a.cost[0].nanos() > b.cost[0].nanos();
            });
        }
        return out;
    }

private:
    Sums &sumsOf(Currency currency)
    {
        const auto [it, isNew] = m_sums.try_emplace(currency);
        if (isNew)
            it->second.cpu = it->second.memory = it->second.unsplit = it->second.total = zeros(currency);
        return it->second;
    }

    CostView m_view;
    std::map<Currency, Sums> m_sums;
};

} // namespace

insight::LedgerQuery lensQuery(const insight::Month &month, model::SplitPolicy policy)
{
    insight::LedgerQuery query;
    query.range = month.range();
    query.by = {LedgerDimension::Team, LedgerDimension::Part, LedgerDimension::Category, LedgerDimension::Origin};
    query.split = policy;
    return query;
}

Result<SplitLens> makeSplitLens(const insight::Month &month, CostView view,
                                const std::array<insight::LedgerAnswer, kSplitPolicies.size()> &answers)
{
    LensMaker maker(view);
    for (std::size_t policy = 0; policy < answers.size(); ++policy) {
        for (const insight::LedgerRow &row : answers[policy].rows)
            GPULEDGER_TRY(maker.add(policy, row));
    }
    auto currencies = maker.take();
    GPULEDGER_TRY(currencies);
    return SplitLens{month, view, std::move(*currencies)};
}

} // namespace gpuledger::reports
