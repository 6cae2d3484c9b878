// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"

#include <optional>
#include <string>

namespace gpuledger::reports {

// A team's budget of the month, beside its statement. It is configured, so it is of an open month only and never stored
// with one. Values; any thread.
struct StatementBudget {
    std::string team;
    base::Money amount;
    bool carriesOver = false;
    // What the earlier months of the year left; negative: overspent. std::nullopt: nothing carries over, or what the
    // month before cost is unknown.
    std::optional<base::Money> carried;
    base::Money available; // amount + carried
    base::Money spent; // the team's total, without what the rules for shared cost move and without adjustments
    base::Money left; // available - spent; negative: overspent
    std::optional<double> share; // spent / available; std::nullopt: nothing is available
    // At the end of a month that has begun and is not over: `spent`, and what the forecast expects of the GPU time that
    // is left, at effective cost; low to high: its 80 % interval. std::nullopt: the month is over, or too little is
    // known.
    std::optional<base::Money> expected{}, low{}, high{};
};

} // namespace gpuledger::reports
