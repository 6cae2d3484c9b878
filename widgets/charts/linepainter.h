// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPointF>

#include <vector>

// Lines through points, for charts and sparklines. A point whose y is NaN is missing: no line goes through it.
namespace gpuledger::widgets {

struct LineStyle {
    QColor color;
    qreal width = 1.5;
    bool filled = false;
    qreal floor = 0; // y that the soft fill reaches down to
};

// `points` lie in the order of x, either way. Many points in one column of pixels are thinned to their extremes, so
// that no peak is lost. A point without neighbours becomes a dot.
void paintLine(QPainter &painter, const std::vector<QPointF> &points, const LineStyle &style);

// Hatches `area` where points are missing: from the last point before to the first one after the gap.
void paintGaps(QPainter &painter, const std::vector<QPointF> &points, const QRectF &area, const Theme &theme);

// One device-sharp dashed line from x to x, for thresholds and budgets.
void paintDashed(QPainter &painter, qreal from, qreal to, qreal y, const QColor &color);

} // namespace gpuledger::widgets
