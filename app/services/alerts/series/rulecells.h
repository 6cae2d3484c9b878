// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/rules/rule.h"
#include "app/services/engine/engine.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace gpuledger::services {

// What the values of the last hour are made of; ticks, but for the nanos of a cost.
enum class CellColumn {
    Paid,
    Unobserved,
    Unpriced,
    Held,
    Activity,
    Idle,
    Unallocated,
    CostIdle,
    CostUnallocated,
    CostAll,
    CostOwned, // of CostAll, what has an owner
    Last = CostOwned,
};
inline constexpr std::size_t kCellColumns = static_cast<std::size_t>(CellColumn::Last) + 1;

// Of a value: `part`, as a share of `whole` if there is one.
struct RuleColumns {
    CellColumn part = CellColumn::CostIdle;
    std::optional<CellColumn> whole;
};
// std::nullopt: the metric is not of the last hour.
std::optional<RuleColumns> columnsOf(const alerts::Rule &rule);

// Of one scope; each column has a value for each quarter hour. Empty: no rule asked for the column.
using ScopeCells = std::array<std::vector<std::int64_t>, kCellColumns>;

// The quarter hours of a range for several rules. They are read when the first rule needs them, in one walk over the
// stored cells for all rules. One thread.
class RuleCells {
public:
    // `range` is cut to whole quarter hours. Rules with other metrics need nothing.
    RuleCells(std::span<const alerts::Rule> rules, base::TimeRange range);

    base::TimeRange cells() const { return m_cells; }
    std::size_t width() const { return static_cast<std::size_t>(m_cells.length() / base::kCell); }
    // By scope; those that held nothing in the range are missing. Blocking. `scope` is that of one of the rules, and
    // `view` the same each time. Fails with Storage… codes; the next call reads again.
    [[nodiscard]] base::Result<const std::map<std::string, ScopeCells> *> of(View &view, alerts::RuleScope scope);

private:
    struct Kind {
        std::set<CellColumn> needed;
        std::map<std::string, ScopeCells> scopes;
        bool isRead = false;
    };
    ScopeCells &cellsOf(Kind &kind, const std::string &scope) const;
    void add(ScopeCells &to, base::Day day, int cell, store::Measure measure, std::span<const std::int64_t> amounts,
             bool isOwned) const;
    base::Result<void> readDimensions(View &view);

    base::TimeRange m_cells;
    std::map<alerts::RuleScope, Kind> m_kinds;
};

} // namespace gpuledger::services
