// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement.h"

#include <string>
#include <vector>

namespace gpuledger::reports {

// What leads from a column of teams to the bill beside it: added to the teams' totals as they are shown, in hundredths,
// the steps come to each sum among them exactly.
struct BillStep {
    enum class Kind {
        OtherTeams, // that the column does not show
        Rounding, // of what is shown, to hundredths
        AllTeams, // a sum
        NotBilled, // estimates, which are in no bill: taken away
        Difference, // the teams' cost less the bill: taken away
        Bill, // a sum
    };
    Kind kind{};
    base::Money amount; // whole hundredths
    bool isSum() const { return kind == Kind::AllTeams || kind == Kind::Bill; }
    bool operator==(const BillStep &) const = default;
};

// Under the column of the teams of a statement, of all of them or of one; a step of 0 is left out, a sum never. Ends
// with the bill where there is one. Pure.
std::vector<BillStep> stepsToBill(const CurrencyStatement &currency);
// The same for programs, without sums and rounding: added to the exact totals of the teams that are listed, the amounts
// come to the bill exactly. A step of 0 is left out. Empty where there is no bill. Pure.
std::vector<BillStep> exactStepsToBill(const CurrencyStatement &currency);
// As it is shown: rounded half away from zero.
base::Money hundredths(const base::Money &amount);
// English, for documents: "other teams", "in no bill: estimated", "bill", …
std::string nameOf(BillStep::Kind kind);

} // namespace gpuledger::reports
