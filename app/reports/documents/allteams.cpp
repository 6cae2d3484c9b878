// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/statement.h"

#include <algorithm>
#include <map>

namespace gpuledger::reports {

using base::Money;

namespace {

// Adds parts of sums that makeStatement() has already computed without an overflow.
Money plus(const Money &a, const Money &b)
{
    return {a.nanos() + b.nanos(), a.currency()};
}

void addTime(std::optional<base::GpuTime> &to, const std::optional<base::GpuTime> &time)
{
    if (time)
        to = to.value_or(base::GpuTime{}) + *time;
}

void addLine(StatementLine &to, const StatementLine &line)
{
    to.cost = plus(to.cost, line.cost);
    to.estimated = plus(to.estimated, line.estimated);
    addTime(to.gpuTime, line.gpuTime);
    to.gpuTimeComplete = to.gpuTimeComplete && line.gpuTimeComplete;
    to.unpriced += line.unpriced;
}

void addChange(StatementChange &to, const StatementChange &change)
{
    to.before = plus(to.before, change.before);
    to.price = plus(to.price, change.price);
    to.hours = plus(to.hours, change.hours);
    to.mix = plus(to.mix, change.mix);
    to.efficiency = plus(to.efficiency, change.efficiency);
    to.other = plus(to.other, change.other);
    to.restated = plus(to.restated, change.restated);
    for (const auto part : {&StatementChange::policy, &StatementChange::late})
        to.*part = to.*part && change.*part ? std::optional(plus(*(to.*part), *(change.*part))) : std::nullopt;
    to.state = change.state; // the same for every team
}

void keepDearest(std::vector<StatementWorkload> &workloads)
{
    std::stable_sort(workloads.begin(), workloads.end(), [](const StatementWorkload &a, const StatementWorkload &b) {
        return a.cost.nanos() > b.cost.nanos();
    });
    workloads.resize(std::min(workloads.size(), TeamStatement::kMostWorkloads));
}

} // namespace

TeamStatement allTeams(const CurrencyStatement &currency)
{
    const Money zero(0, currency.currency);
    TeamStatement all;
    all.cost = currency.cost;
    all.estimated = currency.estimated;
    all.idle = zero;
    all.adjusted = currency.adjusted();
    all.moved = all.oldPriced = zero;
    all.sharedEqually = all.mayBeShared = zero; // between teams; their sum is not affected
    for (const TeamStatement &team : currency.teams)
        all.moved = plus(all.moved, team.moved);
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    bool comparable = !currency.teams.empty();
    StatementChange change{zero, zero, zero, zero, zero, zero, zero, zero, zero, {}};
    for (const TeamStatement &team : currency.teams) {
        for (const StatementLine &line : team.lines) {
            const auto [place, isNew] = places.try_emplace({line.category, line.state}, all.lines.size());
            if (isNew)
                all.lines.push_back(line);
            else
                addLine(all.lines[place->second], line);
        }
        all.idle = plus(all.idle, team.idle);
        all.oldPriced = plus(all.oldPriced, team.oldPriced);
        if (!team.oldestPrice.empty())
            all.oldestPrice = all.oldestPrice.empty() ? team.oldestPrice : std::min(all.oldestPrice, team.oldestPrice);
        addTime(all.gpuTime, team.gpuTime);
        addTime(all.idleTime, team.idleTime);
        comparable = comparable && team.change;
        if (team.change)
            addChange(change, *team.change);
        all.workloads.insert(all.workloads.end(), team.workloads.begin(), team.workloads.end());
    }
    std::stable_sort(all.lines.begin(), all.lines.end(), comesBefore);
    keepDearest(all.workloads);
    if (comparable)
        all.change = change;
    return all;
}

Statement ofTeam(Statement statement, const std::string &team)
{
    statement.team = team;
    if (statement.savings && statement.savings->team != team)
        statement.savings.reset();
    std::erase_if(statement.budgets, [&](const StatementBudget &one) { return one.team != team; });
    for (CurrencyStatement &currency : statement.currencies)
        std::erase_if(currency.teams, [&](const TeamStatement &one) { return one.team != team; });
    return statement;
}

} // namespace gpuledger::reports
