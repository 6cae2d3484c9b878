// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmaplevels.h"
#include "widgets/state/hovercard.h"

#include <QString>
#include <QStringList>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace gpuledger::widgets {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Everything a Heatmap shows, as values; all texts are ready for people and are shown as plain text.
// NaN means "not observed" and is never the same as zero.
struct HeatmapData {
    struct Row {
        QString key; // stable, keeps the current row over new data
        QString label;
        QString meanText; // right of the cells, e.g. "37 %"; empty: nothing
        double side = kMissing; // length of the bar at the far right; NaN: no bar
        QString sideText; // beside the bar, e.g. "14.8k"
    };
    struct Group { // a stretch of columns with one heading, e.g. "Sat"
        int first = 0;
        int count = 0;
        QString label;
    };
    using Line = HoverLine; // of the card that explains a cell

    std::vector<Row> rows;
    QStringList columns; // short, e.g. "Sat 10:00"; part of the accessible name
    QStringList columnTitles; // longer, for the card, e.g. "Sat 10:00–11:00"; empty: `columns`
    std::vector<Group> groups; // ascending, not overlapping; may be empty
    std::vector<double> values; // row by row, rows.size() * columns.size()
    // Where there was nothing to measure: empty cells, not missing ones. The same length as `values`, or empty.
    std::vector<bool> blanks;
    // Instead of both, for millions of cells: NaN is missing and infinity blank; a value is times `packedFactor`.
    std::shared_ptr<const std::vector<float>> packed;
    double packedFactor = 1;
    // How much of the time that a cell stands for is known, in percent, rounded down; a cell below `knownEnough` is
    // marked as known only in part. Row by row, as many as there are cells; null: all of it.
    std::shared_ptr<const std::vector<std::uint8_t>> known;
    int knownEnough = 95;
    QString partText; // what that is called, for the legend and screen readers, e.g. "observed in part"
    std::shared_ptr<const HeatmapLevels> levels; // made from the above on a worker; null: the widget makes it
    QString blankText; // what that means, for the legend and screen readers, e.g. "nothing held"
    std::vector<double> columnMeans; // empty: no strip above the cells

    int firstColumn = 0; // of the first row: where to begin looking

    double minimum = 0; // of the scale, in the unit of `values`
    double maximum = 100;
    std::function<QString(double)> valueText; // a value with its unit, e.g. "17.3 %"; unset: number with one decimal
    std::function<QString(double)> scaleText; // a step of the legend, without unit; unset: number without decimals
    std::function<std::vector<Line>(int row, int column)> details; // lines of the card; unset: the value alone

    QString name; // accessible name of the whole, e.g. "Utilization by team and hour of the week"
    QString valueName; // what the values are, e.g. "Utilization"
    QString legendText; // e.g. "utilization, %"
    QString meanTitle; // heading above the means, e.g. "mean"
    QString source; // at the foot of the card: where the values are from and how old they are
    QString sideTitle; // heading above the bars, e.g. "idle cost, USD"

    int rowCount() const { return static_cast<int>(rows.size()); }
    int columnCount() const { return static_cast<int>(columns.size()); }
    bool isBlank(int row, int column) const
    {
        const std::size_t index = indexOf(row, column);
        if (packed)
            return index < packed->size() && std::isinf((*packed)[index]);
        return index < blanks.size() && blanks[index];
    }
    // Not observed: neither a value nor known to be nothing.
    bool isMissing(int row, int column) const { return std::isnan(value(row, column)) && !isBlank(row, column); }
    int knownPercent(int row, int column) const
    {
        const std::size_t index = indexOf(row, column);
        return known && index < known->size() ? (*known)[index] : 100;
    }
    // Neither missing nor wholly known.
    bool isPart(int row, int column) const
    {
        return knownPercent(row, column) < knownEnough && !isMissing(row, column);
    }
    double value(int row, int column) const
    {
        const std::size_t index = indexOf(row, column);
        if (packed) {
            const double value = index < packed->size() ? (*packed)[index] : kMissing;
            // To the digits that a float has: 0.7 is 70 %, not a little less and so of the step below.
            constexpr double kDigits = 1e5;
            return std::isfinite(value) ? std::round(value * packedFactor * kDigits) / kDigits : kMissing;
        }
        return index < values.size() ? values[index] : kMissing;
    }

private:
    std::size_t indexOf(int row, int column) const
    {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns.size())
            + static_cast<std::size_t>(column);
    }
};

} // namespace gpuledger::widgets
