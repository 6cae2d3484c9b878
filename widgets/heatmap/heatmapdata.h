// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmaplevels.h"
#include "widgets/state/hovercard.h"
#include "widgets/theme/tokens.h"

#include <QString>
#include <QStringList>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace gpuledger::widgets {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// All data of a Heatmap, as values; all texts are formatted and shown as plain text.
// NaN means "not observed" and is never the same as zero.
struct HeatmapData {
    struct Row {
        QString key; // stable, preserves the current row when the data change
        QString label;
        QString meanText; // right of the cells, e.g. "37 %"; empty: nothing
        double side = kMissing; // length of the bar at the far right; NaN: no bar
        QString sideText; // beside the bar, e.g. "14.8k"
        Color sideColor = Color::Idle;
    };
    struct Group { // a range of columns with one heading, e.g. "Sat"
        int first = 0;
        int count = 0;
        QString label;
        QString shortLabel{}; // if the label does not fit; nothing is shown if this does not fit either. Empty: cut off
    };
    using Line = HoverLine; // a line of the card that explains a cell

    std::vector<Row> rows;
    QStringList columns; // short, e.g. "Sat 10:00"; part of the accessible name
    QStringList columnTitles; // longer, for the card, e.g. "Sat 10:00–11:00"; empty: `columns`
    std::vector<Group> groups; // ascending, not overlapping; may be empty
    std::vector<double> values; // row by row, rows.size() * columns.size()
    // Cells without anything to measure: empty rather than missing. As long as `values`, or empty.
    std::vector<bool> blanks;
    // Replaces both, for millions of cells: NaN is missing, infinity is blank; multiply by `packedFactor` for the
    // value.
    std::shared_ptr<const std::vector<float>> packed;
    double packedFactor = 1;
    // How much of the time that a cell covers was observed, in percent, rounded down; a cell below `knownEnough` is
    // marked as partly observed. Row by row, one per cell; null: all of it.
    std::shared_ptr<const std::vector<std::uint8_t>> known;
    int knownEnough = 95;
    QString partText; // label for that in the legend and for screen readers, e.g. "observed in part"
    // Computed from the above on a worker thread; null: the widget computes it.
    std::shared_ptr<const HeatmapLevels> levels;
    QString blankText; // label for that in the legend and for screen readers, e.g. "nothing held"
    std::vector<double> columnMeans; // empty: no strip above the cells

    int firstRow = 0, firstColumn = 0; // the initial position

    std::optional<HeatScale> scale; // the colours; without it, those of the user
    // The range of the scale, in the unit of `values`. Values outside it have the first or last colour, and the legend
    // says so.
    double minimum = 0;
    double maximum = 100;
    bool hasLower = false, hasHigher = false; // values outside the range
    double highestMean = kMissing; // the full height of the strip above the cells; NaN: the range of the scale
    std::function<QString(double)> valueText; // a value with its unit, e.g. "17.3 %"; unset: number with one decimal
    std::function<QString(double)> scaleText; // a step of the legend, without unit; unset: number without decimals
    std::function<std::vector<Line>(int row, int column)> details; // lines of the card; unset: the value alone

    QString name; // accessible name of the heat map, e.g. "Utilization by team and hour of the week"
    QString valueName; // what the values are, e.g. "Utilization"
    QString legendText; // e.g. "utilization, %"
    QString meanTitle; // heading above the means, e.g. "mean"
    QString source; // footer of the card: the source of the values and their age
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
    // Not observed: neither a value nor a blank.
    bool isMissing(int row, int column) const { return std::isnan(value(row, column)) && !isBlank(row, column); }
    int knownPercent(int row, int column) const
    {
        const std::size_t index = indexOf(row, column);
        return known && index < known->size() ? (*known)[index] : 100;
    }
    // Neither missing nor completely observed.
    bool isPart(int row, int column) const
    {
        return knownPercent(row, column) < knownEnough && !isMissing(row, column);
    }
    double value(int row, int column) const
    {
        const std::size_t index = indexOf(row, column);
        if (packed) {
            const double value = index < packed->size() ? (*packed)[index] : kMissing;
            // Rounded to the precision of a float, so that 0.7 is 70 % and does not fall into the step below.
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
