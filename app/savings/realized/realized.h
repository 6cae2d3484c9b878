// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/time.h"
#include "app/savings/proposals/choice.h"
#include "app/savings/proposals/proposal.h"

#include <cstdint>
#include <optional>
#include <vector>

// What an accepted proposal or a stop really saved: before against after, in whole weeks, corrected for the volume of
// work and for what changed elsewhere too (definitions.md, Savings: Realized). Pure; any thread.
//
// All sums are means of whole UTC weeks (7 days, so each weekday counts once), b before and a after:
//   T cost, H paid GPU time, V work of the target; P, W paid and active GPU time of a control group, which no accepted
//   proposal touches.
//   V is the active GPU time. Right-size and spot change that themselves (fewer or slower GPUs, repeated work): there V
//   is the time of the runs, of each holder the time in which its busiest GPU was active.
//   g = Va / Vb                         growth of the target's own work. Right-size and spot: above 1 no more than
//                                       (Wa / Wb) (1 + s), s the standard error of that comparison, because runs on
//                                       slower or interrupted machines take longer without more work
//   i = sum Pkb rka / sum Pkb rkb       price index elsewhere with fixed weights (Laspeyres): r what a paid GPU-hour of
//                                       kind k (pool and purchase) costs, over kinds that are in both. 1 if these are
//                                       less than half of the cost before
//   p = min(i, max(1, (Ta / Ha) / (Tb / Hb)))  a price change of everything is no saving, and others' prices that rise
//                                       are none either, unless the target's rose too
//   h = min(1, (Pa / Wa) / (Pb / Wb))   paid hours per active hour elsewhere: what the whole fleet learned is no
//                                       saving; that others use their GPUs worse adds nothing
//   f in 0..1                           how far the cost of a day followed its work before: slope of the least squares
//                                       of relative cost on relative work. 0 for a machine that is always on: more work
//                                       on it costs no more, so that is no saving
//   expected = Tb (1 + f (g - 1)) p h   cost after, had nobody done it; for g >= 1
//   realized = expected - Ta
// If work fell (g < 1), the cost without the proposal lies between Tb g p h (the cost follows the work) and Tb p h (it
// does not). Only what is saved in both cases counts as saved, only what was lost in both as lost, and else it is zero;
// the band has both. So nothing is claimed where usage merely fell. If work fell below a twentieth, it is NoUse.
// Capacity and Schedule remove what nobody uses: if less than a twentieth of the target's paid time was active before,
// its own work measures nothing, and g = Wa / Wb. Without a control group, p = h = 1, and there g = 1.
//
// A stop is measured as Schedule, and its weeks after end with the day before it was undone. If at least 95 % of the
// GPU time that was paid before is still paid after, nothing is claimed: a machine that stays costs the same
// (StillPaid). Nor if the pools of its GPUs lost less than half of what went: another machine is paid for in
// its place. If they lost less than all of it, p10 counts only their part.
//
// Band: a residual bootstrap of whole weeks. Residuals are those of all sums from their means, together, so that
// what moves together stays together; widened by sqrt(n / (n - 1)) and by Student's t over the normal quantile, because
// the weeks are few. At least 1.28 standard errors of what the cost of equal weekdays
// differs by beyond their work. p50 is the formula's value.
//
// It can't tell: who caused it (a change of the same target in the same weeks counts as the proposal's), savings or
// costs that arise outside the target, and what is saved between the choice and the day until which it should be done,
// which is left out. Noise in the work of a day makes f, and so what is claimed in a growing fleet, too small. For
// right-size and spot: whether longer runs did more, up to the growth elsewhere; whether a run that used its machine
// for the same time did less in it; and that two runs became one, which looks as if usage fell.
namespace gpuledger::savings {

// Sums of a UTC day.
struct RealizedDay {
    std::int64_t nanos = 0; // cost
    std::int64_t paid = 0, active = 0; // ticks of base::GpuTime
    std::int64_t runs = 0; // of each holder the active ticks of its busiest GPU; of a target only
    bool priced = true; // false: part of the cost is unknown; its week is left out
    bool observed = true; // false: too little is known of `active`; its week is left out
};

struct RealizedPriceDay {
    std::int64_t nanos = 0, paid = 0; // paid: ticks of base::GpuTime
};

struct RealizedPast {
    Kind kind = Kind::Capacity;
    base::Currency currency;
    base::Day first; // of both lists
    // One entry for each day up to the last whole day of the data. Control has no unpriced time: it is left out of all
    // three sums.
    std::vector<RealizedDay> target, control;
    std::vector<std::vector<RealizedPriceDay>> prices; // of each kind of machine of `control`; empty: it is one kind
    base::Day begun, done; // the last weeks end before `begun`, the first ones start after `done`
    std::optional<MoneyBand> projected;
    std::int64_t group = 0; // copied to the answer
    bool isStop = false;
    std::vector<std::int64_t> pool; // of a stop, by day: paid ticks of the pools of its devices; empty: not known
    std::optional<base::Day> ended; // of a stop: the day on which it was undone
};

inline constexpr int kRealizedMostBefore = 4, kRealizedLeastBefore = 2, kRealizedMostAfter = 8; // weeks

// The same past and seed give the same answer on every machine. `choice` is copied to the answer.
Realized measureRealized(const RealizedPast &past, std::int64_t choice, std::uint64_t seed);

// What a measured figure was computed from, for its proof. Amounts per week in nanos, before rounding.
struct RealizedWeek {
    base::Day first;
    bool isAfter = false;
    std::int64_t nanos = 0, paid = 0, active = 0; // of the target; ticks of base::GpuTime
};
struct RealizedBasis {
    std::vector<RealizedWeek> weeks; // ascending
    double before = 0, after = 0; // Tb, Ta
    double growth = 1, follows = 0, price = 1, hours = 1; // g, f, p, h
    double saved = 0; // per week; x 730 h / 168 h is p50
};
// std::nullopt: `past` can't be measured.
std::optional<RealizedBasis> realizedBasis(const RealizedPast &past);

// The sum of one currency in which no money counts twice: of the measured ones of a group only the best (largest p50)
// is in it, since each of them may have found the same change. Quantiles are added as in SavingsSum.
struct RealizedTotal {
    MoneyBand perMonth;
    std::optional<base::Money> projected; // p50 of those in it; std::nullopt: one of them projected nothing
    int counted = 0; // in it
    int stops = 0; // of those in it
    int overlapping = 0; // measured, but left out
    std::vector<std::int64_t> choices; // Realized::choice of those in it
};
// By currency, ascending. `choices` has those that `realized` is about; others are left out, but for stops, which stand
// for themselves: one that was undone saves nothing any more and is left out. What is too large to add up stays at the
// largest amount.
std::vector<RealizedTotal> realizedSum(const std::vector<Choice> &choices, const std::vector<Realized> &realized);
// From the first week before to the last one after of all of them, also of what is in no sum: with the data up to its
// end, all are measured in the same weeks. Empty: there are no such weeks.
base::TimeRange realizedRange(const std::vector<Realized> &realized);

} // namespace gpuledger::savings
