// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/axis.h"
#include "widgets/charts/chart.h"
#include "widgets/charts/chartheader.h"

namespace gpuledger::widgets {

// All data of a PointChart, as values; all texts are plain.
struct CurvePoints {
    struct Point {
        double x = 0, y = 0; // finite, at least 0
        QString name; // "6 h"
        std::vector<HoverLine> lines; // exact figures
        bool marked = false; // stands alone, beside the line through the others
    };
    QString title, note; // at the top
    QString xName, yName; // of the axes, also the heads of the copied table
    QString lineName, markedName; // in the legend
    std::vector<Point> points; // ascending by x
    QString name; // accessible name
    QString source; // for the hover card
};

// Points on two value axes that start at zero, joined by a line, and single marked ones: a curve of choices of which
// one is picked. Left and Right move along x, Enter or a click picks (activated()). Owned by its parent; GUI thread.
class PointChart : public Chart {
    Q_OBJECT
public:
    explicit PointChart(const Theme &theme, QWidget *parent = nullptr);

    // The current point stays the one of the same name.
    void setData(CurvePoints data);
    const CurvePoints &data() const { return m_data; }
    QPointF pointAt(int index) const; // in the chart's pixels
    QRectF plotRect() const;

    int itemCount() const override { return static_cast<int>(m_data.points.size()); }
    QRectF itemRect(int index) const override;
    QString itemName(int index) const override;
    std::vector<HoverLine> itemLines(int index) const override;
    QString cardNote() const override { return m_data.source; }
    QString summary() const override;
    CopyTable table() const override;

protected:
    bool areItemsMirrored() const override { return false; }
    void layOut(const QSize &size) override;
    PlotSpec plotSpec() const override;
    void paintChart(QPainter &painter) const override;
    void paintFocus(QPainter &painter) const override;

private:
    const CurvePoints::Point &at(int index) const { return m_data.points[static_cast<std::size_t>(index)]; }
    std::vector<LegendEntry> legend() const;
    void paintMark(QPainter &painter) const;

    CurvePoints m_data;
    ValueAxis m_x, m_y;
    QRectF m_plot; // not mirrored
    qreal m_width = 0;
    qreal m_height = 0;
};

} // namespace gpuledger::widgets
