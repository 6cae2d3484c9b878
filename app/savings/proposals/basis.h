// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The amounts of the past that a proposal's figures were computed from, for its proof. Values; any thread. Money is in
// nano-units of the past, not per month.
namespace gpuledger::savings {

struct BasisRow {
    base::UtcTime at{}; // the day that it is of; of a run: the start of the past
    std::string state; // "off", "cut", "replaced", "covered", "run"
    std::string resource; // empty: that of the proposal
    std::optional<base::GpuTime> time; // of the GPUs; std::nullopt: it is not about GPU time
    std::int64_t paid = 0; // what the row's time really cost
    std::int64_t saved = 0; // what would have been saved of it
    std::int64_t spend = 0; // what would have ended if nothing of the target was used
};

// A number that the step from the rows to an amount per month uses: a count or a rate.
struct BasisInput {
    std::string name; // "weeks", "seed", "machines"
    double number = 0;
    std::string unit; // "h", "machines"; empty: a count
};

struct ProposalBasis {
    base::Currency currency;
    std::int64_t hours = 0; // of the past; what was saved / hours x 730 is the mean per month
    std::vector<BasisRow> rows;
    // What was saved in each whole week that is resampled, the newest first; empty: nothing is resampled.
    std::vector<std::int64_t> weeks;
    std::vector<BasisInput> inputs;
    // What the rows save, where p50 uses another amount: the median of replayed costs instead of their mean.
    std::optional<std::int64_t> middleSaved;
};

// Amounts of consecutive hours from `start`, for a basis by day. All lists have the same length.
struct BasisHours {
    explicit BasisHours(std::size_t count)
        : paid(count, 0)
        , saved(count, 0)
        , spend(count, 0)
        , time(count)
    {
    }
    std::vector<std::int64_t> paid, saved, spend;
    std::vector<base::GpuTime> time;
};
// Adds a row for each UTC day with something in it. Fails with Overflow.
[[nodiscard]] base::Result<void> addDays(ProposalBasis &basis, base::UtcTime start, const BasisHours &hours,
                                         std::string_view state, const std::string &resource = {});
// Sums of the newest whole weeks if there are at least `least`; otherwise none. Fails with Overflow.
[[nodiscard]] base::Result<void> addWeeks(ProposalBasis &basis, const std::vector<std::int64_t> &savedByHour,
                                          std::size_t least);

} // namespace gpuledger::savings
