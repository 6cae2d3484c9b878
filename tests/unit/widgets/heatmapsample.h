// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmapdata.h"

#include <QLocale>

#include <array>

// Small matrices with values that identify their position.
namespace gpuledger::tests {

// Value = (row * 10 + column) % 100, except that column 3 of row 1 is missing and column 4 of row 1 is zero.
inline widgets::HeatmapData matrix(int rows, int columns)
{
    static constexpr std::array<const char *, 3> kNames{"research", "speech", "vision"};
    widgets::HeatmapData data;
    for (int row = 0; row < rows; ++row) {
        const QString name =
            row < 3 ? QString::fromLatin1(kNames[static_cast<std::size_t>(row)]) : QStringLiteral("team-%1").arg(row);
        data.rows.push_back(
            {name, name, QStringLiteral("%1 %").arg(row), row * 1.5, QStringLiteral("%1k").arg(row * 1.5)});
        for (int column = 0; column < columns; ++column)
            data.values.push_back((row * 10 + column) % 100);
    }
    for (int column = 0; column < columns; ++column) {
        data.columns << QStringLiteral("Sat %1:00").arg(column, 2, 10, QLatin1Char('0'));
        if (column % 24 == 0)
            data.groups.push_back({column, qMin(24, columns - column), QStringLiteral("Sat")});
        data.columnMeans.push_back(column % 100);
    }
    if (rows > 1 && columns > 4) {
        data.values[static_cast<std::size_t>(columns + 3)] = widgets::kMissing;
        data.values[static_cast<std::size_t>(columns + 4)] = 0;
    }
    data.valueText = [](double value) -> QString {
        return QLocale::c().toString(value, 'f', 1) + QStringLiteral(" %");
    };
    data.name = QStringLiteral("Utilization by team");
    data.valueName = QStringLiteral("Utilization");
    data.legendText = QStringLiteral("utilization, %");
    data.meanTitle = QStringLiteral("mean");
    data.sideTitle = QStringLiteral("idle cost, USD");
    return data;
}

} // namespace gpuledger::tests
