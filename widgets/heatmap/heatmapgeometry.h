// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QRect>
#include <QRectF>
#include <QSize>

namespace gpuledger::widgets {

// The measures that determine the layout of a heat map. Logical pixels.
struct HeatmapMeasures {
    QSize viewport;
    qreal devicePixelRatio = 1;
    bool mirrored = false; // right-to-left
    int rows = 0;
    int columns = 0;
    int labelWidth = 0; // of the widest row label
    int meanWidth = 0; // of the widest mean or its heading; 0: none
    int sideWidth = 0; // of a bar with its text, or its heading; 0: none
    int captionHeight = 14; // line height in the small font
    int bodyHeight = 18;
    bool hasGroups = false;
    bool hasMeans = false;
    bool hasLegend = true;
    QPoint scroll; // of the cells
    qreal zoom = 1; // 1: readable; less: down to all cells in view; more: up to the largest cells
};

// The layout: a value computed from the measures, shared by painting, mouse and accessibility. Columns are a whole
// number of device pixels wide, so all are equally wide.
class HeatmapGeometry {
public:
    HeatmapGeometry() = default;
    explicit HeatmapGeometry(const HeatmapMeasures &measures);

    // Areas of the viewport. Cells, labels, means and sides share their top and bottom.
    QRect groups() const { return visual(m_groups); }
    QRect strip() const { return visual(m_strip); }
    QRect cells() const { return visual(m_cells); }
    QRect labels() const { return visual(m_labels); }
    QRect means() const { return visual(m_means); }
    QRect sides() const { return visual(m_sides); }
    QRect headings() const { return visual(m_headings); } // line above means and sides
    QRect legend() const { return visual(m_legend); }

    qreal columnWidth() const { return m_columnWidth; }
    qreal rowPitch() const { return m_rowHeight + m_rowGap; } // from the top of one row to the next
    int rowGap() const { return m_rowGap; }
    // Rows are lower than a line of text, down to less than a pixel: only some have a label.
    bool isDense() const { return m_dense; }
    int labelledRows() const { return m_labelledRows; } // number of rows per label
    // The zoom at which all cells fit; zooming out further changes nothing.
    qreal leastZoom() const { return m_leastZoom; }
    qreal mostZoom() const { return m_mostZoom; }
    QSize contentSize() const { return m_content; } // of all cells
    QSize pageSize() const { return m_cells.size(); } // of the visible cells
    int preferredHeight() const { return m_preferredHeight; }

    // In viewport coordinates, also if scrolled out of view. Row and column must exist.
    QRectF cellRect(int row, int column) const;
    QRectF columnsRect(int first, int count, const QRect &within) const; // columns over the height of an area
    QRect rowRect(int row, const QRect &within) const; // a row over the width of an area

    // -1 outside. The gap below a row belongs to it, so that hovering has no holes.
    int rowAt(int y) const;
    int columnAt(qreal x) const;
    // First and last column (or row) that intersect a rectangle; an empty range has last < first.
    void columnsIn(const QRect &rect, int &first, int &last) const;
    void rowsIn(const QRect &rect, int &first, int &last) const;

private:
    void placeColumns(int space);
    void placeRows(int space);
    QRect visual(const QRect &rect) const;
    QRectF visual(const QRectF &rect) const;

    HeatmapMeasures m_measures;
    QRect m_groups;
    QRect m_strip;
    QRect m_cells;
    QRect m_labels;
    QRect m_means;
    QRect m_sides;
    QRect m_headings;
    QRect m_legend;
    QSize m_content;
    qreal m_columnWidth = 1;
    qreal m_rowHeight = 1;
    int m_rowGap = 1;
    bool m_dense = false;
    int m_labelledRows = 1;
    qreal m_leastZoom = 1;
    qreal m_mostZoom = 1;
    int m_preferredHeight = 0;
};

} // namespace gpuledger::widgets
