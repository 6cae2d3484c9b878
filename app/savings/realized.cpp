// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/realized.h"

#include "app/savings/spotrandom.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace gpuledger::savings {

namespace {

constexpr int kRealizedWeek = 7; // days
constexpr double kRealizedWeekHours = 168;
constexpr double kUsedShare = 0.05; // of paid time; of the work before
constexpr int kRealizedReplicates = 1000;
constexpr double kNormalP90 = 1.2815515655446004;
constexpr double kMostNanos = 4e18; // fits 64 bits
// 90 % quantile of Student's t by degrees of freedom, from 1.
constexpr std::array kStudentP90{3.0777, 1.8856, 1.6377, 1.5332, 1.4759, 1.4398, 1.4149, 1.3968, 1.3830, 1.3722};

enum RealizedSum : std::size_t { Cost, Paid, Active, ControlCost, ControlPaid, ControlActive, SumCount };
using WeekSums = std::array<double, SumCount>;

struct RealizedWindow {
    std::vector<std::size_t> weeks; // index of the first day of each
    std::vector<WeekSums> sums; // parallel to `weeks`
    WeekSums mean{};
    bool priced = true;
};

WeekSums weekSums(const RealizedPast &past, std::size_t start)
{
    WeekSums sums{};
    for (std::size_t day = start; day < start + kRealizedWeek; ++day) {
        const RealizedDay &target = past.target[day], &control = past.control[day];
        sums[Cost] += static_cast<double>(target.nanos);
        sums[Paid] += static_cast<double>(target.paid);
        sums[Active] += static_cast<double>(target.active);
        sums[ControlCost] += static_cast<double>(control.nanos);
        sums[ControlPaid] += static_cast<double>(control.paid);
        sums[ControlActive] += static_cast<double>(control.active);
    }
    return sums;
}

bool isObservedWeek(const RealizedPast &past, std::size_t start)
{
    for (std::size_t day = start; day < start + kRealizedWeek; ++day) {
        if (!past.target[day].observed || !past.control[day].observed)
            return false;
    }
    return true;
}

void finish(RealizedWindow &window, const RealizedPast &past)
{
    std::sort(window.weeks.begin(), window.weeks.end());
    for (const std::size_t start : window.weeks) {
        window.sums.push_back(weekSums(past, start));
        for (std::size_t sum = 0; sum < SumCount; ++sum)
            window.mean[sum] += window.sums.back()[sum] / static_cast<double>(window.weeks.size());
        for (std::size_t day = start; day < start + kRealizedWeek; ++day)
            window.priced = window.priced && past.target[day].priced;
    }
}

// The last observed weeks before it, from the first one in which the target was paid for.
RealizedWindow weeksBefore(const RealizedPast &past)
{
    RealizedWindow window;
    const std::int64_t end = past.begun.number - past.first.number;
    const auto days = static_cast<std::int64_t>(past.target.size());
    for (int week = 1; week <= kRealizedMostBefore; ++week) {
        const std::int64_t start = end - std::int64_t{week} * kRealizedWeek;
        if (start < 0 || start + kRealizedWeek > days)
            continue;
        if (isObservedWeek(past, static_cast<std::size_t>(start)))
            window.weeks.push_back(static_cast<std::size_t>(start));
    }
    while (!window.weeks.empty() && weekSums(past, window.weeks.back())[Paid] <= 0)
        window.weeks.pop_back();
    finish(window, past);
    return window;
}

RealizedWindow weeksAfter(const RealizedPast &past)
{
    RealizedWindow window;
    const std::int64_t first = std::int64_t{past.done.number} + 1 - past.first.number;
    const auto days = static_cast<std::int64_t>(past.target.size());
    for (std::int64_t start = std::max<std::int64_t>(first, 0), week = 0;
         start + kRealizedWeek <= days && week < kRealizedMostAfter; start += kRealizedWeek, ++week) {
        if (isObservedWeek(past, static_cast<std::size_t>(start)))
            window.weeks.push_back(static_cast<std::size_t>(start));
    }
    finish(window, past);
    return window;
}

base::TimeRange rangeOf(const RealizedPast &past, const RealizedWindow &window)
{
    if (window.weeks.empty())
        return {};
    const auto dayAt = [&](std::size_t index) {
        return base::Day{static_cast<std::int32_t>(past.first.number + static_cast<std::int64_t>(index))};
    };
    return {dayAt(window.weeks.front()).start(), dayAt(window.weeks.back() + kRealizedWeek).start()};
}

bool isInBoth(const WeekSums &before, const WeekSums &after, RealizedSum sum)
{
    return before[sum] > 0 && after[sum] > 0;
}

// 1 if there is nothing to compare.
double ratioOf(const WeekSums &before, const WeekSums &after, RealizedSum sum)
{
    return isInBoth(before, after, sum) ? after[sum] / before[sum] : 1;
}

// False: g comes from the control group.
bool isOwnWorkMeasure(Kind kind, const WeekSums &before)
{
    const bool removesUnused = kind == Kind::Capacity || kind == Kind::Schedule;
    return !removesUnused || before[Active] >= kUsedShare * before[Paid];
}

// g of the header; std::nullopt: work is unknown or fell to nothing.
std::optional<double> growthOf(Kind kind, const WeekSums &before, const WeekSums &after)
{
    if (!isOwnWorkMeasure(kind, before))
        return ratioOf(before, after, ControlActive);
    if (before[Active] <= 0 || after[Active] < kUsedShare * before[Active])
        return std::nullopt;
    return after[Active] / before[Active];
}

// p h of the header.
double elsewhere(const WeekSums &before, const WeekSums &after)
{
    if (!isInBoth(before, after, ControlPaid))
        return 1;
    const double hours = ratioOf(before, after, ControlPaid);
    const double price = isInBoth(before, after, ControlCost) ? ratioOf(before, after, ControlCost) / hours : 1;
    return isInBoth(before, after, ControlActive) ? price * std::min(1.0, hours / ratioOf(before, after, ControlActive))
                                                  : price;
}

// f of the header: the slope of the least squares of relative cost on relative work over the days before, 0..1.
double followsWork(const RealizedPast &past, const RealizedWindow &before)
{
    const bool isOwnWork = isOwnWorkMeasure(past.kind, before.mean);
    const double cost = before.mean[Cost] / kRealizedWeek;
    const double work = before.mean[isOwnWork ? Active : ControlActive] / kRealizedWeek;
    if (cost <= 0 || work <= 0)
        return 0;
    double together = 0, squares = 0;
    for (const std::size_t start : before.weeks) {
        for (std::size_t day = start; day < start + kRealizedWeek; ++day) {
            const RealizedDay &worked = isOwnWork ? past.target[day] : past.control[day];
            const double x = static_cast<double>(worked.active) / work - 1;
            together += x * (static_cast<double>(past.target[day].nanos) / cost - 1);
            squares += x * x;
        }
    }
    return squares > 0 ? std::clamp(together / squares, 0.0, 1.0) : 0;
}

// Nanos per week.
std::optional<double> savedPerWeek(Kind kind, double follows, const WeekSums &before, const WeekSums &after)
{
    const auto growth = growthOf(kind, before, after);
    if (!growth)
        return std::nullopt;
    const double asBefore = before[Cost] * elsewhere(before, after);
    if (*growth >= 1)
        return asBefore * (1 + follows * (*growth - 1)) - after[Cost];
    const double followed = asBefore * *growth - after[Cost];
    return followed > 0 ? followed : std::min(0.0, asBefore - after[Cost]);
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
                        SpotRandom &random)
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
    const double perWork = isOwnWork && window.mean[Active] > 0 ? window.mean[Cost] / window.mean[Active] : 0;
    return static_cast<double>(target.nanos) - perWork * static_cast<double>(target.active);
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

MoneyBand realizedBand(const RealizedPast &past, const RealizedWindow &before, const RealizedWindow &after,
                       double saved, std::uint64_t seed)
{
    std::vector<WeekSums> residuals;
    addResiduals(residuals, before);
    addResiduals(residuals, after);
    const std::size_t windows = after.weeks.size() < 2 ? 1 : 2;
    const double factor = studentFactor(residuals.size() - windows);
    const double follows = followsWork(past, before);
    std::vector<double> drawn;
    drawn.reserve(kRealizedReplicates);
    for (int i = 0; i < kRealizedReplicates; ++i) {
        SpotRandom random(seed, static_cast<std::uint64_t>(i));
        const WeekSums b = resampledWeeks(before, residuals, factor, random);
        drawn.push_back(
            savedPerWeek(past.kind, follows, b, resampledWeeks(after, residuals, factor, random)).value_or(0));
    }
    const double scale =
        before.mean[Cost] > 0 ? (saved + after.mean[Cost]) / before.mean[Cost] : 1; // of the cost before
    const bool isOwnWork = isOwnWorkMeasure(past.kind, before.mean);
    const double beforeVariance = weekdayVariance(past, before, isOwnWork) * scale * scale;
    const double afterVariance = windows == 2 ? weekdayVariance(past, after, isOwnWork)
                                              : beforeVariance * static_cast<double>(before.weeks.size());
    const double least = kNormalP90 * std::sqrt(beforeVariance + afterVariance);
    const double low = std::min(quantileOf(drawn, 0.1), saved - least);
    const double high = std::max(quantileOf(drawn, 0.9), saved + least);
    return {monthly(low, past.currency), monthly(saved, past.currency), monthly(high, past.currency)};
}

} // namespace

Realized measureRealized(const RealizedPast &past, std::int64_t choice, std::uint64_t seed)
{
    Realized out;
    out.choice = choice;
    if (past.target.size() != past.control.size())
        return out;
    const RealizedWindow before = weeksBefore(past), after = weeksAfter(past);
    out.before = rangeOf(past, before);
    out.after = rangeOf(past, after);
    if (before.weeks.size() < static_cast<std::size_t>(kRealizedLeastBefore)) {
        out.state = RealizedState::NoBefore;
        return out;
    }
    if (after.weeks.empty())
        return out;
    if (!before.priced || !after.priced) {
        out.state = RealizedState::Unpriced;
        return out;
    }
    const auto saved = savedPerWeek(past.kind, followsWork(past, before), before.mean, after.mean);
    if (!saved) {
        out.state = RealizedState::NoUse;
        return out;
    }
    out.state = RealizedState::Measured;
    out.perMonth = realizedBand(past, before, after, *saved, seed);
    if (past.projected && past.projected->p50.nanos() != 0 && past.projected->p50.currency() == past.currency)
        out.error =
            static_cast<double>(out.perMonth->p50.nanos()) / static_cast<double>(past.projected->p50.nanos()) - 1;
    return out;
}

} // namespace gpuledger::savings
