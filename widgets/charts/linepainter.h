// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPointF>
#include <QPolygonF>

#include <vector>

// Draws lines through points, for charts and sparklines. A point whose y is NaN is missing and interrupts the line.
namespace gpuledger::widgets {

// How paintLine() draws a line.
struct LineStyle {
    QColor color;
    qreal width = 1.5;
    bool filled = false;
    qreal floor = 0; // y down to which the area is filled
};

// The unbroken pieces of a line. Many points in one pixel column are reduced to their extremes, so that no peak is
// lost.
std::vector<QPolygonF> linePieces(const std::vector<QPointF> &points);

// `points` are sorted by x, ascending or descending. Many points in one pixel column are reduced to their extremes, so
// that no peak is lost. A point without neighbours becomes a dot.
void paintLine(QPainter &painter, const std::vector<QPointF> &points, const LineStyle &style);

// Hatches `area` where points are missing, from the last point before the gap to the first one after it.
void paintGaps(QPainter &painter, const std::vector<QPointF> &points, const QRectF &area, const Theme &theme);

// A dashed horizontal line between two x positions, aligned to device pixels, for thresholds and budgets.
void paintDashed(QPainter &painter, qreal from, qreal to, qreal y, const QColor &color);

} // namespace gpuledger::widgets
