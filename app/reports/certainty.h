// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/gputime.h"
#include "app/base/money.h"
#include "app/reports/statement.h"

#include <vector>

// How sure the figures of a statement are (definitions.md, How sure a figure is). Pure functions; any thread.
namespace gpuledger::reports {

// Why a figure may be another one in truth.
struct Uncertainty {
    enum class Kind {
        Unowned, // `amount` that no rule gave to a team: any part of it may be this team's
        Unobserved, // `amount` of GPU time that nobody saw: it may have been idle; of the idle cost only
        Estimated, // `amount` that no bill covers, at list prices or an allocator's: a bill may say anything
        Unpriced, // `time` that has no price and is in no sum
        NotFetched, // parts of the month were never fetched
        Running, // the month is not over
        NotFinal, // `amount` of days whose bill may still change
        SharedEqually, // `amount` of devices that several held, split equally: nothing measured who used how much
        OldPrices, // `amount` at list prices as old as `date`
    };
    Kind kind{};
    base::Money amount{};
    base::GpuTime time{};
    std::string date{}; // YYYY-MM-DD
};

// The truth lies from low to high as far as amounts are known that may move; what has no known amount makes it open.
struct Range {
    base::Money low, high;
    bool isOpen = false; // there are doubts without a bound, too
    std::vector<Uncertainty> doubts; // none: the figure is sure

    bool isSure() const { return doubts.empty(); }
};

// Of the total of a team of that statement; null: of all teams together. What nobody owns may be any team's, and none
// of what is told as unowned may stay so; the sum over all teams does not move by it.
Range rangeOfTotal(const Statement &statement, const CurrencyStatement &currency, const TeamStatement *team);
// Of what it paid for GPUs while they were idle.
Range rangeOfIdle(const Statement &statement, const CurrencyStatement &currency, const TeamStatement *team);

// Of a sum that is in no statement: of days, of an overview. All amounts are of one currency.
struct SumUncertainty {
    base::Money unobserved{}; // it may have been idle; of the idle cost only
    base::Money estimated{}; // that no bill covers
    base::Money notFinal{}; // of days whose bill may still change
    base::GpuTime unpriced{}; // in no sum
};
Range rangeOfSum(const base::Money &sum, const SumUncertainty &doubts);

} // namespace gpuledger::reports
