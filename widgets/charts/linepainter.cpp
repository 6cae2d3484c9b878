// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/linepainter.h"

#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr float kFillOpacity = 0.14F;
constexpr qreal kDash = 5;
constexpr qreal kDashGap = 4;

bool missing(const QPointF &point)
{
    return std::isnan(point.y());
}

// The first, lowest, highest and last point of each pixel column, in their original order.
QPolygonF thinned(const std::vector<QPointF> &points, std::size_t from, std::size_t to)
{
    QPolygonF result;
    for (std::size_t i = from; i < to;) {
        const double column = std::floor(points[i].x());
        std::size_t end = i;
        std::size_t low = i;
        std::size_t high = i;
        while (end < to && std::floor(points[end].x()) == column) {
            if (points[end].y() < points[low].y())
                low = end;
            if (points[end].y() > points[high].y())
                high = end;
            ++end;
        }
        std::size_t keep[] = {i, std::min(low, high), std::max(low, high), end - 1};
        for (std::size_t k = 0; k < 4; ++k) {
            if (k == 0 || keep[k] != keep[k - 1])
                result << points[keep[k]];
        }
        i = end;
    }
    return result;
}

void paintPiece(QPainter &painter, const QPolygonF &line, const LineStyle &style)
{
    if (line.size() == 1) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(style.color);
        painter.drawEllipse(line.front(), style.width, style.width);
        return;
    }
    if (style.filled) {
        QPolygonF area = line;
        area << QPointF(line.back().x(), style.floor) << QPointF(line.front().x(), style.floor);
        QColor soft = style.color;
        soft.setAlphaF(kFillOpacity);
        painter.setPen(Qt::NoPen);
        painter.setBrush(soft);
        painter.drawPolygon(area);
    }
    painter.setPen(QPen(style.color, style.width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

} // namespace

std::vector<QPolygonF> linePieces(const std::vector<QPointF> &points)
{
    std::vector<QPolygonF> pieces;
    for (std::size_t i = 0; i < points.size();) {
        if (missing(points[i])) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < points.size() && !missing(points[end]))
            ++end;
        pieces.push_back(thinned(points, i, end));
        i = end;
    }
    return pieces;
}

void paintLine(QPainter &painter, const std::vector<QPointF> &points, const LineStyle &style)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QPolygonF &piece : linePieces(points))
        paintPiece(painter, piece, style);
    painter.restore();
}

void paintGaps(QPainter &painter, const std::vector<QPointF> &points, const QRectF &area, const Theme &theme)
{
    const QBrush hatch = theme.hatch(painter.device()->devicePixelRatio());
    for (std::size_t i = 0; i < points.size();) {
        if (!missing(points[i])) {
            ++i;
            continue;
        }
        const std::size_t first = i;
        while (i < points.size() && missing(points[i]))
            ++i;
        const qreal from = first > 0 ? points[first - 1].x() : points.front().x();
        const qreal to = i < points.size() ? points[i].x() : points.back().x();
        QRectF gap(std::min(from, to), area.top(), std::abs(to - from), area.height());
        painter.fillRect(gap & area, hatch);
    }
}

void paintDashed(QPainter &painter, qreal from, qreal to, qreal y, const QColor &color)
{
    const qreal ratio = painter.device()->devicePixelRatio();
    const qreal top = std::round(y * ratio - 0.5) / ratio;
    for (qreal x = from; x < to; x += kDash + kDashGap)
        painter.fillRect(QRectF(x, top, std::min(kDash, to - x), 1), color);
}

} // namespace gpuledger::widgets
