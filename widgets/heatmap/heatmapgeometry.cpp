// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmapgeometry.h"

#include <QtGlobal>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr int kGap = 8; // between labels and cells
constexpr int kSideGap = 12; // between cells, means and bars
constexpr int kMaxRowHeight = 48;
constexpr int kStripHeight = 22;
constexpr int kStripGap = 6; // strip to cells
constexpr int kGroupGap = 6; // headings of groups to strip
constexpr qreal kMinColumnWidth = 3; // narrower cells cannot be pointed at
constexpr qreal kMaxColumnWidth = 64;
constexpr int kWideRow = 28; // from this height on, rows are separated like lines of a table
constexpr int kLegendGap = 16;

} // namespace

HeatmapGeometry::HeatmapGeometry(const HeatmapMeasures &measures)
    : m_measures(measures)
{
    const HeatmapMeasures &m = m_measures;
    const int width = std::max(0, m.viewport.width());
    const int height = std::max(0, m.viewport.height());
    const int labelWidth = std::min(m.labelWidth, width / 4);
    const int right = (m.meanWidth ? m.meanWidth + kSideGap : 0) + (m.sideWidth ? m.sideWidth + kSideGap : 0);
    const int left = labelWidth + kGap;
    placeColumns(std::max(1, width - left - right));

    const int groupsHeight = m.hasGroups ? m.captionHeight + kGroupGap : 0;
    const bool hasHeadings = m.meanWidth || m.sideWidth;
    const int stripHeight = m.hasMeans ? kStripHeight : (hasHeadings && !m.hasGroups ? m.captionHeight : 0);
    const int top = groupsHeight + stripHeight + (groupsHeight + stripHeight ? kStripGap : 0);
    const int legendHeight = m.hasLegend ? kLegendGap + 10 + 4 + m.captionHeight + 4 : 0;
    placeRows(std::max(1, height - top - legendHeight));
    m_preferredHeight = top + m.rows * (kMaxRowHeight + 3) + legendHeight;

    const int cellsWidth = std::min(static_cast<int>(std::ceil(m_content.width())), std::max(1, width - left - right));
    // Whole rows only, so that none is cut off at the bottom.
    const int space = std::max(1, height - top - legendHeight);
    const int page = m_dense ? space : static_cast<int>(std::max(1.0, std::floor(space / rowPitch())) * rowPitch());
    const int cellsHeight = std::min(m_content.height(), page);
    m_cells = QRect(left, top, cellsWidth, cellsHeight);
    m_labels = QRect(0, top, labelWidth, cellsHeight);
    m_groups = QRect(left, 0, cellsWidth, groupsHeight);
    m_strip = QRect(left, groupsHeight, cellsWidth, m.hasMeans ? stripHeight : 0);
    int x = left + cellsWidth + kSideGap;
    m_means = QRect(x, top, m.meanWidth, cellsHeight);
    x += m.meanWidth ? m.meanWidth + kSideGap : 0;
    m_sides = QRect(x, top, m.sideWidth ? std::max(m.sideWidth, width - x) : 0, cellsHeight);
    m_headings = QRect(left + cellsWidth + kSideGap, top - kStripGap - m.captionHeight,
                       width - (left + cellsWidth + kSideGap), m.captionHeight);
    m_legend = QRect(left, top + cellsHeight + kLegendGap, width - left, std::max(0, legendHeight - kLegendGap));
}

void HeatmapGeometry::placeColumns(int space)
{
    const qreal ratio = m_measures.devicePixelRatio > 0 ? m_measures.devicePixelRatio : 1;
    const int columns = std::max(1, m_measures.columns);
    const qreal fit = std::floor(space * ratio / columns) / ratio;
    const qreal readable = std::clamp(fit, std::ceil(kMinColumnWidth * ratio) / ratio, kMaxColumnWidth);
    const qreal least = std::min(readable, static_cast<qreal>(space) / columns);
    m_leastZoom = std::min(m_leastZoom, least / readable);
    m_mostZoom = std::max(m_mostZoom, kMaxColumnWidth / readable);
    m_columnWidth = std::clamp(readable * m_measures.zoom, least, kMaxColumnWidth);
    // Whole device pixels wherever possible, so that all columns are equally wide.
    if (m_columnWidth * ratio >= 2)
        m_columnWidth = std::floor(m_columnWidth * ratio + 1e-6) / ratio;
    m_content.setWidth(static_cast<int>(std::ceil(m_measures.columns * m_columnWidth)));
}

void HeatmapGeometry::placeRows(int space)
{
    const int rows = std::max(1, m_measures.rows);
    const int minRowHeight = m_measures.bodyHeight + 2;
    const int share = space / rows;
    m_rowGap = share > kWideRow ? 3 : 1;
    m_rowHeight = std::clamp(share - m_rowGap, minRowHeight, std::max(minRowHeight, kMaxRowHeight));
    const qreal readable = rowPitch();
    const qreal least = std::min(readable, static_cast<qreal>(space) / rows);
    const qreal most = std::max<qreal>(readable, kMaxRowHeight + 3);
    m_leastZoom = std::min(m_leastZoom, least / readable);
    m_mostZoom = std::max(m_mostZoom, most / readable);
    if (!qFuzzyCompare(m_measures.zoom, 1.0)) {
        qreal pitch = std::clamp(readable * m_measures.zoom, least, most);
        pitch = pitch >= 2 ? std::floor(pitch + 1e-6) : pitch;
        m_dense = pitch < minRowHeight + 1;
        m_rowGap = m_dense ? 0 : pitch > kWideRow ? 3 : 1;
        m_rowHeight = pitch - m_rowGap;
        m_labelledRows = m_dense ? static_cast<int>(std::ceil(minRowHeight / pitch)) : 1;
    }
    m_content.setHeight(static_cast<int>(std::ceil(m_measures.rows * rowPitch())));
}

QRect HeatmapGeometry::visual(const QRect &rect) const
{
    QRect result = rect;
    if (m_measures.mirrored)
        result.moveLeft(m_measures.viewport.width() - rect.x() - rect.width());
    return result;
}

QRectF HeatmapGeometry::visual(const QRectF &rect) const
{
    QRectF result = rect;
    if (m_measures.mirrored)
        result.moveLeft(m_measures.viewport.width() - rect.x() - rect.width());
    return result;
}

QRectF HeatmapGeometry::cellRect(int row, int column) const
{
    return visual(QRectF(m_cells.x() + column * m_columnWidth - m_measures.scroll.x(),
                         m_cells.y() + row * rowPitch() - m_measures.scroll.y(), m_columnWidth, m_rowHeight));
}

QRectF HeatmapGeometry::columnsRect(int first, int count, const QRect &within) const
{
    return visual(QRectF(m_cells.x() + first * m_columnWidth - m_measures.scroll.x(), within.y(), count * m_columnWidth,
                         within.height()));
}

QRect HeatmapGeometry::rowRect(int row, const QRect &within) const
{
    const qreal top = m_cells.y() + row * rowPitch() - m_measures.scroll.y();
    const int height = std::max(1, static_cast<int>(std::lround(m_rowHeight)));
    return {within.x(), static_cast<int>(std::floor(top)), within.width(), height};
}

int HeatmapGeometry::rowAt(int y) const
{
    if (y < m_cells.top() || y > m_cells.bottom())
        return -1;
    const int row = static_cast<int>((y - m_cells.y() + m_measures.scroll.y()) / rowPitch());
    return row < m_measures.rows ? row : -1;
}

int HeatmapGeometry::columnAt(qreal x) const
{
    const qreal logical = m_measures.mirrored ? m_measures.viewport.width() - x : x;
    // At the edge between two columns, the mirrored point belongs to the column on its right, as in the unmirrored
    // layout.
    const qreal offset = logical - m_cells.x() - (m_measures.mirrored ? 1e-6 : 0);
    if (offset < 0 || offset >= m_cells.width())
        return -1;
    const int column = static_cast<int>((offset + m_measures.scroll.x()) / m_columnWidth);
    return column < m_measures.columns ? column : -1;
}

void HeatmapGeometry::columnsIn(const QRect &rect, int &first, int &last) const
{
    const QRect area = visual(rect & cells());
    const qreal from = area.left() - m_cells.x() + m_measures.scroll.x();
    first = std::max(0, static_cast<int>(std::floor(from / m_columnWidth)));
    last = std::min(m_measures.columns - 1, static_cast<int>(std::floor((from + area.width()) / m_columnWidth)));
    if (area.isEmpty())
        last = first - 1;
}

void HeatmapGeometry::rowsIn(const QRect &rect, int &first, int &last) const
{
    const int top = std::max(rect.top(), m_cells.top()) - m_cells.y() + m_measures.scroll.y();
    const int bottom = std::min(rect.bottom(), m_cells.bottom()) - m_cells.y() + m_measures.scroll.y();
    first = std::max(0, static_cast<int>(top / rowPitch()));
    last = bottom < top ? first - 1 : std::min(m_measures.rows - 1, static_cast<int>(bottom / rowPitch()));
}

} // namespace gpuledger::widgets
