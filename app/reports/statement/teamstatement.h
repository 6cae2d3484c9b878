// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/spend/costchange.h"
#include "app/reports/statement/statementinput.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

// A team's part of a statement, in one currency. For makeStatement(); pure.
namespace gpuledger::reports {

// One team's figures in one currency, in both months.
struct TeamSums {
    struct Line {
        base::Money cost, estimated;
        base::GpuTime time, unpriced;
        bool hasTime = false, isComplete = true;
    };
    std::map<std::array<std::size_t, 2>, std::pair<std::array<std::string, 2>, Line>> lines;
    std::map<std::string, insight::CostGroup> groups; // by GPU model
    base::Money before; // as reported
    base::Money restated, byOldRules; // for a closed preceding month: as it would be now
    base::Money otherBefore, otherAfter;

    // Adds a row of the month, or of the one that it is compared with. Fails with Overflow.
    [[nodiscard]] base::Result<void> take(const insight::LedgerRow &row, const base::Money &amount, bool isAfter);
};

// Without doubts, adjustments and sharing. Fails with Overflow.
[[nodiscard]] base::Result<TeamStatement> teamStatement(const StatementInput &input, const std::string &name,
                                                        const TeamSums &team, base::Currency currency);
// How certain its figures are. `unowned` is what no team owns; used if the neighbours are unknown. Fails with Overflow.
[[nodiscard]] base::Result<void> addDoubts(TeamStatement &to, const StatementInput &input,
                                           const std::vector<TeamStatement> &unowned);

} // namespace gpuledger::reports
