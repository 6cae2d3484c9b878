// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmappainter.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr qreal kLinedColumn = 4; // from this width on columns have a hairline between them
constexpr qreal kLinedBar = 8; // the same for the bars above, which read as one outline when narrow
constexpr int kLegendOverhang = 40; // half of the widest number below the first step

// A frame that lies around `inner` and does not cover it.
void frame(QPainter &painter, const QRectF &inner, qreal width, const QColor &color)
{
    const QRectF outer = inner.adjusted(-width, -width, width, width);
    painter.fillRect(QRectF(outer.left(), outer.top(), outer.width(), width), color);
    painter.fillRect(QRectF(outer.left(), inner.bottom(), outer.width(), width), color);
    painter.fillRect(QRectF(outer.left(), inner.top(), width, inner.height()), color);
    painter.fillRect(QRectF(inner.right(), inner.top(), width, inner.height()), color);
}

QString oneLine(const QFontMetrics &metrics, const QString &text, int width)
{
    return metrics.elidedText(text.simplified(), Qt::ElideRight, width);
}

} // namespace

QImage heatmapImage(const Theme &theme, const HeatmapData &data, bool mirrored)
{
    const int columns = data.columnCount();
    QImage image(std::max(1, columns), std::max(1, data.rowCount()), QImage::Format_RGB32);
    image.fill(theme.color(Color::Surface));
    std::array<QRgb, kHeatSteps> colors{};
    for (int step = 0; step < kHeatSteps; ++step)
        colors[static_cast<std::size_t>(step)] = theme.heatColor(step).rgb();
    for (int row = 0; row < data.rowCount(); ++row) {
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(row));
        for (int column = 0; column < columns; ++column) {
            const double value = data.value(row, column);
            if (!std::isnan(value))
                line[mirrored ? columns - 1 - column : column] =
                    colors[static_cast<std::size_t>(heatStep(value, data.minimum, data.maximum))];
        }
    }
    return image;
}

HeatmapPainter::HeatmapPainter(const Theme &theme, const HeatmapData &data, const HeatmapGeometry &geometry,
                               const QImage &image, const HeatmapMarks &marks, const HeatmapBars &bars,
                               const HeatmapMeasures &measures, const QString &missingText)
    : m_theme(theme)
    , m_data(data)
    , m_geometry(geometry)
    , m_image(image)
    , m_marks(marks)
    , m_bars(bars)
    , m_mirrored(measures.mirrored)
    , m_ratio(measures.devicePixelRatio)
    , m_hatch(theme.hatch(measures.devicePixelRatio))
    , m_missingText(missingText)
{
}

void HeatmapPainter::paint(QPainter &painter, const QRegion &region) const
{
    for (const QRect &rect : region)
        painter.fillRect(rect, m_theme.color(Color::Surface));
    if (region.intersects(m_geometry.groups().united(m_geometry.cells()).adjusted(0, 0, 0, 8)))
        paintGroups(painter);
    if (region.intersects(m_geometry.headings()))
        paintHeadings(painter);
    for (const QRect &rect : region) {
        paintStrip(painter, rect);
        paintCells(painter, rect);
        paintLabels(painter, rect);
        paintSides(painter, rect);
    }
    paintMarks(painter);
    if (region.intersects(m_geometry.legend().adjusted(-kLegendOverhang, 0, kLegendOverhang, 0)))
        paintLegend(painter);
}

Qt::Alignment HeatmapPainter::towards(bool end) const
{
    return (end == m_mirrored ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter | Qt::AlignAbsolute;
}

void HeatmapPainter::text(QPainter &painter, const QRect &rect, Qt::Alignment alignment, const QString &text) const
{
    painter.drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine,
                     oneLine(painter.fontMetrics(), text, rect.width()));
}

void HeatmapPainter::paintGroups(QPainter &painter) const
{
    const QRect area = m_geometry.groups();
    const QRect lines = area.united(m_geometry.cells()).adjusted(0, 0, 0, 8);
    painter.save();
    painter.setClipRect(lines, Qt::IntersectClip);
    painter.setFont(m_theme.font(TextSize::Caption));
    painter.setPen(m_theme.color(Color::Muted));
    for (const HeatmapData::Group &group : m_data.groups) {
        const QRectF columns = m_geometry.columnsRect(group.first, group.count, lines);
        if (group.first > 0) {
            const qreal x = m_mirrored ? columns.right() : columns.left() - 1;
            painter.fillRect(QRectF(x, lines.top(), 1, lines.height()), m_theme.color(Color::Border));
        }
        // A heading stays in sight while its columns are.
        const QRect visible = columns.toAlignedRect() & area;
        if (visible.width() > painter.fontMetrics().horizontalAdvance(QLatin1Char('W')))
            text(painter, visible.adjusted(2, 0, -2, -6), Qt::AlignHCenter | Qt::AlignVCenter, group.label);
    }
    painter.restore();
}

void HeatmapPainter::paintStrip(QPainter &painter, const QRect &rect) const
{
    const QRect area = m_geometry.strip();
    if (!rect.intersects(area))
        return;
    int first = 0;
    int last = -1;
    m_geometry.columnsIn(QRect(rect.x(), m_geometry.cells().y(), rect.width(), 1), first, last);
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    painter.setBrushOrigin(area.topLeft());
    const qreal line = m_geometry.columnWidth() >= kLinedBar ? 1 / m_ratio : 0;
    const double range = m_data.maximum - m_data.minimum;
    for (int column = first; column <= last && static_cast<std::size_t>(column) < m_data.columnMeans.size(); ++column) {
        const double mean = m_data.columnMeans[static_cast<std::size_t>(column)];
        QRectF bar = m_geometry.columnsRect(column, 1, area).adjusted(0, 0, -line, 0);
        if (std::isnan(mean)) {
            bar.setTop(bar.bottom() - 5);
            painter.fillRect(bar, m_hatch);
            continue;
        }
        const double share = range > 0 ? std::clamp((mean - m_data.minimum) / range, 0.0, 1.0) : 0;
        bar.setTop(bar.bottom() - std::max(1.0, std::round(share * area.height())));
        painter.fillRect(bar, m_theme.color(Color::Unallocated));
    }
    painter.restore();
}

void HeatmapPainter::paintCells(QPainter &painter, const QRect &rect) const
{
    const QRect area = m_geometry.cells() & rect;
    if (area.isEmpty())
        return;
    int firstRow = 0;
    int lastRow = -1;
    int first = 0;
    int last = -1;
    m_geometry.rowsIn(area, firstRow, lastRow);
    m_geometry.columnsIn(area, first, last);
    if (last < first)
        return;
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setBrushOrigin(m_geometry.cellRect(0, 0).topLeft());
    for (int row = firstRow; row <= lastRow; ++row)
        paintRow(painter, row, first, last);
    if (m_geometry.columnWidth() >= kLinedColumn) {
        for (int row = firstRow; row <= lastRow; ++row)
            paintColumnLines(painter, m_geometry.rowRect(row, m_geometry.cells()), first, last);
    }
    painter.restore();
}

void HeatmapPainter::paintRow(QPainter &painter, int row, int first, int last) const
{
    const QRect cells = m_geometry.rowRect(row, m_geometry.cells());
    const int source = m_mirrored ? m_data.columnCount() - 1 - last : first;
    painter.drawImage(m_geometry.columnsRect(first, last - first + 1, cells), m_image,
                      QRectF(source, row, last - first + 1, 1));
    for (int column = first; column <= last; ++column) {
        if (!m_data.isMissing(row, column))
            continue;
        int end = column + 1;
        while (end <= last && m_data.isMissing(row, end))
            ++end;
        painter.fillRect(m_geometry.columnsRect(column, end - column, cells), m_hatch);
        column = end;
    }
}

void HeatmapPainter::paintColumnLines(QPainter &painter, const QRect &rect, int first, int last) const
{
    const qreal width = 1 / m_ratio;
    QColor line = m_theme.color(Color::Surface);
    line.setAlphaF(0.4F);
    for (int column = first; column <= last; ++column) {
        const QRectF cell = m_geometry.columnsRect(column, 1, rect);
        painter.fillRect(QRectF(cell.right() - width, cell.top(), width, cell.height()), line);
    }
}

void HeatmapPainter::paintMarks(QPainter &painter) const
{
    painter.save();
    painter.setClipRect(m_geometry.cells().adjusted(-kMarkMargin, -kMarkMargin, kMarkMargin, kMarkMargin),
                        Qt::IntersectClip);
    // Two colours each, so that one of them stands out from whatever lies below; thinner without the keyboard.
    if (m_marks.hoverRow >= 0 && m_marks.hoverColumn >= 0) {
        const QRectF cell = m_geometry.cellRect(m_marks.hoverRow, m_marks.hoverColumn);
        frame(painter, cell, 1, m_theme.color(Color::Surface));
        frame(painter, cell.adjusted(-1, -1, 1, 1), 1, m_theme.color(Color::Text));
    }
    if (m_marks.row >= 0 && m_marks.column >= 0) {
        const QRectF cell = m_geometry.cellRect(m_marks.row, m_marks.column);
        frame(painter, cell, 1, m_theme.color(Color::Surface));
        frame(painter, cell.adjusted(-1, -1, 1, 1), m_marks.focused ? 2 : 1, m_theme.color(Color::Accent));
    }
    painter.restore();
}

} // namespace gpuledger::widgets
