// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap/heatmap.h"

#include <memory>
#include <optional>

namespace gpuledger::ui {

// The figures of a heat map as the window shows them: percentages instead of shares, and money per hour where a column
// stands for several hours, because not every hour of the week occurs equally often. Immutable; any thread.
class HeatmapValues {
public:
    HeatmapValues(std::shared_ptr<const insight::Heatmap> heatmap, insight::Dimension by);

    const insight::Heatmap &map() const { return *m_heatmap; }
    const std::shared_ptr<const insight::Heatmap> &shared() const { return m_heatmap; }
    insight::Metric metric() const { return m_heatmap->metric; }
    bool isMoney() const;
    bool isShare() const;
    bool isPacked() const { return !m_heatmap->packed.empty(); }
    // The cells show the mean cost of an hour.
    bool isPerHour() const;

    // A row of time that nothing held. It has no idle cost; that of the unallocated time is shown in its place.
    bool isUnallocated(const insight::HeatmapRow &row) const;
    // The cost that a row wastes, in currency units.
    double waste(const insight::HeatmapRow &row) const;

    // In percent, watts or currency units; std::nullopt: none. Of a column of all rows, of a cell, of a whole row, and
    // of a cell's whole time.
    std::optional<double> ofColumn(std::size_t column) const;
    std::optional<double> ofCell(const insight::HeatmapRow &row, std::size_t column) const;
    std::optional<double> ofRow(const insight::HeatmapRow &row) const;
    std::optional<double> sumOfCell(const insight::HeatmapRow &row, std::size_t column) const;
    double hours(std::size_t column) const; // that a column stands for

private:
    std::optional<double> of(const insight::HeatmapRow *row, const insight::HeatmapCell &cell) const;
    std::optional<double> perHour(std::optional<double> sum, std::size_t column) const;

    std::shared_ptr<const insight::Heatmap> m_heatmap;
    insight::Dimension m_by;
};

bool isMoneyMetric(insight::Metric metric);

} // namespace gpuledger::ui
