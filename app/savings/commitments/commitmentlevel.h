// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/gputime.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

// How much to commit to (definitions.md, Savings). Demand is one value for each hour: the machine time of that hour,
// where a machine that runs all of it is base::GpuTime::wholeDevice of an hour. Pure; any thread.
namespace gpuledger::savings {

// Nano-units of money x ticks of machine time: exact within the limits below.
__extension__ using CostTicks = __int128;

// Of larger values proposeCommitments() computes nothing, so that no product here overflows: rate x ticks of a
// machine-hour x kMostMachineHours x 50,000 hours x 730 is 3.3e37.
inline constexpr std::int64_t kMostMachineHours = 1'000'000; // in an hour
inline constexpr std::int64_t kMostRate = 100'000'000 * base::Money::kNanosPerUnit; // of a machine per hour
inline constexpr std::int64_t kTicksPerMachineHour = 3600 * base::GpuTime::kTicksPerSecond;

struct CommitmentRates {
    std::int64_t onDemand = 0, committed = 0; // nano-units per machine-hour, of one currency
};

// What a commitment to `level` would have saved in these hours: o x sum(min(D, L)) - c x L x hours. Negative: it would
// have cost more.
CostTicks commitmentGain(std::span<const base::GpuTime> demand, base::GpuTime level, CommitmentRates rates);

// The level that costs least: the 1 - c/o quantile of the demand. The smallest one where several cost the same.
// `whole`: in whole machines. Zero if a rate is not above zero, if c >= o, or without demand.
base::GpuTime cheapestLevel(std::span<const base::GpuTime> demand, CommitmentRates rates, bool whole);

// The share of every hour's demand that may be lost until the commitment costs more than on demand, 0 to 1.
// std::nullopt: it costs more already, or the level is zero.
std::optional<double> tolerableLoss(std::span<const base::GpuTime> demand, base::GpuTime level, CommitmentRates rates);

// The share of the term that the demand must last, if all of it ends afterwards: c x L x hours / (o x sum(min(D, L))).
// std::nullopt like tolerableLoss().
std::optional<double> leastTermShare(std::span<const base::GpuTime> demand, base::GpuTime level, CommitmentRates rates);

// A total over `hours` as an amount per month, rounded down. std::nullopt: no hours, or it does not fit.
std::optional<base::Money> commitmentPerMonth(CostTicks total, std::size_t hours, base::Currency currency);

} // namespace gpuledger::savings
