// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmappainter.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr qreal kLinedColumn = 4; // from this width on, columns are separated by a hairline
constexpr qreal kLinedBar = 8; // the same for the bars above, which read as one outline if narrow
constexpr qreal kLeastPart = 4; // minimum share of a cell's height for the observed and the unobserved part
constexpr int kLegendOverhang = 40; // half the width of the widest number below the first step

// A frame around `inner` that does not cover it.
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

HeatmapPainter::HeatmapPainter(const Theme &theme, const HeatmapData &data, const HeatmapGeometry &geometry,
                               const HeatmapLevels &levels, const HeatmapMarks &marks, const HeatmapBars &bars,
                               const HeatmapMeasures &measures, const QString &missingText)
    : m_theme(theme)
    , m_data(data)
    , m_geometry(geometry)
    , m_levels(levels)
    , m_marks(marks)
    , m_bars(bars)
    , m_scroll(measures.scroll)
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
        paintParts(painter, rect);
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
        // A heading stays visible as long as any of its columns is.
        const QRect visible = columns.toAlignedRect() & area;
        const auto fits = [&](const QString &label) {
            return painter.fontMetrics().horizontalAdvance(label) <= visible.width() - 4;
        };
        const bool isCut = !fits(group.label) && !group.shortLabel.isEmpty();
        const QString &label = isCut ? group.shortLabel : group.label;
        if (isCut ? fits(label) : visible.width() > painter.fontMetrics().horizontalAdvance(QLatin1Char('W')))
            text(painter, visible.adjusted(2, 0, -2, -6), Qt::AlignHCenter | Qt::AlignVCenter, label);
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
    const bool isOwn = !std::isnan(m_data.highestMean); // bars from zero
    const double bottom = isOwn ? 0 : m_data.minimum;
    const double range = (isOwn ? m_data.highestMean : m_data.maximum) - bottom;
    for (int column = first; column <= last && static_cast<std::size_t>(column) < m_data.columnMeans.size(); ++column) {
        const double mean = m_data.columnMeans[static_cast<std::size_t>(column)];
        QRectF bar = m_geometry.columnsRect(column, 1, area).adjusted(0, 0, -line, 0);
        if (std::isnan(mean)) {
            bar.setTop(bar.bottom() - 5);
            painter.fillRect(bar, m_hatch);
            continue;
        }
        const double share = range > 0 ? std::clamp((mean - bottom) / range, 0.0, 1.0) : 0;
        bar.setTop(bar.bottom() - std::max(1.0, std::round(share * area.height())));
        painter.fillRect(bar, m_theme.color(Color::Unallocated));
    }
    painter.restore();
}

HeatmapColors HeatmapPainter::colors() const
{
    constexpr float kLine = 0.4F; // share of the surface colour over the step
    const QColor surface = m_theme.color(Color::Surface);
    HeatmapColors colors;
    colors.surface = surface.rgb();
    for (int i = 0; i < kHeatSteps; ++i) {
        const QColor step = m_theme.heatColor(i, m_data.scale);
        const auto mixed = [](float over, float under) -> float { return over * kLine + under * (1 - kLine); };
        colors.steps[static_cast<std::size_t>(i)] = step.rgb();
        colors.lines[static_cast<std::size_t>(i)] =
            QColor::fromRgbF(mixed(surface.redF(), step.redF()), mixed(surface.greenF(), step.greenF()),
                             mixed(surface.blueF(), step.blueF()))
                .rgb();
    }
    colors.hatch = m_hatch.textureImage().convertToFormat(QImage::Format_RGB32);
    return colors;
}

void HeatmapPainter::paintCells(QPainter &painter, const QRect &rect) const
{
    const QRect cells = m_geometry.cells();
    const QRect area = cells & rect;
    if (area.isEmpty() || m_levels.rows() == 0)
        return;
    const auto device = [this](int from, int to, bool up) {
        const qreal at = (to - from) * m_ratio;
        return static_cast<int>(up ? std::ceil(at) : std::floor(at));
    };
    HeatmapView view;
    view.area = QRect(QPoint(device(cells.x(), area.x(), false), device(cells.y(), area.y(), false)),
                      QPoint(device(cells.x(), area.x() + area.width(), true) - 1,
                             device(cells.y(), area.y() + area.height(), true) - 1));
    view.width = static_cast<int>(std::lround(cells.width() * m_ratio));
    view.left = -m_scroll.x() * m_ratio;
    view.top = -m_scroll.y() * m_ratio;
    view.columnWidth = m_geometry.columnWidth() * m_ratio;
    view.rowPitch = m_geometry.rowPitch() * m_ratio;
    view.rowGap = m_geometry.rowGap() * m_ratio;
    view.line = m_geometry.columnWidth() >= kLinedColumn ? 1 : 0;
    view.mirrored = m_mirrored;
    QImage image = m_levels.render(view, colors());
    image.setDevicePixelRatio(m_ratio);
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    painter.drawImage(QPointF(cells.x() + view.area.x() / m_ratio, cells.y() + view.area.y() / m_ratio), image);
    painter.restore();
}

// The unobserved part of a cell is hatched from the bottom up: the share is readable, and both parts stay visible.
void HeatmapPainter::paintPart(QPainter &painter, const QRectF &cell, int knownPercent) const
{
    const qreal least = std::min<qreal>(kLeastPart, cell.height() / 2);
    const qreal most = cell.height() - least;
    qreal height = std::clamp(cell.height() * (100 - knownPercent) / 100, least, std::max(least, most));
    height = std::round(height * m_ratio) / m_ratio;
    const QRectF unknown(cell.left(), cell.bottom() - height, cell.width(), height);
    painter.fillRect(unknown, m_hatch);
    painter.fillRect(QRectF(unknown.left(), unknown.top() - 1, unknown.width(), 1), m_theme.color(Color::Surface));
}

void HeatmapPainter::paintParts(QPainter &painter, const QRect &rect) const
{
    const QRect area = m_geometry.cells() & rect;
    const qreal height = m_geometry.rowPitch() - m_geometry.rowGap();
    // Below these sizes several cells share a pixel, or a cell has no room for two parts; its card still shows the
    // share.
    if (area.isEmpty() || !m_levels.hasParts() || height < 2 * kLeastPart || m_geometry.columnWidth() < 1)
        return;
    int firstRow = 0, lastRow = -1, firstColumn = 0, lastColumn = -1;
    m_geometry.rowsIn(area, firstRow, lastRow);
    m_geometry.columnsIn(area, firstColumn, lastColumn);
    const qreal line = m_geometry.columnWidth() >= kLinedColumn ? 1 / m_ratio : 0;
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    painter.setBrushOrigin(m_geometry.cells().topLeft() - m_scroll);
    for (int row = firstRow; row <= lastRow; ++row) {
        for (int column = firstColumn; column <= lastColumn; ++column) {
            if (!m_data.isPart(row, column))
                continue;
            paintPart(painter, m_geometry.cellRect(row, column).adjusted(0, 0, -line, 0),
                      m_data.knownPercent(row, column));
        }
    }
    painter.restore();
}

void HeatmapPainter::paintMarks(QPainter &painter) const
{
    painter.save();
    painter.setClipRect(m_geometry.cells().adjusted(-kMarkMargin, -kMarkMargin, kMarkMargin, kMarkMargin),
                        Qt::IntersectClip);
    // A light line beside a dark one, so that one of them contrasts with every step; the current cell has the wider
    // frame.
    if (m_marks.hoverRow >= 0 && m_marks.hoverColumn >= 0) {
        const QRectF cell = m_geometry.cellRect(m_marks.hoverRow, m_marks.hoverColumn);
        frame(painter, cell, 1, m_theme.color(Color::Surface));
        frame(painter, cell.adjusted(-1, -1, 1, 1), 1, m_theme.color(Color::Text));
    }
    if (m_marks.row >= 0 && m_marks.column >= 0) {
        const QRectF cell = m_geometry.cellRect(m_marks.row, m_marks.column);
        frame(painter, cell, 1, m_theme.color(Color::Surface));
        frame(painter, cell.adjusted(-1, -1, 1, 1), m_marks.focused ? 3 : 2, m_theme.color(Color::Text));
    }
    painter.restore();
}

} // namespace gpuledger::widgets
