// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/series/rulecells.h"

#include "app/insight/query/measuresums.h"
#include "app/ledger/rules/ownerrules.h"
#include "app/model/fleet/poolname.h"

#include <algorithm>

namespace gpuledger::services {

using alerts::Rule;
using alerts::RuleMetric;
using alerts::RuleScope;
using alerts::RuleUnit;
using base::Result;
using insight::Dimension;
using store::Measure;

namespace {

using CellColumnList = std::vector<CellColumn>;

// To which columns a measure adds.
CellColumnList columnsOfMeasure(Measure measure)
{
    switch (measure) {
    case Measure::ActiveTicks:
        return {CellColumn::Paid, CellColumn::Held};
    case Measure::IdleTicks:
        return {CellColumn::Paid, CellColumn::Held, CellColumn::Idle};
    case Measure::UnallocatedTicks:
        return {CellColumn::Paid, CellColumn::Unallocated};
    case Measure::UnobservedHeldTicks:
    case Measure::UnobservedFreeTicks:
        return {CellColumn::Paid, CellColumn::Unobserved};
    case Measure::UnpricedTicks:
        return {CellColumn::Unpriced};
    case Measure::ActivityTicks:
        return {CellColumn::Activity};
    case Measure::CostIdle:
        return {CellColumn::CostIdle, CellColumn::CostAll, CellColumn::CostOwned};
    case Measure::CostUnallocated:
        return {CellColumn::CostUnallocated, CellColumn::CostAll, CellColumn::CostOwned};
    case Measure::CostActive:
    case Measure::CostUnobservedHeld:
    case Measure::CostUnobservedFree:
        return {CellColumn::CostAll, CellColumn::CostOwned};
    default:
        return {};
    }
}

const std::array<CellColumnList, store::kMeasureCount> &columnsByMeasure()
{
    static const auto kAll = [] {
        std::array<CellColumnList, store::kMeasureCount> all;
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = columnsOfMeasure(static_cast<Measure>(i));
        return all;
    }();
    return kAll;
}

// What adds to these columns. To read the others would take as long again.
std::vector<Measure> measuresFor(const std::set<CellColumn> &needed)
{
    std::vector<Measure> out;
    for (std::size_t i = 0; i < store::kMeasureCount; ++i) {
        const CellColumnList &columns = columnsByMeasure()[i];
        if (std::any_of(columns.begin(), columns.end(), [&](CellColumn one) { return needed.contains(one); }))
            out.push_back(static_cast<Measure>(i));
    }
    return out;
}

bool isOwner(const std::string &team)
{
    return !team.empty() && team != ledger::kUnowned;
}

} // namespace

std::optional<RuleColumns> columnsOf(const Rule &rule)
{
    switch (rule.metric) {
    case RuleMetric::IdleCost:
        return RuleColumns{CellColumn::CostIdle, {}};
    case RuleMetric::IdleHours:
        return RuleColumns{CellColumn::Idle, {}};
    case RuleMetric::Utilization:
        return RuleColumns{CellColumn::Activity, CellColumn::Held};
    case RuleMetric::AllocationWithoutUse:
        return RuleColumns{CellColumn::Idle, CellColumn::Held};
    case RuleMetric::Unallocated:
        return RuleColumns{rule.bound.unit == RuleUnit::Gpus ? CellColumn::Unallocated : CellColumn::CostUnallocated,
                           {}};
    case RuleMetric::AttributionCoverage:
        return RuleColumns{CellColumn::CostOwned, CellColumn::CostAll};
    default:
        return std::nullopt;
    }
}

RuleCells::RuleCells(std::span<const Rule> rules, base::TimeRange range)
    : m_cells(insight::wholeCells(range))
{
    for (const Rule &rule : rules) {
        const auto columns = columnsOf(rule);
        if (!columns)
            continue;
        auto &needed = m_kinds[rule.scope].needed;
        needed.insert({CellColumn::Paid, CellColumn::Unobserved, CellColumn::Unpriced, columns->part});
        if (columns->whole)
            needed.insert(*columns->whole);
    }
}

ScopeCells &RuleCells::cellsOf(Kind &kind, const std::string &scope) const
{
    const auto found = kind.scopes.find(scope);
    if (found != kind.scopes.end())
        return found->second;
    ScopeCells &cells = kind.scopes[scope];
    for (const CellColumn column : kind.needed)
        cells[static_cast<std::size_t>(column)].resize(width());
    return cells;
}

// `amounts`: of consecutive cells.
void RuleCells::add(ScopeCells &to, base::Day day, int cell, Measure measure, std::span<const std::int64_t> amounts,
                    bool isOwned) const
{
    const auto first = static_cast<std::size_t>((day.start() + cell * base::kCell - m_cells.start) / base::kCell);
    for (const CellColumn column : columnsByMeasure()[static_cast<std::size_t>(measure)]) {
        auto &values = to[static_cast<std::size_t>(column)];
        if (values.empty() || (column == CellColumn::CostOwned && !isOwned))
            continue;
        for (std::size_t i = 0; i < amounts.size(); ++i)
            values[first + i] += amounts[i];
    }
}

Result<void> RuleCells::readDimensions(View &view)
{
    std::vector<std::pair<RuleScope, Kind *>> kinds; // that are needed
    std::set<CellColumn> needed;
    for (auto &[scope, kind] : m_kinds) {
        kind.scopes.clear();
        kinds.emplace_back(scope, &kind);
        needed.insert(kind.needed.begin(), kind.needed.end());
    }
    const bool hasTeams = m_kinds.contains(RuleScope::Team) || needed.contains(CellColumn::CostOwned);
    std::vector<Dimension> by; // a team comes last
    const bool hasPools = m_kinds.contains(RuleScope::Pool);
    if (hasPools)
        by.emplace_back(Dimension::NodePool);
    if (m_kinds.contains(RuleScope::Cluster) || hasPools || !hasTeams)
        by.emplace_back(Dimension::Cluster);
    if (hasTeams)
        by.emplace_back(Dimension::Team);
    std::vector<insight::CellKey> keys;
    struct Target {
        std::vector<ScopeCells *> cells;
        bool isOwned;
    };
    std::vector<Target> targets; // by index of the key
    const auto targetOf = [&](const insight::CellKey &key) {
        Target out{{}, hasTeams && isOwner(key.back())};
        for (const auto &[scope, kind] : kinds)
            out.cells.push_back(&cellsOf(*kind,
                                         scope == RuleScope::All        ? "all"
                                             : scope == RuleScope::Team ? key.back()
                                             : scope == RuleScope::Pool ? model::poolName({key[1], key[0]})
                                                                        : key[hasPools ? 1 : 0]));
        return out;
    };
    GPULEDGER_TRY(insight::visitRows(
        *view.cube, *view.attribution, {m_cells, {}}, by, measuresFor(needed), keys,
        [&](std::size_t key, base::Day day, int cell, Measure measure, std::span<const std::int64_t> amounts) {
            while (targets.size() < keys.size())
                targets.push_back(targetOf(keys[targets.size()]));
            for (ScopeCells *cells : targets[key].cells)
                add(*cells, day, cell, measure, amounts, targets[key].isOwned);
        }));
    for (const auto &[scope, kind] : kinds)
        kind->isRead = true;
    return {};
}

Result<const std::map<std::string, ScopeCells> *> RuleCells::of(View &view, RuleScope scope)
{
    Kind &kind = m_kinds[scope];
    if (!kind.isRead)
        GPULEDGER_TRY(readDimensions(view));
    return &kind.scopes;
}

} // namespace gpuledger::services
