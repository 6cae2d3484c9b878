// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/scopeseries.h"

#include "app/insight/query/measuresums.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

namespace gpuledger::services {

using base::Result;
using insight::MeasureSums;
using store::Measure;

namespace {

constexpr double kLeastFetched = 0.9, kMostUnpriced = 0.05;

const std::vector<Measure> &seriesMeasures()
{
    static const std::vector<Measure> kNeeded{Measure::ActiveTicks,
                                              Measure::IdleTicks,
                                              Measure::UnallocatedTicks,
                                              Measure::UnobservedHeldTicks,
                                              Measure::UnobservedFreeTicks,
                                              Measure::CostActive,
                                              Measure::CostIdle,
                                              Measure::CostUnallocated,
                                              Measure::CostUnobservedHeld,
                                              Measure::CostUnobservedFree,
                                              Measure::UnpricedTicks};
    return kNeeded;
}

// The part of the paid time that has a price; std::nullopt: nothing was paid for.
std::optional<double> pricedShare(const MeasureSums &day)
{
    const std::int64_t paid = day.time().paid().ticks;
    if (paid == 0)
        return std::nullopt;
    return static_cast<double>(paid - day[Measure::UnpricedTicks]) / static_cast<double>(paid);
}

double medianShare(const std::vector<MeasureSums> &days)
{
    std::vector<double> shares;
    for (const MeasureSums &day : days) {
        if (const auto share = pricedShare(day); share && *share > 0)
            shares.push_back(*share);
    }
    if (shares.empty())
        return 1;
    const auto middle = shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2);
    std::nth_element(shares.begin(), middle, shares.end());
    return *middle;
}

// Which days have a price as usual.
std::vector<char> pricedDays(const std::vector<MeasureSums> &days)
{
    const double usual = medianShare(days);
    std::vector<char> out;
    for (const MeasureSums &day : days) {
        const auto share = pricedShare(day);
        out.push_back(!share || (*share > 0 && *share >= usual - kMostUnpriced) ? 1 : 0);
    }
    return out;
}

// `days` may end with a part of a day, of which `part` is the share. `priced`: the days on which all scopes together
// have a price as usual; on these, a scope with a lower share has other devices, and no bill is missing.
alerts::ForecastQuestion questionOf(base::Day first, const std::vector<MeasureSums> &days,
                                    const std::vector<char> &known, const std::vector<char> &priced, double part,
                                    base::Currency currency)
{
    alerts::ForecastQuestion out;
    out.currency = currency;
    out.past.first = first;
    const std::vector<char> own = pricedDays(days);
    for (std::size_t i = 0; i < days.size(); ++i) {
        const auto share = pricedShare(days[i]);
        const bool isKnown = known[i] != 0 && (own[i] != 0 || (priced[i] != 0 && *share > 0));
        const bool isPart = part > 0 && i + 1 == days.size();
        if (isPart && isKnown)
            out.today = alerts::PartDay{days[i].cost().total(), part};
        else if (!isPart) {
            out.past.days.push_back(isKnown ? std::optional(days[i].cost().total()) : std::nullopt);
            out.past.partly.push_back(days[i].cost().total());
        }
    }
    return out;
}

} // namespace

bool isDayFetched(base::Day day, base::UtcTime end, const std::vector<store::FetchedRanges> &fetched)
{
    return std::all_of(fetched.begin(), fetched.end(), [&](const store::FetchedRanges &source) {
        if (source.ranges.empty() || day.start() < source.ranges.front().start)
            return true;
        return source.shareOf({day.start(), std::min(day.end(), end)}) >= kLeastFetched;
    });
}

Result<ScopeSeries> scopeSeriesOf(store::CubeReader &cube, store::AttributionReader &facts,
                                  const insight::Filter &filter, const insight::Dimension &by, base::Day from,
                                  base::TimeRange data, const std::vector<store::FetchedRanges> &fetched,
                                  base::Currency currency)
{
    const base::TimeRange range{from.start(), base::floorTo(data.end, base::kCell)};
    ScopeSeries out;
    out.total.currency = currency;
    out.total.past.first = from;
    if (range.empty())
        return out;
    const base::Day last = base::dayOf(range.end - base::Seconds{1});
    const auto width = static_cast<std::size_t>(last.number - from.number) + 1;
    std::vector<insight::CellKey> keys;
    std::vector<std::vector<MeasureSums>> sums;
    std::vector<MeasureSums> all(width);
    GPULEDGER_TRY(insight::visitRows(
        cube, facts, {range, filter}, {by}, seriesMeasures(), keys,
        [&](std::size_t key, base::Day day, int, Measure measure, std::span<const std::int64_t> amounts) {
            const auto at = static_cast<std::size_t>(day.number - from.number);
            if (key >= sums.size())
                sums.resize(key + 1, std::vector<MeasureSums>(width));
            const std::int64_t amount = std::accumulate(amounts.begin(), amounts.end(), std::int64_t{0});
            sums[key][at][measure] += amount;
            all[at][measure] += amount;
        }));
    std::vector<char> known;
    for (base::Day day = from; day <= last; ++day.number)
        known.push_back(isDayFetched(day, range.end, fetched) ? 1 : 0);
    const double part = range.end == last.end()
        ? 0
        : static_cast<double>((range.end - last.start()).count()) / static_cast<double>(base::kDay.count());
    const std::vector<char> priced = pricedDays(all);
    for (std::size_t k = 0; k < sums.size(); ++k)
        out.scopes.emplace(keys[k].front(), questionOf(from, sums[k], known, priced, part, currency));
    out.total = questionOf(from, all, known, priced, part, currency);
    return out;
}

} // namespace gpuledger::services
