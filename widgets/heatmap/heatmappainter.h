// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmapdata.h"
#include "widgets/heatmap/heatmapgeometry.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QRegion>

namespace gpuledger::widgets {

// The marked cells and rows; -1: none.
struct HeatmapMarks {
    int row = -1;
    int column = -1;
    int hoverRow = -1;
    int hoverColumn = -1;
    int hoverLabel = -1;
    bool focused = false;
};

// The shared properties of all bars at the right.
struct HeatmapBars {
    double longest = 0;
    int textWidth = 0; // of the widest text beside a bar
};

// Draws one paint event of a heat map; created for it and destroyed after it. Paints inside the region only.
class HeatmapPainter {
public:
    HeatmapPainter(const Theme &theme, const HeatmapData &data, const HeatmapGeometry &geometry,
                   const HeatmapLevels &levels, const HeatmapMarks &marks, const HeatmapBars &bars,
                   const HeatmapMeasures &measures, const QString &missingText);

    void paint(QPainter &painter, const QRegion &region) const;

    // Space that a mark needs outside its cell.
    static constexpr int kMarkMargin = 4;

private:
    void paintGroups(QPainter &painter) const;
    void paintStrip(QPainter &painter, const QRect &rect) const;
    void paintHeadings(QPainter &painter) const;
    void paintCells(QPainter &painter, const QRect &rect) const;
    void paintParts(QPainter &painter, const QRect &rect) const;
    void paintPart(QPainter &painter, const QRectF &cell, int knownPercent) const;
    HeatmapColors colors() const;
    int firstLabelled(int first) const;
    QRect textRect(int row, const QRect &within) const;
    void paintLabels(QPainter &painter, const QRect &rect) const;
    void paintSides(QPainter &painter, const QRect &rect) const;
    void paintBar(QPainter &painter, const QRect &line, const HeatmapData::Row &row) const;
    void paintMarks(QPainter &painter) const;
    void paintLegend(QPainter &painter) const;
    enum class Swatch { Missing, Part, Blank };
    void paintSwatch(QPainter &painter, const QRect &rect, Swatch kind) const;
    void paintSteps(QPainter &painter, int stepWidth) const;
    QRect inLegend(const QRect &rect) const;
    Qt::Alignment towards(bool end) const;
    void text(QPainter &painter, const QRect &rect, Qt::Alignment alignment, const QString &text) const;

    const Theme &m_theme;
    const HeatmapData &m_data;
    const HeatmapGeometry &m_geometry;
    const HeatmapLevels &m_levels;
    const HeatmapMarks &m_marks;
    const HeatmapBars &m_bars;
    const QPoint m_scroll;
    const bool m_mirrored;
    const qreal m_ratio;
    const QBrush m_hatch;
    const QString m_missingText;
};

} // namespace gpuledger::widgets
