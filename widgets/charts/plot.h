// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/chartheader.h"

#include <QColor>
#include <QPixmap>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>

#include <memory>
#include <vector>

// What Qt Charts draws of a chart: plot, grid, axes, legend and series. No type of Qt Charts leaves this folder.
namespace gpuledger::widgets {

// A place on an axis, in the coordinates of the plot, and its text; without a text there is only a grid line.
struct PlotTick {
    double at = 0;
    QString text; // plain; may have several lines
};

// One value of every bar, stacked upon those of the stacks before it; negative values are stacked below zero.
struct PlotStack {
    std::vector<double> values; // one per bar, from left to right; 0: nothing is drawn
    QColor color; // invalid: invisible, what comes next stands on it
    bool hatched = false; // `color` is then ignored
    std::vector<int> pale; // the bars that are drawn pale
};

// A line through points, in the coordinates of the plot. Each is a series of its own, so there should be few.
struct PlotLine {
    std::vector<QPointF> points; // finite, ascending by x; at least two
    QColor color;
    bool filled = false; // lightly, down to the end of the plot
};

struct PlotDots {
    std::vector<QPointF> points;
    QColor color;
    double diameter = 3; // pixels
};

// A line across the whole plot: zero, a budget, a threshold.
struct PlotRule {
    double at = 0;
    QColor color;
    bool dashed = false;
};

// Bars have the centres 0, 1, 2, … from left to right; `left` and `right` are then -0.5 and the last centre + 0.5.
struct PlotSpec {
    QSize size; // of the whole chart, logical pixels
    QRectF area; // of the plot in it
    bool mirrored = false; // the value axis is at the right; x still runs from left to right
    double left = 0, right = 1, bottom = 0, top = 1; // coordinates of the area's edges
    std::vector<PlotTick> x, y; // ascending
    bool valueAxis = true; // whether there is a value axis with a grid
    std::vector<PlotStack> stacks;
    double barWidth = 1; // share of the distance between two bars
    std::vector<PlotLine> lines;
    std::vector<PlotDots> dots;
    std::vector<PlotRule> rules; // above the others
    std::vector<LegendPlace> legend;
};

// `color` mixed with the surface, as for a bar that is not final yet.
QColor paleColor(const QColor &color, const Theme &theme);

// Draws one PlotSpec. There is no view: the chart paints it, so Qt Charts has no focus, no pointer and no accessibility
// tree of its own. Owned by its chart; GUI thread.
class Plot {
public:
    explicit Plot(const Theme &theme);
    ~Plot();
    Plot(const Plot &) = delete;
    Plot &operator=(const Plot &) = delete;

    bool isBuilt() const { return m_built; }
    void build(PlotSpec spec);
    void invalidate(); // data, size or theme have changed: build() comes next
    void dropPixmap(); // of a chart that is not visible

    // With `keep`, from a pixmap that is drawn once for each pixel density.
    void paint(QPainter &painter, bool keep);

    // Where Qt Charts draws a point of the coordinates of the plot, in the chart's pixels. For tests.
    QPointF positionOf(const QPointF &point) const;

private:
    struct Parts; // the objects of Qt Charts
    void addStacks();
    void addLine(const PlotLine &line);
    void addDots(const PlotDots &dots);
    void addRule(const PlotRule &rule);
    void addMark(const LegendPlace &place);
    void addAxes();
    bool place();
    void placeLegend();
    void render(QPainter &painter);
    double snapped(double y) const;

    const Theme &m_theme;
    PlotSpec m_spec;
    std::unique_ptr<Parts> m_parts;
    QPixmap m_pixmap;
    bool m_built = false;
    bool m_placed = false;
};

} // namespace gpuledger::widgets
