// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/heatmap/heatmapvalues.h"

#include "ui/format/local/celltext.h"

#include <utility>

namespace gpuledger::ui {

using insight::Bins;
using insight::Dimension;
using insight::HeatmapCell;
using insight::HeatmapRow;
using insight::Metric;

bool isMoneyMetric(Metric metric)
{
    return metric == Metric::IdleCost || metric == Metric::Cost;
}

HeatmapValues::HeatmapValues(std::shared_ptr<const insight::Heatmap> heatmap, Dimension by)
    : m_heatmap(std::move(heatmap))
    , m_by(std::move(by))
{
}

bool HeatmapValues::isMoney() const
{
    return isMoneyMetric(metric());
}

bool HeatmapValues::isShare() const
{
    return !isMoney() && metric() != Metric::Power;
}

bool HeatmapValues::isPerHour() const
{
    const bool repeats = m_heatmap->binning == Bins::HourOfWeek || m_heatmap->binning == Bins::HourOfDay;
    return isMoney() && repeats && m_heatmap->lengths.size() == m_heatmap->bins.size();
}

bool HeatmapValues::isUnallocated(const HeatmapRow &row) const
{
    const bool hasHolders = m_by == Dimension::Team || m_by == Dimension::Workload || m_by == Dimension::WorkloadKind;
    return hasHolders && !isPacked() && row.overall.heldHours <= 0 && row.overall.unallocatedCostNanos > 0;
}

double HeatmapValues::waste(const HeatmapRow &row) const
{
    return units(isUnallocated(row) ? row.overall.unallocatedCostNanos : row.overall.idleCostNanos);
}

std::optional<double> HeatmapValues::of(const HeatmapRow *row, const HeatmapCell &cell) const
{
    if (!cell.value)
        return std::nullopt;
    if (row && metric() == Metric::IdleCost && isUnallocated(*row))
        return units(cell.unallocatedCostNanos);
    return *cell.value * (m_heatmap->unit == "share" ? 100 : 1);
}

std::optional<double> HeatmapValues::perHour(std::optional<double> sum, std::size_t column) const
{
    if (!sum || !isPerHour())
        return sum;
    return hours(column) > 0 ? std::optional(*sum / hours(column)) : std::nullopt;
}

std::optional<double> HeatmapValues::ofColumn(std::size_t column) const
{
    return perHour(of(nullptr, m_heatmap->columns[column]), column);
}

std::optional<double> HeatmapValues::ofCell(const HeatmapRow &row, std::size_t column) const
{
    return perHour(sumOfCell(row, column), column);
}

std::optional<double> HeatmapValues::ofRow(const HeatmapRow &row) const
{
    return of(&row, row.overall);
}

std::optional<double> HeatmapValues::sumOfCell(const HeatmapRow &row, std::size_t column) const
{
    return of(&row, row.cells[column]);
}

double HeatmapValues::hours(std::size_t column) const
{
    constexpr double kHour = 3600;
    return column < m_heatmap->lengths.size() ? static_cast<double>(m_heatmap->lengths[column].count()) / kHour : 0;
}

} // namespace gpuledger::ui
