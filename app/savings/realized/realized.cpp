// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/realized/realized.h"

#include "app/savings/proposals/seededrandom.h"
#include "app/savings/realized/realizedweeks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace gpuledger::savings {

namespace {

constexpr double kRealizedWeekHours = 168;
constexpr double kUsedShare = 0.05; // of paid time; of the work before
constexpr double kGoneShare = 0.05; // of the paid time before: what a stop must have ended to claim anything
constexpr double kPoolShare = 0.5; // of what went: what its pools must have lost to claim anything
constexpr int kRealizedReplicates = 1000;
constexpr double kNormalP90 = 1.2815515655446004;
constexpr double kMostNanos = 4e18; // fits 64 bits
// 90 % quantile of Student's t by degrees of freedom, from 1.
constexpr std::array kStudentP90{3.0777, 1.8856, 1.6377, 1.5332, 1.4759, 1.4398, 1.4149, 1.3968, 1.3830, 1.3722};

bool isInBoth(const WeekSums &before, const WeekSums &after, WeekSum sum)
{
    return before[sum] > 0 && after[sum] > 0;
}

// 1 if there is nothing to compare.
double ratioOf(const WeekSums &before, const WeekSums &after, WeekSum sum)
{
    return isInBoth(before, after, sum) ? after[sum] / before[sum] : 1;
}

// False: g comes from the control group.
bool isOwnWorkMeasure(Kind kind, const WeekSums &before)
{
    const bool removesUnused = kind == Kind::Capacity || kind == Kind::Schedule;
    return !removesUnused || before[Active] >= kUsedShare * before[Paid];
}

// Right-size and spot change the active GPU time themselves: other numbers and kinds of GPUs, repeated work.
bool changesActiveTime(Kind kind)
{
    return kind == Kind::RightSize || kind == Kind::Spot;
}

WeekSum workOf(Kind kind)
{
    return changesActiveTime(kind) ? Runs : Active;
}

// g of the header; std::nullopt: work is unknown or fell to nothing. `noise`: relative standard error of growth.
std::optional<double> growthOf(Kind kind, double noise, const WeekSums &before, const WeekSums &after)
{
    const double elsewhere = ratioOf(before, after, ControlActive);
    if (!isOwnWorkMeasure(kind, before))
        return elsewhere;
    const WeekSum work = workOf(kind);
    if (before[work] <= 0 || after[work] < kUsedShare * before[work])
        return std::nullopt;
    const double own = after[work] / before[work];
    if (own <= 1 || !changesActiveTime(kind))
        return own;
    return std::max(1.0, std::min(own, elsewhere * (1 + noise)));
}

// p of the header.
double priceElsewhere(const WeekSums &before, const WeekSums &after)
{
    const bool hasPrice = isInBoth(before, after, Cost) && isInBoth(before, after, Paid);
    const double own = hasPrice ? ratioOf(before, after, Cost) / ratioOf(before, after, Paid) : 1;
    return std::min(ratioOf(before, after, Price), std::max(1.0, own));
}

// h of the header.
double hoursElsewhere(const WeekSums &before, const WeekSums &after)
{
    if (!isInBoth(before, after, ControlPaid) || !isInBoth(before, after, ControlActive))
        return 1;
    return std::min(1.0, ratioOf(before, after, ControlPaid) / ratioOf(before, after, ControlActive));
}

double elsewhereOf(const WeekSums &before, const WeekSums &after)
{
    return priceElsewhere(before, after) * hoursElsewhere(before, after);
}

// Variance of the target's mean work less that of the control group, both as parts of their means.
double workVariance(const RealizedWindow &window, WeekSum work)
{
    const auto count = static_cast<double>(window.weeks.size());
    if (window.weeks.size() < 2 || window.mean[work] <= 0 || window.mean[ControlActive] <= 0)
        return 0;
    double squares = 0;
    for (const WeekSums &week : window.sums) {
        const double difference = week[work] / window.mean[work] - week[ControlActive] / window.mean[ControlActive];
        squares += difference * difference;
    }
    return squares / (count - 1) / count;
}

double growthNoise(Kind kind, const RealizedWindow &before, const RealizedWindow &after)
{
    const double then = workVariance(before, workOf(kind));
    const double now =
        after.weeks.size() < 2 ? then * static_cast<double>(before.weeks.size()) : workVariance(after, workOf(kind));
    return std::sqrt(then + now);
}

std::int64_t ownWork(Kind kind, const RealizedDay &day)
{
    return changesActiveTime(kind) ? day.runs : day.active;
}

// f of the header: the slope of the least squares of relative cost on relative work over the days before, 0..1.
double followsWork(const RealizedPast &past, const RealizedWindow &before)
{
    const bool isOwnWork = isOwnWorkMeasure(past.kind, before.mean);
    const double cost = before.mean[Cost] / kRealizedWeek;
    const double work = before.mean[isOwnWork ? workOf(past.kind) : ControlActive] / kRealizedWeek;
    if (cost <= 0 || work <= 0)
        return 0;
    double together = 0, squares = 0;
    for (const std::size_t start : before.weeks) {
        for (std::size_t day = start; day < start + kRealizedWeek; ++day) {
            const double x =
                static_cast<double>(isOwnWork ? ownWork(past.kind, past.target[day]) : past.control[day].active) / work
                - 1;
            together += x * (static_cast<double>(past.target[day].nanos) / cost - 1);
            squares += x * x;
        }
    }
    return squares > 0 ? std::clamp(together / squares, 0.0, 1.0) : 0;
}

struct RealizedRules { // what is the same for each draw
    Kind kind;
    double follows = 0, noise = 0;
};

// Nanos per week: the value, and the limits of what the cost without the proposal leaves open.
struct SavedBand {
    double low = 0, value = 0, high = 0;
};

std::optional<SavedBand> savedPerWeek(const RealizedRules &rules, const WeekSums &before, const WeekSums &after)
{
    const auto growth = growthOf(rules.kind, rules.noise, before, after);
    if (!growth)
        return std::nullopt;
    const double asBefore = before[Cost] * elsewhereOf(before, after);
    if (*growth >= 1) {
        const double saved = asBefore * (1 + rules.follows * (*growth - 1)) - after[Cost];
        return SavedBand{saved, saved, saved};
    }
    const double followed = asBefore * *growth - after[Cost], stayed = asBefore - after[Cost];
    return SavedBand{followed, followed > 0 ? followed : std::min(0.0, stayed), stayed};
}

// Relative residuals of the weeks of a window from their mean, widened for their number.
void addResiduals(std::vector<WeekSums> &to, const RealizedWindow &window)
{
    const auto count = static_cast<double>(window.weeks.size());
    if (window.weeks.size() < 2)
        return;
    const double factor = std::sqrt(count / (count - 1));
    for (const WeekSums &week : window.sums) {
        WeekSums &residual = to.emplace_back();
        for (std::size_t sum = 0; sum < SumCount; ++sum)
            residual[sum] = window.mean[sum] > 0 ? factor * (week[sum] / window.mean[sum] - 1) : 0;
    }
}

double studentFactor(std::size_t freedom)
{
    const std::size_t at = std::clamp<std::size_t>(freedom, 1, kStudentP90.size());
    return kStudentP90[at - 1] / kNormalP90;
}

WeekSums resampledWeeks(const RealizedWindow &window, const std::vector<WeekSums> &residuals, double factor,
                        SeededRandom &random)
{
    WeekSums shift{};
    for (std::size_t week = 0; week < window.weeks.size(); ++week) {
        const WeekSums &drawn =
            residuals[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(residuals.size())))];
        for (std::size_t sum = 0; sum < SumCount; ++sum)
            shift[sum] += drawn[sum] / static_cast<double>(window.weeks.size());
    }
    WeekSums mean = window.mean;
    for (std::size_t sum = 0; sum < SumCount; ++sum)
        mean[sum] *= std::max(0.0, 1 + factor * shift[sum]);
    return mean;
}

// Cost of a day that its work does not explain.
double unexplainedCost(const RealizedPast &past, const RealizedWindow &window, std::size_t day, bool isOwnWork)
{
    const RealizedDay &target = past.target[day];
    const double work = window.mean[workOf(past.kind)];
    const double perWork = isOwnWork && work > 0 ? window.mean[Cost] / work : 0;
    return static_cast<double>(target.nanos) - perWork * static_cast<double>(ownWork(past.kind, target));
}

// Squared deviations of equal weekdays from their mean, as a variance of the cost of a mean week.
double weekdayVariance(const RealizedPast &past, const RealizedWindow &window, bool isOwnWork)
{
    const auto count = static_cast<double>(window.weeks.size());
    if (window.weeks.size() < 2)
        return 0;
    double squares = 0;
    for (std::size_t weekday = 0; weekday < kRealizedWeek; ++weekday) {
        double mean = 0;
        for (const std::size_t start : window.weeks)
            mean += unexplainedCost(past, window, start + weekday, isOwnWork) / count;
        for (const std::size_t start : window.weeks) {
            const double deviation = unexplainedCost(past, window, start + weekday, isOwnWork) - mean;
            squares += deviation * deviation;
        }
    }
    return squares / (count - 1) / count;
}

double quantileOf(std::vector<double> &values, double share)
{
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

base::Money monthly(double perWeek, base::Currency currency)
{
    const double nanos = perWeek * static_cast<double>(kHoursPerMonth) / kRealizedWeekHours;
    return {static_cast<std::int64_t>(std::llround(std::clamp(nanos, -kMostNanos, kMostNanos))), currency};
}

MoneyBand realizedBand(const RealizedPast &past, const RealizedRules &rules, const RealizedWindow &before,
                       const RealizedWindow &after, std::uint64_t seed)
{
    std::vector<WeekSums> residuals;
    addResiduals(residuals, before);
    addResiduals(residuals, after);
    const std::size_t windows = after.weeks.size() < 2 ? 1 : 2;
    const double factor = studentFactor(residuals.size() - windows);
    const SavedBand band = savedPerWeek(rules, before.mean, after.mean).value_or(SavedBand{});
    const double saved = band.value;
    std::vector<double> drawn;
    drawn.reserve(kRealizedReplicates);
    for (int i = 0; i < kRealizedReplicates; ++i) {
        SeededRandom random(seed, static_cast<std::uint64_t>(i));
        const WeekSums b = resampledWeeks(before, residuals, factor, random);
        const auto one = savedPerWeek(rules, b, resampledWeeks(after, residuals, factor, random));
        drawn.push_back(one ? one->value : 0);
    }
    const double scale =
        before.mean[Cost] > 0 ? (saved + after.mean[Cost]) / before.mean[Cost] : 1; // of the cost before
    const bool isOwnWork = isOwnWorkMeasure(past.kind, before.mean);
    const double beforeVariance = weekdayVariance(past, before, isOwnWork) * scale * scale;
    const double afterVariance = windows == 2 ? weekdayVariance(past, after, isOwnWork)
                                              : beforeVariance * static_cast<double>(before.weeks.size());
    const double least = kNormalP90 * std::sqrt(beforeVariance + afterVariance);
    const double low = std::min({quantileOf(drawn, 0.1), saved - least, band.low});
    const double high = std::max({quantileOf(drawn, 0.9), saved + least, band.high});
    return {monthly(low, past.currency), monthly(saved, past.currency), monthly(high, past.currency)};
}

double poolPaid(const RealizedPast &past, const RealizedWindow &window)
{
    double sum = 0;
    for (const std::size_t start : window.weeks) {
        for (std::size_t day = start; day < start + kRealizedWeek; ++day)
            sum += static_cast<double>(past.pool[day]);
    }
    return sum / static_cast<double>(window.weeks.size());
}

// Of the paid time that a stop ended, how much its pools lost too, 0..1; 0: it ended none. 1 if they are not known.
double lostByPools(const RealizedPast &past, const RealizedWindow &before, const RealizedWindow &after)
{
    const double gone = before.mean[Paid] - after.mean[Paid];
    if (after.mean[Paid] > (1 - kGoneShare) * before.mean[Paid] || gone <= 0)
        return 0;
    if (past.pool.size() != past.target.size())
        return 1;
    return std::clamp((poolPaid(past, before) - poolPaid(past, after)) / gone, 0.0, 1.0);
}

} // namespace

Realized measureRealized(const RealizedPast &past, std::int64_t choice, std::uint64_t seed)
{
    Realized out;
    out.choice = choice;
    out.group = past.group;
    if (past.target.size() != past.control.size())
        return out;
    RealizedWindow before = weeksBefore(past), after = weeksAfter(past);
    out.before = rangeOf(past, before);
    out.after = rangeOf(past, after);
    constexpr auto kLeast = static_cast<std::size_t>(kRealizedLeastBefore);
    if (before.weeks.size() < kLeast) {
        const bool isPrice = before.weeks.size() + static_cast<std::size_t>(before.unpriced) >= kLeast;
        out.state = isPrice ? RealizedState::Unpriced : RealizedState::NoBefore;
        return out;
    }
    if (after.weeks.empty()) {
        out.state = after.unpriced > 0 ? RealizedState::Unpriced : RealizedState::TooEarly;
        return out;
    }
    const double lost = past.isStop ? lostByPools(past, before, after) : 1;
    if (lost < kPoolShare) {
        out.state = RealizedState::StillPaid;
        return out;
    }
    setPrices(past, before, after);
    const RealizedRules rules{past.kind, followsWork(past, before), growthNoise(past.kind, before, after)};
    if (!savedPerWeek(rules, before.mean, after.mean)) {
        out.state = RealizedState::NoUse;
        return out;
    }
    out.state = RealizedState::Measured;
    out.perMonth = realizedBand(past, rules, before, after, seed);
    const auto sure = std::llround(static_cast<double>(out.perMonth->p50.nanos()) * lost);
    if (lost < 1 && sure < out.perMonth->p10.nanos())
        out.perMonth->p10 = {static_cast<std::int64_t>(sure), past.currency};
    if (past.projected && past.projected->p50.nanos() != 0 && past.projected->p50.currency() == past.currency)
        out.error =
            static_cast<double>(out.perMonth->p50.nanos()) / static_cast<double>(past.projected->p50.nanos()) - 1;
    return out;
}

std::optional<RealizedBasis> realizedBasis(const RealizedPast &past)
{
    if (past.target.size() != past.control.size())
        return std::nullopt;
    RealizedWindow before = weeksBefore(past), after = weeksAfter(past);
    if (before.weeks.empty() || after.weeks.empty())
        return std::nullopt;
    setPrices(past, before, after);
    const RealizedRules rules{past.kind, followsWork(past, before), growthNoise(past.kind, before, after)};
    const auto growth = growthOf(rules.kind, rules.noise, before.mean, after.mean);
    const auto saved = savedPerWeek(rules, before.mean, after.mean);
    if (!growth || !saved)
        return std::nullopt;
    RealizedBasis out;
    for (const RealizedWindow *window : {&before, &after}) {
        for (const std::size_t start : window->weeks) {
            RealizedWeek week;
            week.first = base::Day{static_cast<std::int32_t>(past.first.number + static_cast<std::int64_t>(start))};
            week.isAfter = window == &after;
            for (std::size_t day = start; day < start + kRealizedWeek; ++day) {
                week.nanos += past.target[day].nanos;
                week.paid += past.target[day].paid;
                week.active += past.target[day].active;
            }
            out.weeks.push_back(week);
        }
    }
    out.before = before.mean[Cost];
    out.after = after.mean[Cost];
    out.growth = *growth;
    out.follows = rules.follows;
    out.price = priceElsewhere(before.mean, after.mean);
    out.hours = hoursElsewhere(before.mean, after.mean);
    out.saved = saved->value;
    return out;
}

} // namespace gpuledger::savings
