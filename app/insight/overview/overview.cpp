// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/overview/overview.h"

#include "app/insight/heatmap/heatmap.h"
#include "app/insight/heatmap/heatmapbins.h"
#include "app/insight/spend/rategroups.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gpuledger::insight {

using store::Measure;

namespace {

constexpr std::size_t kMovers = 5;
// The team, then the dimensions that a rate depends on.
const std::vector<Dimension> &dimensions()
{
    static const std::vector<Dimension> kBy = [] {
        std::vector<Dimension> list{Dimension::Team};
        list.insert(list.end(), rateDimensions().begin(), rateDimensions().end());
        return list;
    }();
    return kBy;
}

const std::vector<Measure> &measures()
{
    static const std::vector<Measure> kNeeded{Measure::ActiveTicks,         Measure::IdleTicks,
                                              Measure::UnallocatedTicks,    Measure::UnobservedHeldTicks,
                                              Measure::UnobservedFreeTicks, Measure::ActivityTicks,
                                              Measure::CostActive,          Measure::CostIdle,
                                              Measure::CostUnallocated,     Measure::CostUnobservedHeld,
                                              Measure::CostUnobservedFree,  Measure::UnpricedTicks};
    return kNeeded;
}

// One period, summed for every query of the page.
struct Period {
    MeasureSums total;
    std::map<std::string, MeasureSums> teams;
    RateSums rates;
    std::map<std::string, RateSums> teamRates;
    std::vector<MeasureSums> days;
    std::map<std::string, std::vector<MeasureSums>> teamDays;
};

base::Result<Period> read(store::CubeReader &cube, store::AttributionReader &facts, const Query &query,
                          const BinTable &days)
{
    std::vector<CellKey> keys;
    const std::size_t width = days.labels().size();
    std::vector<MeasureSums> cells; // keys x days
    GPULEDGER_TRY(visitCells(cube, facts, query, dimensions(), measures(), keys,
                             [&](std::size_t key, base::Day day, int cell, Measure measure, std::int64_t amount) {
                                 if ((key + 1) * width > cells.size())
                                     cells.resize((key + 1) * width);
                                 cells[key * width + days.binOf(day, cell)][measure] += amount;
                             }));
    Period out;
    out.days.resize(width);
    for (std::size_t k = 0; width > 0 && k < cells.size() / width; ++k) {
        MeasureSums whole;
        std::vector<MeasureSums> &perDay = out.teamDays[keys[k].front()];
        perDay.resize(width);
        for (std::size_t d = 0; d < width; ++d) {
            const MeasureSums &sums = cells[k * width + d];
            whole += sums;
            perDay[d] += sums;
            out.days[d] += sums;
        }
        out.total += whole;
        out.teams[keys[k].front()] += whole;
        const CellKey rate(keys[k].begin() + 1, keys[k].end());
        out.rates[rate] += whole;
        out.teamRates[keys[k].front()][rate] += whole;
    }
    return out;
}

CostChange changeOf(const RateSums &before, const RateSums &after)
{
    return explainChange(costGroups(before, after));
}

// std::nullopt if time was paid for and none of it has a price; zero if nothing was paid for.
std::optional<std::int64_t> knownCost(const MeasureSums &sums)
{
    if (sums.time().paid().ticks > 0 && pricedTicks(sums) == 0)
        return std::nullopt;
    return sums.cost().total();
}

void addDays(Overview &out, const Period &now, const BinTable &bins, const base::TimeZone &zone)
{
    std::int32_t day = out.range.empty() ? 0 : zone.localDay(out.range.start);
    for (std::size_t d = 0; d < now.days.size(); ++d, ++day) {
        const bool whole =
            zone.startOfLocalDay(day) >= out.range.start && zone.startOfLocalDay(day + 1) <= out.range.end;
        out.days.push_back({day, rowOf(bins.labels()[d], now.days[d]), whole});
    }
}

void addTeams(Overview &out, const Period &now, const std::optional<Period> &before)
{
    std::map<std::string, OverviewTeam> rows;
    for (const auto &[team, sums] : now.teams) {
        OverviewTeam &row = rows[team];
        row.now = rowOf(team, sums);
        for (const MeasureSums &day : now.teamDays.at(team))
            row.daily.push_back(knownCost(day));
    }
    if (before) {
        for (const auto &[team, sums] : before->teams) {
            OverviewTeam &row = rows[team];
            if (row.daily.empty()) { // it has no cost in the current period
                row.now.key = team;
                row.daily.assign(now.days.size(), 0);
            }
            row.before = rowOf(team, sums);
        }
    }
    for (auto &[team, row] : rows) {
        if (before) {
            const auto ratesOf = [&team = team](const Period &period) -> RateSums {
                const auto found = period.teamRates.find(team);
                return found == period.teamRates.end() ? RateSums() : found->second;
            };
            row.change = changeOf(ratesOf(*before), ratesOf(now));
        }
        if (row.now.time.paid().ticks > 0 || (row.before && row.before->time.paid().ticks > 0))
            out.teams.push_back(std::move(row));
    }
    std::sort(out.teams.begin(), out.teams.end(), [](const OverviewTeam &a, const OverviewTeam &b) {
        return std::tuple(-a.now.cost.total(), std::string_view(a.now.key))
            < std::tuple(-b.now.cost.total(), std::string_view(b.now.key));
    });
}

void addMovers(Overview &out)
{
    const auto moved = [&](std::size_t i) {
        const OverviewTeam &team = out.teams[i];
        return std::abs(team.now.cost.total() - (team.before ? team.before->cost.total() : 0));
    };
    for (std::size_t i = 0; i < out.teams.size(); ++i) {
        if (moved(i) != 0)
            out.movers.push_back(i);
    }
    std::stable_sort(out.movers.begin(), out.movers.end(),
                     [&](std::size_t a, std::size_t b) { return moved(a) > moved(b); });
    out.movers.resize(std::min(out.movers.size(), kMovers));
}

void addNotSynced(Overview &out, const std::vector<ExpectedTime> &expected, const base::TimeZone &zone)
{
    for (const auto &[key, time] : notSyncedBy(expected)) {
        insight::addNotSynced(out.total, time);
        for (OverviewTeam &team : out.teams) {
            if (team.now.key == key)
                insight::addNotSynced(team.now, time);
        }
    }
    for (std::size_t d = 0; d < out.days.size(); ++d) {
        OverviewDay &day = out.days[d];
        const base::TimeRange whole{zone.startOfLocalDay(day.localDay), zone.startOfLocalDay(day.localDay + 1)};
        for (const ExpectedTime &one : expected) {
            const base::Seconds missing = one.missing.intersect(whole).length();
            for (const auto &[key, perCell] : one.perCell) {
                insight::addNotSynced(day.sums, expectedOver(perCell, missing));
                for (OverviewTeam &team : out.teams) { // a partial day is not a drop
                    if (team.now.key == key && missing.count() > 0)
                        team.daily[d].reset();
                }
            }
        }
    }
}

// Decides whether both periods were fetched well enough to compare them.
Comparison compare(const OverviewQuery &query, const Reach &now, const Reach &before)
{
    using State = Comparison::State;
    if (query.previous.empty())
        return {};
    const double then = before.fetched(query.query.filter).value_or(1);
    if (then < kCoverageShownBelow)
        return {then > 0 ? State::PartBefore : State::NothingBefore, then};
    const double here = now.fetched(query.query.filter).value_or(1);
    return here < kCoverageShownBelow ? Comparison{State::PartNow, here} : Comparison{State::Made, then};
}

} // namespace

base::Result<Overview> overview(store::CubeReader &cube, store::AttributionReader &facts, const OverviewQuery &query,
                                base::Currency currency, const Reach &reach, const Reach &before)
{
    Overview out;
    out.range = wholeCells(query.query.range);
    out.previous = wholeCells(query.previous);
    out.currency = currency;
    auto days = BinTable::make(Bins::Day, out.range, query.zone);
    GPULEDGER_TRY(days);
    auto now = read(cube, facts, {out.range, query.query.filter}, *days);
    GPULEDGER_TRY(now);
    out.reach = reach;
    out.comparison = compare(query, reach, before);
    std::optional<Period> then;
    if (out.comparison.state == Comparison::State::Made) {
        auto earlier = BinTable::make(Bins::Day, out.previous, query.zone);
        GPULEDGER_TRY(earlier);
        auto period = read(cube, facts, {out.previous, query.query.filter}, *earlier);
        GPULEDGER_TRY(period);
        then = std::move(*period);
        out.before = rowOf("total", then->total);
        out.change = changeOf(then->rates, now->rates);
    }
    out.total = rowOf("total", now->total);
    addDays(out, *now, *days, query.zone);
    addTeams(out, *now, then);
    const auto expected = expectedTime(cube, facts, reach, query.query.filter, Dimension::Team);
    GPULEDGER_TRY(expected);
    addNotSynced(out, *expected, query.zone);
    if (then)
        addMovers(out);
    return out;
}

} // namespace gpuledger::insight
