// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/heatmap/heatmapcard.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace gpuledger::ui {

using insight::Heatmap;
using insight::HeatmapCell;
using insight::HeatmapRow;
using insight::Metric;
using widgets::HeatmapData;

namespace {

class HeatmapCard {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::HeatmapAdapter)
public:
    explicit HeatmapCard(const HeatmapValues &values)
        : m_values(values)
        , m_map(values.map())
    {
    }

    std::vector<HeatmapData::Line> cell(const HeatmapRow &row, std::size_t column)
    {
        const HeatmapCell &cell = row.cells[column];
        addValue(row, column);
        add(tr("Held"), LocalText::gpuHours(cell.heldHours));
        add(tr("Paid for"), LocalText::gpuHours(cell.paidHours));
        if (cell.notSyncedHours > 0)
            add(tr("Not fetched yet"), LocalText::gpuHours(cell.notSyncedHours));
        if (cell.isPartial() && cell.known.value_or(0) > 0)
            add(tr("Observed in part"), tr("%1 of this time").arg(LocalText::percent(*cell.known)), true);
        else if (cell.observed)
            add(tr("Observed"), LocalText::percent(*cell.observed, *cell.observed < 1 ? 1 : 0));
        if (m_map.metric != Metric::IdleCost && cell.observed.value_or(0) > 0)
            m_values.isUnallocated(row) ? add(tr("Cost of unallocated time"), money(cell.unallocatedCostNanos))
                                        : add(tr("Idle cost"), money(cell.idleCostNanos));
        return std::move(m_lines);
    }

    // A packed cell provides only its value, and whether it covers all of its time.
    std::vector<HeatmapData::Line> packed(std::size_t row, std::size_t column)
    {
        const std::size_t index = row * m_map.bins.size() + column;
        const auto value = m_map.packed.value(index);
        const QString missing = std::isinf(m_map.packed.values[index]) ? tr("nothing held") : tr("not observed");
        add(LocalText::metricName(m_map.metric), value ? text(*value * (m_map.unit == "share" ? 100 : 1)) : missing,
            true);
        const double known = index < m_map.packed.known.size() ? m_map.packed.known[index] / 100.0 : 1;
        if (known > 0 && known < insight::kCoverageShownBelow)
            add(tr("Observed in part"), tr("%1 of this time").arg(LocalText::percent(known, 0)), true);
        return std::move(m_lines);
    }

private:
    void add(const QString &label, const QString &value, bool isStrong = false)
    {
        m_lines.push_back({label, value, isStrong});
    }
    QString text(double value) const { return heatmapValueText(m_map.metric, m_map.currency, value); }
    QString money(std::int64_t nanos) const { return LocalText::money(units(nanos), codeOf(m_map.currency)); }

    void addValue(const HeatmapRow &row, std::size_t column)
    {
        const bool isFree = m_map.metric == Metric::IdleCost && m_values.isUnallocated(row);
        const QString name = isFree ? tr("Cost of unallocated time") : LocalText::metricName(m_map.metric);
        const auto value = m_values.ofCell(row, column);
        if (!value)
            return add(name, isBlankCell(row.cells[column]) ? tr("nothing held") : tr("not observed"), true);
        if (!m_values.isPerHour())
            return add(name, text(*value), true);
        add(tr("%1, mean per hour", "metric").arg(name), text(*value), true);
        const double hours = m_values.hours(column);
        const QString length = QLocale().toString(hours, 'f', std::floor(hours) == hours ? 0 : 2);
        add(tr("Sum of %1 h", "of a cell: a number of hours").arg(length), text(*m_values.sumOfCell(row, column)));
    }

    const HeatmapValues &m_values;
    const Heatmap &m_map;
    std::vector<HeatmapData::Line> m_lines;
};

} // namespace

QString heatmapValueText(Metric metric, base::Currency currency, double value)
{
    switch (metric) {
    case Metric::Power:
        return LocalText::watts(value);
    case Metric::IdleCost:
    case Metric::Cost:
        return LocalText::money(value, codeOf(currency));
    default:
        return LocalText::percent(value / 100);
    }
}

// An owner that held nothing at that time has nothing to be measured.
bool isBlankCell(const HeatmapCell &cell)
{
    return !cell.value && cell.heldHours <= 0 && (cell.observed ? *cell.observed > 0 : cell.paidHours <= 0);
}

std::vector<HeatmapData::Line> heatmapCard(const HeatmapValues &values, std::size_t row, int column)
{
    const Heatmap &map = values.map();
    if (row >= map.rows.size() || column < 0 || static_cast<std::size_t>(column) >= map.bins.size())
        return {};
    const auto at = static_cast<std::size_t>(column);
    if (values.isPacked())
        return HeatmapCard(values).packed(row, at);
    return at < map.rows[row].cells.size() ? HeatmapCard(values).cell(map.rows[row], at)
                                           : std::vector<HeatmapData::Line>();
}

} // namespace gpuledger::ui
