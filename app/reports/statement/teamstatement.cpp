// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement/teamstatement.h"

#include "app/model/money/ledgerline.h"
#include "app/reports/sharing/moneysum.h"
#include "app/reports/sharing/neighbours.h"
#include "app/reports/statement/statementrange.h"

#include <algorithm>

namespace gpuledger::reports {

using base::Currency;
using base::GpuTime;
using base::Money;
using base::Result;
using insight::LedgerRow;

namespace {

bool isGpu(const LedgerRow &row)
{
    return row.keys[StatementKey::Category] == model::toString(model::LedgerCategory::Gpu);
}

Result<void> takeLine(TeamSums &team, const LedgerRow &row, const Money &amount, bool estimate)
{
    auto &[names, line] = team.lines[lineOrder(row.keys[StatementKey::Category], row.keys[StatementKey::State])];
    names = {row.keys[StatementKey::Category], row.keys[StatementKey::State]};
    GPULEDGER_TRY(addTo(estimate ? line.estimated : line.cost, amount));
    line.time += row.gpuTime;
    if (estimate && !row.allocated)
        line.unpriced += row.unpriced;
    line.hasTime = line.hasTime || row.hasGpuTime;
    line.isComplete = line.isComplete && row.gpuTimeComplete;
    return {};
}

Result<StatementChange> changeOf(const StatementInput &input, const TeamSums &team, Currency currency)
{
    std::vector<insight::CostGroup> groups;
    for (const auto &[model, group] : team.groups)
        groups.push_back(group);
    GPULEDGER_TRY(checkRange(groups));
    const insight::CostChange change = insight::explainChange(groups);
    const auto less = [currency](const Money &a, const Money &b) {
        return Money(a.nanos(), currency).minus(Money(b.nanos(), currency)); // a sum of nothing has no currency
    };
    const auto other = less(team.otherAfter, team.otherBefore);
    GPULEDGER_TRY(other);
    const Money zero(0, currency);
    StatementChange out{Money(team.before.nanos(), currency),
                        Money(change.price, currency),
                        Money(change.hours, currency),
                        Money(change.mix, currency),
                        Money(change.efficiency, currency),
                        *other,
                        zero,
                        zero,
                        zero,
                        StatementChange::Before::Open};
    if (!input.knowsBefore) {
        out.state = StatementChange::Before::Unknown;
        out.policy = out.late = std::nullopt;
    }
    if (!input.restated)
        return out;
    out.state = StatementChange::Before::Closed;
    const auto restated = less(team.restated, team.before);
    GPULEDGER_TRY(restated);
    out.restated = *restated;
    out.policy = out.late = std::nullopt;
    if (input.restated->byOldRules) {
        const auto policy = less(team.restated, team.byOldRules), late = less(team.byOldRules, team.before);
        GPULEDGER_TRY(policy);
        GPULEDGER_TRY(late);
        out.policy = *policy;
        out.late = *late;
    }
    return out;
}

Result<void> addWorkloads(TeamStatement &to, const StatementInput &input)
{
    std::map<std::pair<std::string, std::string>, StatementWorkload> all;
    for (const LedgerRow &row : input.workloads.rows) {
        const Currency currency = to.cost.currency();
        if (row.keys[WorkloadKey::Team] != to.team || row.keys[WorkloadKey::Workload].empty())
            continue;
        StatementWorkload &one = all[{row.keys[WorkloadKey::NameSpace], row.keys[WorkloadKey::Workload]}];
        one.nameSpace = row.keys[WorkloadKey::NameSpace];
        one.name = row.keys[WorkloadKey::Workload];
        Money amount(0, currency);
        for (const Money &part : {input.costOf(row), row.priced, row.allocated.value_or(Money())}) {
            if (part.currency() == currency)
                GPULEDGER_TRY(addTo(amount, part));
        }
        GPULEDGER_TRY(addTo(one.cost, amount));
        if (row.keys[WorkloadKey::State] == kIdleState)
            GPULEDGER_TRY(addTo(one.idle, amount));
        if (row.hasGpuTime)
            one.gpuTime = one.gpuTime.value_or(GpuTime{}) + row.gpuTime;
    }
    for (auto &[key, one] : all) {
        one.idle = Money(one.idle.nanos(), to.cost.currency());
        if (!one.cost.isZero())
            to.workloads.push_back(std::move(one));
    }
    std::stable_sort(
        to.workloads.begin(), to.workloads.end(),
        [](const StatementWorkload &a, const StatementWorkload &b) { return a.cost.nanos() > b.cost.nanos(); });
    to.workloads.resize(std::min(to.workloads.size(), TeamStatement::kMostWorkloads));
    return {};
}

bool mayBeIdle(std::string_view state)
{
    return state == kIdleState || state == kUnobservedState;
}

Result<void> takeUnowned(TeamStatement &to, const Money &amount, std::string_view state)
{
    const auto part = amount.nanos() < 0 ? &TeamStatement::Possible::less : &TeamStatement::Possible::more;
    GPULEDGER_TRY(addTo(to.unowned.*part, amount));
    return mayBeIdle(state) ? addTo(to.unownedIdle.*part, amount) : Result<void>();
}

Result<void> addPossible(TeamStatement &to, const StatementInput &input)
{
    for (const LedgerRow &row : input.possible->rows) {
        const Money amount = input.amountOf(row);
        if (row.keys[StatementKey::Team] == to.team && amount.currency() == to.cost.currency())
            GPULEDGER_TRY(takeUnowned(to, amount, row.keys[StatementKey::State]));
    }
    return {};
}

Result<void> addAllUnowned(TeamStatement &to, const std::vector<TeamStatement> &unowned)
{
    for (const TeamStatement &none : unowned) {
        if (isUnowned(to.team) && none.team != to.team)
            continue;
        for (const StatementLine &line : none.lines) {
            GPULEDGER_TRY(takeUnowned(to, line.cost, line.state));
            GPULEDGER_TRY(takeUnowned(to, line.estimated, line.state));
        }
    }
    return {};
}

} // namespace

Result<void> TeamSums::take(const LedgerRow &row, const Money &amount, bool isAfter)
{
    const bool estimate = isEstimate(row);
    if (isAfter)
        GPULEDGER_TRY(takeLine(*this, row, amount, estimate));
    if (!isGpu(row) || !row.hasGpuTime || !row.gpuTimeComplete)
        return addTo(isAfter ? otherAfter : otherBefore, amount);
    insight::CostGroup &group = groups[row.keys[StatementKey::GpuModel]];
    const GpuTime time = estimate && !row.allocated ? row.gpuTime - row.unpriced : row.gpuTime;
    std::int64_t &hours = isAfter ? group.hoursAfter : group.hoursBefore;
    std::int64_t &cost = isAfter ? group.costAfter : group.costBefore;
    hours += time.ticks;
    if (row.keys[StatementKey::State] == kActiveState)
        (isAfter ? group.activeAfter : group.activeBefore) += time.ticks;
    const auto sum = Money(cost, amount.currency()).plus(amount);
    GPULEDGER_TRY(sum);
    cost = sum->nanos();
    return {};
}

Result<TeamStatement> teamStatement(const StatementInput &input, const std::string &name, const TeamSums &team,
                                    Currency currency)
{
    TeamStatement out;
    out.team = name;
    out.cost = out.estimated = out.idle = out.adjusted = out.moved = Money(0, currency);
    out.sharedEqually = out.mayBeShared = out.oldPriced = Money(0, currency);
    out.unowned = out.unownedIdle = {Money(0, currency), Money(0, currency)};
    for (const auto &[order, entry] : team.lines) {
        const auto &[names, line] = entry;
        StatementLine one{names[0],
                          names[1],
                          Money(line.cost.nanos(), currency),
                          Money(line.estimated.nanos(), currency),
                          {},
                          line.isComplete,
                          line.unpriced};
        if (line.hasTime)
            one.gpuTime = line.time;
        GPULEDGER_TRY(addTo(out.cost, one.cost));
        GPULEDGER_TRY(addTo(out.estimated, one.estimated));
        if (one.gpuTime)
            out.gpuTime = out.gpuTime.value_or(GpuTime{}) + *one.gpuTime;
        if (one.state == kIdleState) {
            GPULEDGER_TRY(addTo(out.idle, one.cost));
            GPULEDGER_TRY(addTo(out.idle, one.estimated));
            if (one.gpuTime)
                out.idleTime = out.idleTime.value_or(GpuTime{}) + *one.gpuTime;
        }
        out.lines.push_back(std::move(one));
    }
    const auto total = out.cost.plus(out.estimated);
    GPULEDGER_TRY(total);
    if (input.isComparable()) {
        auto change = changeOf(input, team, currency);
        GPULEDGER_TRY(change);
        out.change = *change;
    }
    GPULEDGER_TRY(addWorkloads(out, input));
    return out;
}

Result<void> addDoubts(TeamStatement &to, const StatementInput &input, const std::vector<TeamStatement> &unowned)
{
    GPULEDGER_TRY(input.possible ? addPossible(to, input) : addAllUnowned(to, unowned));
    const Currency currency = to.cost.currency();
    const std::string from = base::toRfc3339(input.month.range().end - kOldPrice).substr(0, 10);
    std::map<std::pair<std::string, std::string>, std::array<Money, 2>> shared; // by cluster and model: own, others'
    for (const LedgerRow &row : input.doubts ? input.doubts->rows : std::vector<LedgerRow>()) {
        const Money amount = input.amountOf(row);
        if (amount.currency() != currency)
            continue;
        const bool isOwn = row.keys[StatementKey::Team] == to.team;
        const std::string &date = row.keys[StatementKey::PriceDate];
        if (isOwn && isEstimate(row) && !row.allocated && !date.empty() && date < from) {
            GPULEDGER_TRY(addTo(to.oldPriced, amount));
            to.oldestPrice = to.oldestPrice.empty() ? date : std::min(to.oldestPrice, date);
        }
        if (row.keys[StatementKey::Sharing].empty())
            continue;
        auto &[own, others] = shared
                                  .try_emplace({row.keys[StatementKey::Cluster], row.keys[StatementKey::GpuModel]},
                                               std::array{to.zero(), to.zero()})
                                  .first->second;
        GPULEDGER_TRY(addTo(isOwn ? own : others, amount));
    }
    for (const auto &[where, amounts] : shared) {
        if (amounts[0].isZero())
            continue;
        GPULEDGER_TRY(addTo(to.sharedEqually, amounts[0]));
        GPULEDGER_TRY(addTo(to.mayBeShared, amounts[1]));
    }
    return {};
}

} // namespace gpuledger::reports
