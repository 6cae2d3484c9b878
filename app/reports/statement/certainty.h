// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/gputime.h"
#include "app/reports/statement/statement.h"

#include <vector>

// Determines how sure the figures of a statement are: by how much they may still change, and why. Pure functions; any
// thread.
namespace gpuledger::reports {

// A reason why a figure may change.
struct Uncertainty {
    enum class Kind {
        Unowned, // `amount` that no rule assigned to a team: any part of it may belong to this team, because it was
                 // seen next to it (neighbours.h)
        Unobserved, // `amount` of unobserved GPU time: it may have been idle; affects the idle cost only
        Estimated, // `amount` that no bill covers, at list prices or an allocator's: the bill may differ by any amount
        Unpriced, // `time` that has no price and is not in any sum
        NotFetched, // parts of the month were never fetched
        Running, // the month is not over
        NotFinal, // `amount` of days whose bill may still change
        SharedEqually, // `amount` of devices with several holders, split equally: nothing measured how much each used
        OldPrices, // `amount` at list prices as old as `date`
    };
    Kind kind{};
    base::Money amount{};
    base::GpuTime time{};
    std::string date{}; // YYYY-MM-DD
};

// The true figure lies between low and high, as far as the amounts that may change are known; a reason without a known
// amount makes the range open.
struct Range {
    base::Money low, high;
    bool isOpen = false; // there are also reasons without a bound
    std::vector<Uncertainty> doubts; // none: the figure is certain

    bool isSure() const { return doubts.empty(); }
};

// For the total of a team of that statement; null: of all teams together. Unowned cost may belong to the teams that
// were seen next to it, and possibly none of that remains unowned; the sum over all teams is not affected.
Range rangeOfTotal(const Statement &statement, const CurrencyStatement &currency, const TeamStatement *team);
// For what it paid for idle GPUs.
Range rangeOfIdle(const Statement &statement, const CurrencyStatement &currency, const TeamStatement *team);

// For a sum that is in no statement: of days, or of an overview. All amounts are in one currency.
struct SumUncertainty {
    base::Money unobserved{}; // it may have been idle; affects the idle cost only
    base::Money estimated{}; // not covered by any bill
    base::Money notFinal{}; // of days whose bill may still change
    base::GpuTime unpriced{}; // not in any sum
};
Range rangeOfSum(const base::Money &sum, const SumUncertainty &doubts);

} // namespace gpuledger::reports
