// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/billing/foundsavings.h"

#include "app/reports/statement/statement.h"
#include "app/savings/realized/realized.h"
#include "app/services/savings/savingsservice.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::Result;
using reports::StatementSaving;
using reports::StatementSavings;
using savings::Choice;
using savings::MoneyBand;
using savings::Proposal;

namespace {

std::optional<StatementSaving::Band> bandOf(const std::optional<MoneyBand> &band)
{
    return band ? std::optional(StatementSaving::Band{band->p10, band->p50, band->p90}) : std::nullopt;
}

// Those that count, of a team or of all. No two of them are about the same money.
std::vector<Proposal> countedOf(const std::vector<Proposal> &all, const std::string &team)
{
    std::vector<Proposal> out;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out),
                 [&](const Proposal &one) { return savings::countsWith(one) && (team.empty() || one.owner == team); });
    return out;
}

std::vector<Choice> acceptedOf(const std::vector<Choice> &all, const std::string &team)
{
    std::vector<Choice> out;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out), [&](const Choice &one) {
        return one.draft.state == savings::ChoiceState::Accepted && (team.empty() || one.team == team);
    });
    return out;
}

// Those in the sum of all, of a team or of all, so that the sums of teams count no money twice either. An accepted
// proposal is of a team if its choice is: realizedSum() is given only those.
std::vector<savings::Realized> realizedOf(const SavingsOfMonth &known, const std::string &team)
{
    std::set<std::int64_t> counted;
    for (const savings::RealizedTotal &total : savings::realizedSum(acceptedOf(known.choices, {}), known.realized))
        counted.insert(total.choices.begin(), total.choices.end());
    std::vector<savings::Realized> out;
    std::copy_if(known.realized.begin(), known.realized.end(), std::back_inserter(out),
                 [&](const savings::Realized &one) {
                     const bool isOfTeam = !one.stop || team.empty() || one.stop->team == team;
                     return isOfTeam && counted.contains(one.choice);
                 });
    return out;
}

void addFound(StatementSavings &out, const std::vector<Proposal> &counted, const std::vector<savings::SavingsSum> &sums)
{
    for (const savings::SavingsSum &sum : sums) {
        StatementSaving row;
        row.count = static_cast<std::size_t>(std::count_if(
            counted.begin(), counted.end(), [&](const Proposal &one) { return one.currency == sum.currency; }));
        row.currency = sum.currency;
        row.perMonth = bandOf(sum.perMonth);
        out.rows.push_back(std::move(row));
    }
}

void addRealized(StatementSavings &out, const std::vector<savings::RealizedTotal> &totals)
{
    for (const savings::RealizedTotal &total : totals) {
        StatementSaving row;
        row.part = StatementSaving::Part::Realized;
        row.stops = static_cast<std::size_t>(total.stops);
        row.count = static_cast<std::size_t>(total.counted) - row.stops;
        row.currency = std::string(total.perMonth.p50.currency().code());
        row.perMonth = bandOf(total.perMonth);
        out.rows.push_back(std::move(row));
    }
}

void addAccepted(StatementSavings &out, const std::vector<Choice> &accepted)
{
    for (const Choice &one : accepted) {
        StatementSaving row;
        row.part = StatementSaving::Part::Accepted;
        row.kind = std::string(toString(one.kind));
        row.target = one.target;
        row.team = one.team;
        row.owner = one.draft.owner;
        row.due = one.draft.day;
        row.currency = one.currency;
        row.perMonth = bandOf(one.projected);
        out.rows.push_back(std::move(row));
    }
}

void addProposals(StatementSavings &out, const std::vector<Proposal> &counted)
{
    const std::size_t most = std::min(counted.size(), StatementSavings::kMostProposals);
    for (std::size_t i = 0; i < most; ++i) {
        const Proposal &one = counted[i];
        StatementSaving row;
        row.part = StatementSaving::Part::Proposal;
        row.kind = std::string(toString(one.kind));
        row.target = one.target;
        row.team = one.owner;
        row.currency = one.currency;
        row.perMonth = bandOf(savings::countsWith(one));
        out.rows.push_back(std::move(row));
    }
}

} // namespace

Result<SavingsOfMonth> savingsOfMonth(SavingsService &savings, const reports::Statement &statement,
                                      const std::stop_token &stop)
{
    if (statement.status.state == reports::MonthState::Closed)
        return base::fail(base::ErrorCode::InvalidArgument,
                          insight::toString(statement.month)
                              + " is closed: it is shown as it was closed, without savings");
    SavingsQuery query;
    query.cost = statement.view;
    query.assumptions = savings.usual();
    auto list = savings.savings(query, stop);
    GPULEDGER_TRY(list);
    auto choices = savings.choices();
    GPULEDGER_TRY(choices);
    auto realized = savings.realized(statement.view, stop);
    GPULEDGER_TRY(realized);
    return SavingsOfMonth{std::move(*list), std::move(*choices), std::move(*realized)};
}

Result<StatementSavings> foundSavings(const SavingsOfMonth &known, const reports::Statement &statement,
                                      const std::string &team)
{
    const std::vector<Proposal> counted = countedOf(known.list.items, team);
    const auto sums = savings::sumsOf(counted);
    GPULEDGER_TRY(sums);
    const auto accepted = acceptedOf(known.choices, team);
    StatementSavings out;
    out.asOf = statement.made;
    out.past = known.list.range;
    out.team = team;
    addFound(out, counted, *sums);
    addRealized(out, savings::realizedSum(accepted, realizedOf(known, team)));
    addAccepted(out, accepted);
    if (!team.empty())
        addProposals(out, counted);
    return out;
}

Result<StatementSavings> foundSavings(SavingsService &savings, const reports::Statement &statement,
                                      const std::string &team, const std::stop_token &stop)
{
    const auto known = savingsOfMonth(savings, statement, stop);
    GPULEDGER_TRY(known);
    return foundSavings(*known, statement, team);
}

} // namespace gpuledger::services
