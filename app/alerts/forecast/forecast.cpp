// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/forecast/forecast.h"

#include "app/alerts/forecast/backtest.h"
#include "app/alerts/forecast/baselines.h"
#include "app/base/money/widemoney.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::alerts {

using base::Money;
using base::Result;

namespace {

constexpr double kNanos = Money::kNanosPerUnit;
constexpr int kJudgedMonths = 3;
constexpr double kP80OfBand = 0.8416 / 1.2816; // quantiles of the normal distribution at 0.8 and 0.9
constexpr double kDeviationsOfBand = 1.2816; // in half of an 80 % interval

Result<Money> moneyOf(double units, base::Currency currency)
{
    const double nanos = units * kNanos;
    if (!(std::abs(nanos) < 9.2e18))
        return base::fail(base::ErrorCode::Overflow, "a forecast does not fit into an amount of money");
    return Money(std::llround(nanos), currency);
}

// In units, and completed where a day used to grow.
Values valuesOf(const ForecastQuestion &question)
{
    Values values;
    for (const auto &day : question.past.days)
        values.push_back(day ? static_cast<double>(*day) / kNanos : kUnknownDay);
    for (const OpenBillDay &open : question.open) {
        if (!open.has || !question.past.on(open.day))
            continue;
        double &value = values[static_cast<std::size_t>(open.day.number - question.past.first.number)];
        value = open.has->share > 0 ? value / open.has->share : kUnknownDay;
    }
    return values;
}

// Counts the open days of the period, and adds up how far those that are completed may be off: as if all shared one
// error. In units, a standard deviation.
double addOpenDays(PeriodForecast &out, const ForecastQuestion &question, const Values &values)
{
    double spread = 0;
    for (const OpenBillDay &open : question.open) {
        if (open.day < out.period.begin || out.period.end <= open.day || !question.past.on(open.day))
            continue;
        if (!open.has) {
            ++out.openDays;
        } else if (open.has->share > 0) {
            out.completedDays += open.has->isWhole() ? 0 : 1;
            const double value = values[static_cast<std::size_t>(open.day.number - question.past.first.number)];
            spread += std::abs(value) * open.has->spread / open.has->share;
        }
    }
    return spread;
}

// For an unknown day: the mean of the nearest known days of its weekday, before and after it; else of all known days.
std::optional<double> estimateOf(const Values &values, std::size_t day)
{
    double sum = 0;
    int found = 0;
    for (std::size_t i = day; i >= kWeek;) {
        i -= kWeek;
        if (!std::isnan(values[i])) {
            sum += values[i];
            ++found;
            break;
        }
    }
    for (std::size_t i = day + kWeek; i < values.size(); i += kWeek) {
        if (!std::isnan(values[i])) {
            sum += values[i];
            ++found;
            break;
        }
    }
    return found > 0 ? std::optional(sum / found) : runRate(values, 1);
}

// The sum of days from..to of the past, with estimates for those that are unknown.
struct PastSum {
    double sum = 0;
    std::size_t unknown = 0;
};
PastSum sumOf(const Values &values, std::size_t from, std::size_t to)
{
    PastSum out;
    Values usual;
    for (std::size_t i = from; i < to; ++i) {
        const bool known = !std::isnan(values[i]);
        if (!known && usual.empty())
            usual = withoutOneOffs(values);
        out.sum += known ? values[i] : estimateOf(usual, i).value_or(0);
        out.unknown += known ? 0 : 1;
    }
    return out;
}

struct Rest {
    ForecastMethod method = ForecastMethod::None;
    Values days; // after the past
    double error = 0;
};

// `from`: where the period begins in the past.
Rest restOf(std::span<const double> past, std::size_t from, std::size_t daysAhead,
            const std::optional<OthersMissed> &others, AheadParts parts, FitMemo *memo)
{
    if (const auto ahead = forecastAhead(past, daysAhead, others, parts, memo))
        return {ForecastMethod::Weekly, ahead->days, ahead->error};
    auto perDay = runRate(past.subspan(from), 1);
    if (!perDay)
        perDay = runRate(past, 1);
    if (!perDay)
        return {};
    return {ForecastMethod::RunRate, Values(daysAhead, *perDay), 0};
}

// The index of a day in the past; at most its size.
std::size_t indexOf(const DailySeries &past, base::Day day)
{
    return static_cast<std::size_t>(
        std::clamp(day.number - past.first.number, 0, static_cast<std::int32_t>(past.days.size())));
}

// The relative error of a month, asked `offset` days after its begin.
std::optional<double> errorOf(const Values &values, const DailySeries &past, const Period &month, std::size_t offset)
{
    if (month.begin < past.first || past.end() < month.end)
        return std::nullopt;
    const std::size_t begin = indexOf(past, month.begin), end = indexOf(past, month.end);
    const std::size_t at = std::min(begin + offset, end - 1);
    const PastSum truth = sumOf(values, begin, end);
    if (10 * truth.unknown > month.days() || !(std::abs(truth.sum) > 0))
        return std::nullopt;
    const Values known(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at));
    const auto ahead = forecastAhead(known, end - at, std::nullopt, AheadParts::Sum);
    if (!ahead)
        return std::nullopt;
    return std::abs(sumOf(known, begin, at).sum + ahead->sum - truth.sum) / std::abs(truth.sum);
}

void addErrors(PeriodForecast &out, const Values &values, const DailySeries &past)
{
    Period month = Period::around(PeriodKind::Month, past.end());
    const auto offset = static_cast<std::size_t>(past.end().number - month.begin.number);
    double sum = 0;
    for (int i = 0; i < kJudgedMonths; ++i) {
        month = month.before();
        if (const auto error = errorOf(values, past, month, offset)) {
            sum += *error;
            ++out.errorMonths;
        }
    }
    if (out.errorMonths > 0)
        out.error = sum / static_cast<double>(out.errorMonths);
}

Result<Money> spentOf(const ForecastQuestion &question, const Period &period)
{
    base::WideMoney sum;
    for (base::Day day = period.begin; day < period.end; ++day.number) {
        if (const auto nanos = question.past.on(day))
            sum.add(*nanos);
        else if (const std::size_t at = indexOf(question.past, day);
                 question.past.first <= day && day < question.past.end() && at < question.past.partly.size())
            sum.add(question.past.partly[at]);
    }
    const base::Day today = question.past.end();
    if (question.today && period.begin <= today && today < period.end)
        sum.add(question.today->nanos);
    const auto total = sum.total();
    if (!total)
        return base::fail(base::ErrorCode::Overflow, "the spend of a period does not fit into an amount of money");
    return Money(*total, question.currency);
}

// The days ahead that lie in the period; of today only what is left.
double sumAhead(const ForecastQuestion &question, const Period &period, const Values &days)
{
    double sum = 0;
    const base::Day first = question.past.end();
    for (std::size_t k = 0; k < days.size(); ++k) {
        const base::Day day{first.number + static_cast<std::int32_t>(k)};
        if (day < period.begin)
            continue;
        const bool isPart = k == 0 && question.today;
        sum += isPart ? days[k] * (1 - question.today->share) : days[k];
    }
    return sum;
}

std::size_t daysUntilEnd(const DailySeries &past, const Period &period)
{
    return static_cast<std::size_t>(std::max(period.end.number - past.end().number, 0));
}

} // namespace

std::optional<std::int64_t> DailySeries::on(base::Day day) const
{
    if (day < first || end() <= day)
        return std::nullopt;
    return days[static_cast<std::size_t>(day.number - first.number)];
}

std::string_view toString(ForecastMethod method)
{
    switch (method) {
    case ForecastMethod::RunRate:
        return "run-rate";
    case ForecastMethod::Weekly:
        return "weekly";
    case ForecastMethod::None:
        break;
    }
    return "none";
}

Result<PeriodForecast> forecastPeriod(const ForecastQuestion &question, const Period &period, ForecastParts parts,
                                      FitMemo *memo)
{
    PeriodForecast out;
    out.period = period;
    const auto spent = spentOf(question, period);
    GPULEDGER_TRY(spent);
    out.spent = *spent;
    if (parts == ForecastParts::Spent)
        return out;
    const DailySeries &past = question.past;
    const Values values = valuesOf(question);
    const double openSpread = addOpenDays(out, question, values);
    const std::size_t begin = indexOf(past, period.begin), end = indexOf(past, period.end);
    // Days of the period before the first one of the series are over and unknown as well.
    const std::int32_t before = std::min(period.end, past.first).number - period.begin.number;
    const auto early = static_cast<std::size_t>(std::max(before, 0));
    const std::int32_t left = period.end.number - std::max(past.end(), period.begin).number;
    out.daysLeft = static_cast<std::size_t>(std::max(left, 0));
    const Rest rest = restOf(values, begin, daysUntilEnd(past, period), question.others,
                             parts == ForecastParts::All ? AheadParts::All : AheadParts::Sum, memo);
    out.method = rest.method;
    if (rest.method == ForecastMethod::Weekly && parts == ForecastParts::All)
        addErrors(out, values, past);
    const PastSum known = sumOf(values, begin, end);
    out.unknownDays = known.unknown + early;
    if (rest.method == ForecastMethod::None)
        return out;
    const double today = question.today && period.begin <= past.end() && past.end() < period.end
        ? static_cast<double>(question.today->nanos) / kNanos
        : 0;
    const double perDay = early > 0 ? runRate(values, 1).value_or(0) : 0;
    const double sum = known.sum + perDay * static_cast<double>(early) + today + sumAhead(question, period, rest.days);
    const auto expected = moneyOf(sum, question.currency);
    GPULEDGER_TRY(expected);
    out.expected = *expected;
    if (rest.method != ForecastMethod::Weekly || parts != ForecastParts::All)
        return out;
    const double error = std::hypot(rest.error, kDeviationsOfBand * openSpread);
    const auto low = moneyOf(sum - error, question.currency), high = moneyOf(sum + error, question.currency);
    GPULEDGER_TRY(low);
    GPULEDGER_TRY(high);
    const bool hasCredits =
        std::any_of(past.days.begin(), past.days.end(), [](const auto &day) { return day && *day < 0; });
    // What is spent stays spent, unless there are credits.
    out.low = hasCredits || low->nanos() > out.spent.nanos()
        ? *low
        : std::min(out.spent, *expected, [](auto &a, auto &b) { return a.nanos() < b.nanos(); });
    out.high = *high;
    return out;
}

std::optional<OthersMissed> missedBy(const std::vector<const ForecastQuestion *> &all, const Period &period)
{
    std::vector<Values> pasts;
    for (const ForecastQuestion *question : all)
        pasts.push_back(valuesOf(*question));
    return all.empty() ? std::nullopt : missedByAll(pasts, daysUntilEnd(all.front()->past, period));
}

Result<std::optional<Money>> suggestedBudget(const ForecastQuestion &question, const Period &period)
{
    const Period next = period.after();
    const Values values = valuesOf(question);
    const auto days = static_cast<std::size_t>(std::max(next.end.number - question.past.end().number, 1));
    const auto ahead = forecastAhead(values, days);
    if (!ahead)
        return std::nullopt;
    const double expected = sumAhead(question, next, ahead->days);
    const double band = ahead->error * static_cast<double>(next.days()) / static_cast<double>(days);
    const double p80 = std::ceil(expected + kP80OfBand * band - 1e-9);
    if (p80 <= 0)
        return std::nullopt;
    const auto amount = moneyOf(p80, question.currency);
    GPULEDGER_TRY(amount);
    return *amount;
}

} // namespace gpuledger::alerts
