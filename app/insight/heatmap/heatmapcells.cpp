// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/heatmap/heatmapcells.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gpuledger::insight {

using store::Measure;

namespace {

// An amount, or std::nullopt if no time was paid for or none of it has a price.
std::optional<double> money(const MeasureSums &sums, std::int64_t nanos)
{
    const base::GpuTime paid = sums.time().paid();
    if (paid.ticks == 0 || sums[Measure::UnpricedTicks] >= paid.ticks)
        return std::nullopt;
    return static_cast<double>(nanos) / base::Money::kNanosPerUnit;
}

} // namespace

std::vector<Measure> measuresFor(Metric metric)
{
    std::vector<Measure> list{Measure::ActiveTicks,         Measure::IdleTicks,           Measure::UnallocatedTicks,
                              Measure::UnobservedHeldTicks, Measure::UnobservedFreeTicks, Measure::CostIdle,
                              Measure::CostUnallocated,     Measure::UnpricedTicks};
    const auto with = [&](std::initializer_list<Measure> more) { list.insert(list.end(), more); };
    switch (metric) {
    case Metric::Utilization:
    case Metric::Effective:
        with({Measure::ActivityTicks});
        break;
    case Metric::SmActive:
        with({Measure::SmActivityTicks, Measure::SmObservedTicks});
        break;
    case Metric::TensorActive:
        with({Measure::TensorActivityTicks, Measure::TensorObservedTicks});
        break;
    case Metric::Memory:
        with({Measure::MemoryShareTicks, Measure::MemoryObservedTicks});
        break;
    case Metric::Power:
        with({Measure::PowerWattTicks, Measure::PowerObservedTicks});
        break;
    case Metric::Cost:
        with({Measure::CostActive, Measure::CostUnobservedHeld, Measure::CostUnobservedFree});
        break;
    case Metric::Allocation:
    case Metric::IdleCost:
    case Metric::Coverage:
        break;
    }
    return list;
}

MeasureSlots::MeasureSlots(Metric metric)
{
    m_slots.fill(kUnused);
    for (const Measure m : measuresFor(metric)) {
        int &slot = m_slots[static_cast<std::size_t>(m)];
        if (slot == kUnused)
            slot = static_cast<int>(m_count++);
    }
}

MeasureSums MeasureSlots::sums(const std::int64_t *cell) const
{
    MeasureSums sums;
    for (std::size_t m = 0; m < m_slots.size(); ++m) {
        if (m_slots[m] != kUnused)
            sums.values[m] = cell[m_slots[m]];
    }
    return sums;
}

std::optional<double> valueOf(Metric metric, const MeasureSums &sums)
{
    switch (metric) {
    case Metric::Utilization:
        return sums.utilization();
    case Metric::SmActive:
        return sums.ratio(Measure::SmActivityTicks, Measure::SmObservedTicks);
    case Metric::TensorActive:
        return sums.ratio(Measure::TensorActivityTicks, Measure::TensorObservedTicks);
    case Metric::Memory:
        return sums.ratio(Measure::MemoryShareTicks, Measure::MemoryObservedTicks);
    case Metric::Power:
        return sums.ratio(Measure::PowerWattTicks, Measure::PowerObservedTicks);
    case Metric::Allocation:
        return sums.coverage().value_or(0) > 0 || sums.time().held().ticks > 0 ? sums.allocation() : std::nullopt;
    case Metric::Effective: {
        const auto utilization = sums.utilization(), allocation = sums.allocation();
        return utilization && allocation ? std::optional(*utilization * *allocation) : std::nullopt;
    }
    case Metric::IdleCost:
        // Where none of the idle time has a price, its cost is unknown, not zero.
        if (sums[Measure::CostIdle] == 0 && sums.time().idle.ticks > 0 && sums[Measure::UnpricedTicks] > 0)
            return std::nullopt;
        return sums.coverage().value_or(0) > 0 ? money(sums, sums[Measure::CostIdle]) : std::nullopt;
    case Metric::Cost:
        return money(sums, sums.cost().total());
    case Metric::Coverage:
        return sums.coverage();
    }
    return std::nullopt;
}

HeatmapCell cellOf(Metric metric, const MeasureSums &sums, const CellTime &of)
{
    const TimeByState time = sums.time();
    const base::GpuTime seen = time.paid() - time.unobserved();
    const auto share = [&](base::GpuTime missing) -> std::optional<double> {
        const std::int64_t all = (time.paid() + missing).ticks;
        return all > 0 ? std::optional(static_cast<double>(seen.ticks) / static_cast<double>(all)) : std::nullopt;
    };
    HeatmapCell cell{valueOf(metric, sums), time.held().hours(),  share(of.notSynced), sums[Measure::CostIdle],
                     time.paid().hours(),   of.notSynced.hours(), share(of.notFetched)};
    cell.unallocatedCostNanos = sums[Measure::CostUnallocated];
    if (cell.known)
        *cell.known *= of.inRange;
    if (metric == Metric::Coverage)
        cell.value = cell.observed;
    return cell;
}

Heatmap emptyHeatmap(const HeatmapQuery &query, base::Currency currency)
{
    Heatmap out;
    out.metric = query.metric;
    out.unit = unitOf(query.metric, currency);
    out.timeZone = query.zone.name();
    out.binning = query.bins;
    out.currency = currency;
    out.cost = query.query.cost;
    return out;
}

std::vector<std::size_t> rowOrder(const std::vector<HeatmapRow> &rows, const std::vector<std::int64_t> &idleTicks)
{
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0);
    const auto rank = [&](std::size_t i) {
        return std::tuple(-rows[i].overall.idleCostNanos, -idleTicks[i], std::string_view(rows[i].key));
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    return order;
}

} // namespace gpuledger::insight
