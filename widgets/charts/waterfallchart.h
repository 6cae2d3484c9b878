// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/axis.h"
#include "widgets/charts/chart.h"

#include <functional>

namespace gpuledger::widgets {

// All data of a WaterfallChart, as values; all texts are plain.
struct Waterfall {
    struct Step {
        enum class Kind { Start, Change, End };
        QString label; // below, "price"
        double value = 0; // Start and End: the level; Change: the difference; NaN: unknown
        Kind kind = Kind::Change;
        QString title; // of the card; empty: the label
    };

    QString title; // at the top left
    QString note; // at the top right, "against October, same days"
    std::vector<Step> steps; // usually Start, changes, End
    bool riseIsBad = true; // a rise in spend is bad, a rise in utilization good
    QString unit; // for the copied table
    QString name; // accessible name; empty: title
    QString source; // for the card: the source of the figures and their age
    // Exact, with unit and without a plus sign; unset: number with two decimals.
    std::function<QString(double)> valueText;
};

// A waterfall chart from a start level over rises and falls to an end level. Rises and falls differ by colour, by sign,
// and by the position of their connecting lines. If the changes would be too small to see, the lower part of start and
// end is cut off, and both show a break. All figures above the bars have one unit and one number of decimals. Owned by
// its parent; GUI thread.
class WaterfallChart : public Chart {
    Q_OBJECT
public:
    explicit WaterfallChart(const Theme &theme, QWidget *parent = nullptr);

    void setData(Waterfall data);
    const Waterfall &data() const { return m_data; }
    bool isCut() const { return m_axis.minimum > 0; } // whether the lower part is cut off
    QRectF barRect(int index) const; // empty if the value is unknown

    int itemCount() const override { return static_cast<int>(m_data.steps.size()); }
    QRectF itemRect(int index) const override;
    QString itemName(int index) const override;
    std::vector<HoverLine> itemLines(int index) const override;
    QString cardNote() const override { return m_data.source; }
    QString summary() const override;
    CopyTable table() const override;

    // With a sign for a change: "+38k", "−17k".
    QString shortText(int index) const;

protected:
    void layOut(const QSize &size) override;
    PlotSpec plotSpec() const override;
    void paintChart(QPainter &painter) const override;

private:
    struct Span {
        double from = 0;
        double to = 0; // the level after the step
    };
    const Waterfall::Step &step(int index) const { return m_data.steps[static_cast<std::size_t>(index)]; }
    QString valueText(int index) const;
    QColor barColor(int index) const;
    qreal yOf(double value) const;
    void computeSpans();
    void chooseAxis();
    void chooseFigures();
    void addStacks(PlotSpec &spec, double scale) const;
    void paintLabel(QPainter &painter, int index) const;
    bool isUnknown(int index) const;
    qreal barWidth() const;
    std::size_t slot(int index) const; // from the left
    void paintConnectors(QPainter &painter) const;
    void paintBar(QPainter &painter, int index) const;
    void paintBreak(QPainter &painter, const QRectF &bar) const;
    void paintFigure(QPainter &painter, int index) const;

    Waterfall m_data;
    std::vector<Span> m_spans;
    ValueAxis m_axis;
    FigureScale m_figures;
    QRectF m_plot;
    qreal m_width = 0;
    qreal m_pitch = 1;
    LabelRows m_labels; // the texts below the bars
};

} // namespace gpuledger::widgets
