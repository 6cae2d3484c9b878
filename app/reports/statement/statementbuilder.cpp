// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/statementbuilder.h"

#include "app/base/text/text.h"
#include "app/reports/sharing/moneysum.h"
#include "app/reports/sharing/neighbours.h"
#include "app/reports/statement/statementrange.h"
#include "app/reports/statement/teamstatement.h"

#include <algorithm>
#include <map>

namespace gpuledger::reports {

using base::Currency;
using base::ErrorCode;
using base::Money;
using base::Result;
using insight::LedgerRow;

namespace {

base::TimeRange within(base::TimeRange range, base::TimeRange month)
{
    const base::TimeRange both{std::max(range.start, month.start), std::min(range.end, month.end)};
    return range.empty() || both.empty() ? base::TimeRange{} : both;
}

class StatementBuilder {
public:
    explicit StatementBuilder(const StatementInput &input)
        : m_input(input)
    {
    }

    Result<Statement> build()
    {
        for (const LedgerRow &row : m_input.after.rows)
            GPULEDGER_TRY(take(row, true));
        for (const LedgerRow &row : m_input.comparedRows())
            GPULEDGER_TRY(take(row, false));
        GPULEDGER_TRY(addSums(m_input.before, &TeamSums::before));
        if (m_input.restated) {
            GPULEDGER_TRY(addSums(m_input.restated->now, &TeamSums::restated));
            if (m_input.restated->byOldRules)
                GPULEDGER_TRY(addSums(*m_input.restated->byOldRules, &TeamSums::byOldRules));
        }
        for (const insight::LedgerTotal &total : m_input.after.totals)
            m_teams[total.currency]; // a bill without ledger lines must show as a difference
        for (const MonthAdjustment &one : m_input.adjustments)
            m_teams[one.key.currency][one.key.team];
        Statement out;
        out.month = m_input.month;
        out.status = m_input.team.empty() ? m_input.status : ofTeam(m_input.status, m_input.team);
        out.status.month = m_input.month;
        out.view = m_input.view;
        out.made = m_input.now;
        out.isOver = m_input.month.range().end <= m_input.now;
        out.observed = within(m_input.covered, m_input.month.range());
        out.team = m_input.team;
        out.knowsDoubts = m_input.doubts;
        out.knowsNeighbours = m_input.possible;
        bool found = m_input.team.empty();
        for (const auto &[currency, teams] : m_teams) {
            found = found || teams.count(m_input.team) > 0;
            auto one = statementOf(currency, teams);
            GPULEDGER_TRY(one);
            out.currencies.push_back(std::move(*one));
        }
        if (!found)
            return base::fail(ErrorCode::NotFound,
                              "no team \"" + base::printable(m_input.team, 64) + "\" has figures in "
                                  + insight::toString(m_input.month),
                              "see the teams with: gpuledger-cli showback --month " + insight::toString(m_input.month));
        return out;
    }

private:
    Result<void> take(const LedgerRow &row, bool isAfter)
    {
        const Money amount = m_input.amountOf(row);
        return m_teams[amount.currency()][row.keys[StatementKey::Team]].take(row, amount, isAfter);
    }

    // Adds the amounts of each team.
    Result<void> addSums(const insight::LedgerAnswer &answer, Money TeamSums::*sum)
    {
        for (const LedgerRow &row : answer.rows) {
            const Money amount = m_input.amountOf(row);
            GPULEDGER_TRY(addTo(m_teams[amount.currency()][row.keys[StatementKey::Team]].*sum, amount));
        }
        return {};
    }

    Result<CurrencyStatement> statementOf(Currency currency, const std::map<std::string, TeamSums> &teams) const
    {
        CurrencyStatement out;
        out.currency = currency;
        out.bill = out.unexplained = out.cost = out.estimated = out.unowned = out.unownedIdle = Money(0, currency);
        for (const insight::LedgerTotal &total : m_input.after.totals) {
            if (total.currency != currency)
                continue;
            const bool billed = m_input.view == CostView::Billed;
            out.hasBill = true;
            out.bill = billed ? total.billBilled : total.billEffective;
            out.unexplained = billed ? total.unexplainedBilled : total.unexplainedEffective;
        }
        std::vector<SharingTeam> all;
        std::vector<TeamStatement> unowned;
        for (const auto &[name, team] : teams) {
            auto one = teamStatement(m_input, name, team, currency);
            GPULEDGER_TRY(one);
            all.push_back({name, one->total(), one->idle, one->gpuTime});
            GPULEDGER_TRY(addTo(out.cost, one->cost));
            GPULEDGER_TRY(addTo(out.estimated, one->estimated));
            if (isUnowned(name)) {
                GPULEDGER_TRY(addUnowned(out, *one));
                unowned.push_back(*one);
            }
            if (m_input.team.empty() || m_input.team == name)
                out.teams.push_back(std::move(*one));
        }
        for (TeamStatement &team : out.teams)
            GPULEDGER_TRY(addDoubts(team, m_input, unowned));
        GPULEDGER_TRY(addAdjustments(out));
        GPULEDGER_TRY(addSharing(out, all));
        GPULEDGER_TRY(out.cost.plus(out.estimated)); // so that total() cannot overflow
        GPULEDGER_TRY(out.cost.minus(out.bill));
        std::stable_sort(out.teams.begin(), out.teams.end(), [](const TeamStatement &a, const TeamStatement &b) {
            return a.total().nanos() > b.total().nanos();
        });
        GPULEDGER_TRY(checkRange(out));
        return out;
    }

    Result<void> addSharing(CurrencyStatement &to, const std::vector<SharingTeam> &all) const
    {
        if (m_input.sharing.movesNothing())
            return {};
        auto sharing = shareOut(all, m_input.sharing, to.currency);
        GPULEDGER_TRY(sharing);
        if (sharing->movesNothing())
            return {};
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (TeamStatement &team : to.teams) {
                if (team.team != all[i].team)
                    continue;
                team.moved = sharing->moved[i];
                const auto charged = team.totalWithAdjustments().plus(team.moved);
                GPULEDGER_TRY(charged); // so that charged() cannot overflow
            }
        }
        to.sharing = std::move(*sharing);
        return {};
    }

    static Result<void> addUnowned(CurrencyStatement &to, const TeamStatement &team)
    {
        for (const StatementLine &line : team.lines) {
            for (const Money &amount : {line.cost, line.estimated}) {
                GPULEDGER_TRY(addTo(to.unowned, amount));
                if (line.state == kIdleState || line.state == kUnobservedState)
                    GPULEDGER_TRY(addTo(to.unownedIdle, amount));
            }
        }
        return {};
    }

    // Adjustments of all teams are in the sums, those of the teams that are shown are in the list.
    Result<void> addAdjustments(CurrencyStatement &to) const
    {
        const Money zero(0, to.currency);
        to.adjustedCost = to.adjustedEstimate = zero;
        for (const MonthAdjustment &one : m_input.adjustments) {
            if (one.key.currency != to.currency)
                continue;
            const Money cost(m_input.view == CostView::Billed ? one.amounts.billed : one.amounts.effective,
                             to.currency);
            const Money estimated(one.amounts.estimated, to.currency);
            GPULEDGER_TRY(addTo(to.adjustedCost, cost));
            GPULEDGER_TRY(addTo(to.adjustedEstimate, estimated));
            const auto team = std::find_if(to.teams.begin(), to.teams.end(),
                                           [&](const TeamStatement &t) { return t.team == one.key.team; });
            if (team == to.teams.end() || (cost.isZero() && estimated.isZero()))
                continue;
            GPULEDGER_TRY(addTo(team->adjusted, cost));
            GPULEDGER_TRY(addTo(team->adjusted, estimated));
            GPULEDGER_TRY(team->total().plus(team->adjusted)); // so that totalWithAdjustments() cannot overflow
            to.adjustments.push_back(
                {one.of, one.closedAt, one.key.team, one.key.category, one.key.state, cost, estimated});
        }
        GPULEDGER_TRY(to.adjustedCost.plus(to.adjustedEstimate));
        std::stable_sort(to.adjustments.begin(), to.adjustments.end(),
                         [](const StatementAdjustment &a, const StatementAdjustment &b) { return a.of < b.of; });
        return {};
    }

    const StatementInput &m_input;
    std::map<Currency, std::map<std::string, TeamSums>> m_teams;
};

} // namespace

Result<Statement> makeStatement(const StatementInput &input)
{
    return StatementBuilder(input).build();
}

} // namespace gpuledger::reports
