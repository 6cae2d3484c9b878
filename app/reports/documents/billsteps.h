// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement/statement.h"

#include <string>
#include <vector>

namespace gpuledger::reports {

// The steps from a column of teams to the bill beside it: added to the teams' totals as shown, in hundredths, the steps
// yield each sum among them exactly.
struct BillStep {
    enum class Kind {
        OtherTeams, // teams not shown in the column
        Rounding, // of the amounts shown, to hundredths
        AllTeams, // a sum
        NotBilled, // estimates, which are on no bill: subtracted
        Difference, // the teams' cost minus the bill: subtracted
        Bill, // a sum
    };
    Kind kind{};
    base::Money amount; // whole hundredths
    bool isSum() const { return kind == Kind::AllTeams || kind == Kind::Bill; }
    bool operator==(const BillStep &) const = default;
};

// For the column of a statement's teams, all of them or one; steps of 0 are left out, sums never. Ends with the bill if
// there is one. Pure.
std::vector<BillStep> stepsToBill(const CurrencyStatement &currency);
// The same for machine-readable output, without sums and rounding: added to the exact totals of the listed teams, the
// amounts yield the bill exactly. Steps of 0 are left out. Empty if there is no bill. Pure.
std::vector<BillStep> exactStepsToBill(const CurrencyStatement &currency);
// As shown: rounded half away from zero.
base::Money hundredths(const base::Money &amount);
// English, for documents: "other teams", "not billed (estimated)", "bill", …
std::string nameOf(BillStep::Kind kind);

} // namespace gpuledger::reports
