// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/calibration/forecastcalibration.h"

#include "app/alerts/forecast/backtest.h"
#include "app/alerts/forecast/baselines.h"
#include "app/alerts/forecast/period.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <span>

namespace gpuledger::tests {

using alerts::Period;
using alerts::PeriodKind;
using alerts::Values;

namespace {

constexpr std::size_t kFirstAsked = 5, kAskedEvery = 5, kLastAsked = 25;
constexpr std::size_t kMostUnknown = 10; // one day in so many

struct KnownSum {
    double sum = 0;
    std::size_t known = 0;
};

KnownSum knownSum(const Values &days, std::size_t from, std::size_t to)
{
    KnownSum out;
    for (std::size_t i = from; i < to; ++i) {
        if (std::isnan(days[i]))
            continue;
        out.sum += days[i];
        ++out.known;
    }
    return out;
}

using Others = std::optional<alerts::OthersMissed>;

void tryAt(ForecastTrial &out, const Values &days, const SeriesPeriod &period, std::size_t at, double whole,
           const Others &others)
{
    const KnownSum rest = knownSum(days, at, period.to);
    const std::size_t ahead = period.to - at;
    const std::span<const double> past(days.data(), at);
    const auto runRate = alerts::runRate(past.subspan(period.from), ahead);
    const auto naive = alerts::seasonalNaive(past, ahead);
    if (rest.known == 0 || !runRate || !naive)
        return;
    // Forecasts are of all days ahead.
    const double share = static_cast<double>(rest.known) / static_cast<double>(ahead);
    const auto missed = [&](double forecast) { return std::abs(forecast * share - rest.sum) / whole; };
    const auto ours = alerts::forecastAhead(past, ahead, others);
    ++out.trials;
    out.runRate += missed(*runRate);
    out.seasonalNaive += missed(*naive);
    out.ours += missed(ours ? ours->sum : *runRate);
    if (!ours)
        return;
    constexpr double kRounding = 1e-9;
    ++out.withBand;
    out.halfBand += ours->error * share / whole;
    out.within += missed(ours->sum) <= ours->error * share / whole + kRounding ? 1 : 0;
}

// By the day on which is asked.
Others missedBefore(const std::vector<CostSeries> &company, std::size_t at, std::size_t end)
{
    std::vector<Values> pasts;
    for (const CostSeries &series : company)
        pasts.emplace_back(series.days.begin(), series.days.begin() + static_cast<std::ptrdiff_t>(at));
    return alerts::missedByAll(pasts, end - at);
}

void tryPeriod(ForecastTrial &out, const CostSeries &series, const SeriesPeriod &period,
               const std::map<std::size_t, Others> &others)
{
    const std::size_t length = period.to - period.from;
    const KnownSum truth = knownSum(series.days, period.from, period.to);
    if (!(truth.sum > 0) || kMostUnknown * (length - truth.known) > length)
        return;
    ++out.periods;
    for (const auto &[at, missed] : others)
        tryAt(out, series.days, period, at, truth.sum, missed);
}

} // namespace

std::vector<SeriesPeriod> wholeMonths(const CostSeries &series)
{
    std::vector<SeriesPeriod> out;
    const std::int32_t first = series.first.number, end = first + static_cast<std::int32_t>(series.days.size());
    for (Period month = Period::around(PeriodKind::Month, series.first); month.end.number <= end;
         month = month.after()) {
        if (month.begin.number >= first)
            out.push_back({static_cast<std::size_t>(month.begin.number - first),
                           static_cast<std::size_t>(month.end.number - first)});
    }
    return out;
}

void ForecastTrial::add(const ForecastTrial &other)
{
    series += other.series;
    periods += other.periods;
    trials += other.trials;
    withBand += other.withBand;
    within += other.within;
    ours += other.ours;
    runRate += other.runRate;
    seasonalNaive += other.seasonalNaive;
    halfBand += other.halfBand;
}

double ForecastTrial::withinShare() const
{
    return withBand > 0 ? static_cast<double>(within) / static_cast<double>(withBand) : 0;
}

std::string ForecastTrial::text() const
{
    char line[256];
    std::snprintf(line, sizeof line,
                  "%zu trials (%zu series, %zu periods): error %.2f %%, straight run rate %.2f %%, seasonal naive "
                  "%.2f %%; %zu of %zu within the 80 %% interval, of which a half is %.2f %%",
                  trials, series, periods, 100 * meanOf(ours), 100 * meanOf(runRate), 100 * meanOf(seasonalNaive),
                  within, withBand, withBand > 0 ? 100 * halfBand / static_cast<double>(withBand) : 0.0);
    return line;
}

ForecastTrial rollForecasts(const CostSeries &series, const std::vector<SeriesPeriod> &periods)
{
    return rollCompany({series}, periods);
}

ForecastTrial rollCompany(const std::vector<CostSeries> &company, const std::vector<SeriesPeriod> &periods)
{
    std::vector<ForecastTrial> each(company.size());
    for (const SeriesPeriod &period : periods) {
        std::map<std::size_t, Others> others;
        for (std::size_t day = kFirstAsked; day <= kLastAsked && period.from + day < period.to; day += kAskedEvery)
            others[period.from + day] = missedBefore(company, period.from + day, period.to);
        for (std::size_t i = 0; i < company.size(); ++i)
            tryPeriod(each[i], company[i], period, others);
    }
    ForecastTrial out;
    for (ForecastTrial &one : each) {
        one.series = one.trials > 0 ? 1 : 0;
        out.add(one);
    }
    return out;
}

} // namespace gpuledger::tests
