// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/statement.h"

#include "app/base/text.h"
#include "app/ledger/ownerrules.h"
#include "app/model/ledgerline.h"
#include "app/reports/moneysum.h"
#include "app/reports/statementrange.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace gpuledger::reports {

using base::Currency;
using base::ErrorCode;
using base::GpuTime;
using base::Money;
using base::Result;
using insight::LedgerDimension;
using insight::LedgerRow;
using model::LedgerCategory;

namespace {

constexpr std::array kDimensions{LedgerDimension::Team, LedgerDimension::Category, LedgerDimension::State,
                                 LedgerDimension::Origin, LedgerDimension::GpuModel};
constexpr std::array kWorkloadDimensions{LedgerDimension::Team, LedgerDimension::NameSpace, LedgerDimension::Workload,
                                         LedgerDimension::State};
constexpr std::array kMoreOfDoubts{LedgerDimension::Cluster, LedgerDimension::Sharing, LedgerDimension::PriceDate};
enum Key { Team, Category, State, Origin, GpuModel, Cluster, HowShared, PriceDate };
enum WorkloadKey { OfTeam, NameSpace, Workload, InState };

constexpr char kActive[] = "active", kIdle[] = "idle", kUnobserved[] = "unobserved";

// Statements list what was used first, then what was left over.
std::size_t orderOf(std::string_view state)
{
    constexpr std::array<std::string_view, 4> kStates{kActive, kIdle, "unallocated", kUnobserved};
    return static_cast<std::size_t>(std::find(kStates.begin(), kStates.end(), state) - kStates.begin());
}

std::size_t orderOfCategory(std::string_view category)
{
    std::size_t at = 0;
    while (at <= static_cast<std::size_t>(LedgerCategory::Unexplained)
           && model::toString(static_cast<LedgerCategory>(at)) != category)
        ++at;
    return at;
}

base::TimeRange within(base::TimeRange range, base::TimeRange month)
{
    const base::TimeRange both{std::max(range.start, month.start), std::min(range.end, month.end)};
    return range.empty() || both.empty() ? base::TimeRange{} : both;
}

bool isGpu(const LedgerRow &row)
{
    return row.keys[Category] == model::toString(LedgerCategory::Gpu);
}

// One team's figures in one currency, in both months.
struct TeamSums {
    struct Line {
        Money cost, estimated;
        GpuTime time, unpriced;
        bool hasTime = false, isComplete = true;
    };
    std::map<std::array<std::size_t, 2>, std::pair<std::array<std::string, 2>, Line>> lines;
    std::map<std::string, insight::CostGroup> groups; // by GPU model
    Money before; // as reported
    Money restated, byOldRules; // for a closed preceding month: as it would be now
    Money otherBefore, otherAfter;
};

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
        for (const LedgerRow &row : comparedRows())
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
    // A month that is not over is not compared, and neither is a month when part of either was never fetched.
    bool isComparable() const
    {
        const auto hasEstimate = [](const std::vector<LedgerRow> &rows) {
            return std::any_of(rows.begin(), rows.end(), isEstimate);
        };
        const bool whole = !m_input.covered.empty() && !m_input.fetchedInPart
            && m_input.covered.start <= before(m_input.month).range().start;
        return m_input.month.range().end <= m_input.now && !m_input.before.rows.empty()
            && (whole || (!hasEstimate(m_input.before.rows) && !hasEstimate(comparedRows())));
    }

    // The rows that the month is compared with: the preceding month, by the same facts and rules.
    const std::vector<LedgerRow> &comparedRows() const
    {
        return m_input.restated ? m_input.restated->now.rows : m_input.before.rows;
    }

    // Adds the amounts of each team.
    Result<void> addSums(const insight::LedgerAnswer &answer, Money TeamSums::*sum)
    {
        for (const LedgerRow &row : answer.rows) {
            const Money amount = amountOf(row);
            GPULEDGER_TRY(addTo(m_teams[amount.currency()][row.keys[Team]].*sum, amount));
        }
        return {};
    }

    Money amountOf(const LedgerRow &row) const { return isEstimate(row) ? estimateOf(row) : costOf(row); }
    Money costOf(const LedgerRow &row) const { return m_input.view == CostView::Billed ? row.billed : row.effective; }

    Result<void> take(const LedgerRow &row, bool isAfter)
    {
        const bool estimate = isEstimate(row);
        const Money amount = amountOf(row);
        TeamSums &team = m_teams[amount.currency()][row.keys[Team]];
        if (isAfter)
            GPULEDGER_TRY(takeLine(team, row, amount, estimate));
        if (!isGpu(row) || !row.hasGpuTime || !row.gpuTimeComplete)
            return addTo(isAfter ? team.otherAfter : team.otherBefore, amount);
        insight::CostGroup &group = team.groups[row.keys[GpuModel]];
        const GpuTime time = estimate && !row.allocated ? row.gpuTime - row.unpriced : row.gpuTime;
        std::int64_t &hours = isAfter ? group.hoursAfter : group.hoursBefore;
        std::int64_t &cost = isAfter ? group.costAfter : group.costBefore;
        hours += time.ticks;
        if (row.keys[State] == kActive)
            (isAfter ? group.activeAfter : group.activeBefore) += time.ticks;
        const auto sum = Money(cost, amount.currency()).plus(amount);
        GPULEDGER_TRY(sum);
        cost = sum->nanos();
        return {};
    }

    static Result<void> takeLine(TeamSums &team, const LedgerRow &row, const Money &amount, bool estimate)
    {
        auto &[names, line] = team.lines[{orderOfCategory(row.keys[Category]), orderOf(row.keys[State])}];
        names = {row.keys[Category], row.keys[State]};
        GPULEDGER_TRY(addTo(estimate ? line.estimated : line.cost, amount));
        line.time += row.gpuTime;
        if (estimate && !row.allocated)
            line.unpriced += row.unpriced;
        line.hasTime = line.hasTime || row.hasGpuTime;
        line.isComplete = line.isComplete && row.gpuTimeComplete;
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
        for (const auto &[name, team] : teams) {
            auto one = teamOf(name, team, currency);
            GPULEDGER_TRY(one);
            all.push_back({name, one->total(), one->idle, one->gpuTime});
            GPULEDGER_TRY(addTo(out.cost, one->cost));
            GPULEDGER_TRY(addTo(out.estimated, one->estimated));
            if (name.empty() || name == ledger::kUnowned)
                GPULEDGER_TRY(addUnowned(out, *one));
            if (m_input.team.empty() || m_input.team == name)
                out.teams.push_back(std::move(*one));
        }
        for (TeamStatement &team : out.teams)
            GPULEDGER_TRY(addDoubts(team));
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

    Result<void> addDoubts(TeamStatement &to) const
    {
        const Currency currency = to.cost.currency();
        const std::string from = base::toRfc3339(m_input.month.range().end - kOldPrice).substr(0, 10);
        std::map<std::pair<std::string, std::string>, std::array<Money, 2>>
            shared; // by cluster and model: own, others'
        for (const LedgerRow &row : m_input.doubts ? m_input.doubts->rows : std::vector<LedgerRow>()) {
            const Money amount = amountOf(row);
            if (amount.currency() != currency)
                continue;
            const bool isOwn = row.keys[Team] == to.team;
            const std::string &date = row.keys[PriceDate];
            if (isOwn && isEstimate(row) && !row.allocated && !date.empty() && date < from) {
                GPULEDGER_TRY(addTo(to.oldPriced, amount));
                to.oldestPrice = to.oldestPrice.empty() ? date : std::min(to.oldestPrice, date);
            }
            if (row.keys[HowShared].empty())
                continue;
            auto &[own, others] =
                shared.try_emplace({row.keys[Cluster], row.keys[GpuModel]}, std::array{to.zero(), to.zero()})
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

    static Result<void> addUnowned(CurrencyStatement &to, const TeamStatement &team)
    {
        for (const StatementLine &line : team.lines) {
            for (const Money &amount : {line.cost, line.estimated}) {
                GPULEDGER_TRY(addTo(to.unowned, amount));
                if (line.state == kIdle || line.state == kUnobserved)
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

    Result<TeamStatement> teamOf(const std::string &name, const TeamSums &team, Currency currency) const
    {
        TeamStatement out;
        out.team = name;
        out.cost = out.estimated = out.idle = out.adjusted = out.moved = Money(0, currency);
        out.sharedEqually = out.mayBeShared = out.oldPriced = Money(0, currency);
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
            if (one.state == kIdle) {
                GPULEDGER_TRY(addTo(out.idle, one.cost));
                GPULEDGER_TRY(addTo(out.idle, one.estimated));
                if (one.gpuTime)
                    out.idleTime = out.idleTime.value_or(GpuTime{}) + *one.gpuTime;
            }
            out.lines.push_back(std::move(one));
        }
        const auto total = out.cost.plus(out.estimated);
        GPULEDGER_TRY(total);
        if (isComparable()) {
            auto change = changeOf(team, currency);
            GPULEDGER_TRY(change);
            out.change = *change;
        }
        GPULEDGER_TRY(addWorkloads(out));
        return out;
    }

    Result<StatementChange> changeOf(const TeamSums &team, Currency currency) const
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
        if (!m_input.knowsBefore) {
            out.state = StatementChange::Before::Unknown;
            out.policy = out.late = std::nullopt;
        }
        if (!m_input.restated)
            return out;
        out.state = StatementChange::Before::Closed;
        const auto restated = less(team.restated, team.before);
        GPULEDGER_TRY(restated);
        out.restated = *restated;
        out.policy = out.late = std::nullopt;
        if (m_input.restated->byOldRules) {
            const auto policy = less(team.restated, team.byOldRules), late = less(team.byOldRules, team.before);
            GPULEDGER_TRY(policy);
            GPULEDGER_TRY(late);
            out.policy = *policy;
            out.late = *late;
        }
        return out;
    }

    Result<void> addWorkloads(TeamStatement &to) const
    {
        std::map<std::pair<std::string, std::string>, StatementWorkload> all;
        for (const LedgerRow &row : m_input.workloads.rows) {
            const Currency currency = to.cost.currency();
            if (row.keys[OfTeam] != to.team || row.keys[Workload].empty())
                continue;
            StatementWorkload &one = all[{row.keys[NameSpace], row.keys[Workload]}];
            one.nameSpace = row.keys[NameSpace];
            one.name = row.keys[Workload];
            Money amount(0, currency);
            for (const Money &part : {costOf(row), row.priced, row.allocated.value_or(Money())}) {
                if (part.currency() == currency)
                    GPULEDGER_TRY(addTo(amount, part));
            }
            GPULEDGER_TRY(addTo(one.cost, amount));
            if (row.keys[InState] == kIdle)
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

    const StatementInput &m_input;
    std::map<Currency, std::map<std::string, TeamSums>> m_teams;
};

} // namespace

bool CurrencyStatement::isOnlyAdjusted() const
{
    return !hasBill && !adjustments.empty()
        && std::all_of(teams.begin(), teams.end(), [](const TeamStatement &team) { return team.lines.empty(); });
}

bool Statement::hasBill() const
{
    return std::any_of(currencies.begin(), currencies.end(), [](const CurrencyStatement &one) { return one.hasBill; });
}

bool Statement::reconciles() const
{
    return std::all_of(currencies.begin(), currencies.end(), [](const CurrencyStatement &one) {
        return one.difference().isZero() && one.unexplained.isZero();
    });
}

bool Statement::isCut() const
{
    const base::TimeRange range = month.range();
    constexpr base::Seconds kLate{3 * 3600}; // normal lag in a month that is not over: more than any schedule and a
                                             // sync take
    const base::UtcTime end = isOver ? range.end : std::min(range.end, made - kLate);
    return !observed.empty() && (observed.start > range.start || observed.end < end);
}

bool comesBefore(const StatementLine &a, const StatementLine &b)
{
    return std::pair(orderOfCategory(a.category), orderOf(a.state))
        < std::pair(orderOfCategory(b.category), orderOf(b.state));
}

std::vector<LedgerDimension> statementDimensions()
{
    return {kDimensions.begin(), kDimensions.end()};
}

std::vector<LedgerDimension> doubtDimensions()
{
    std::vector<LedgerDimension> all = statementDimensions();
    all.insert(all.end(), kMoreOfDoubts.begin(), kMoreOfDoubts.end());
    return all;
}

std::vector<LedgerDimension> workloadDimensions()
{
    return {kWorkloadDimensions.begin(), kWorkloadDimensions.end()};
}

Result<Statement> makeStatement(const StatementInput &input)
{
    return StatementBuilder(input).build();
}

bool isDoubtful(const LedgerRow &row)
{
    return !row.keys[HowShared].empty() || (isEstimate(row) && !row.allocated && !row.keys[PriceDate].empty());
}

bool isEstimate(const LedgerRow &row)
{
    return row.keys[Origin] != model::toString(model::LedgerOrigin::Billed);
}

Money estimateOf(const LedgerRow &row)
{
    return row.allocated.value_or(row.priced);
}

insight::Month before(const insight::Month &month)
{
    return month.number > 1 ? insight::Month{month.year, month.number - 1} : insight::Month{month.year - 1, 12};
}

} // namespace gpuledger::reports
