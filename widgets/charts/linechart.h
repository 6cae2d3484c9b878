// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/axis.h"
#include "widgets/charts/chart.h"
#include "widgets/charts/chartheader.h"

#include <QTimeZone>

#include <functional>
#include <limits>

namespace gpuledger::widgets {

// All data of a LineChart, as values; all texts are plain.
struct TimeLines {
    struct Series {
        QString name;
        std::vector<double> values; // one per time; NaN means not observed
        SeriesColor color;
        bool filled = false; // lightly, below the line
    };

    QString title; // at the top left
    QString note; // at the top right, for example the last value; with a note, the legend is below the title
    std::vector<qint64> times; // ms since the epoch, ascending
    qint64 step = 0; // usual distance between times, ms; a distance of more than 1.5 steps is a gap as well. 0: unknown
    std::vector<Series> series;
    double threshold = std::numeric_limits<double>::quiet_NaN(); // dashed line; NaN: none
    QString thresholdText; // on the line, "idle below 5 %"
    double minimum = 0; // of the axis; NaN: from the values
    double maximum = std::numeric_limits<double>::quiet_NaN();
    qreal axisRoom = 0; // px, at least, for the axis texts, so that charts above each other start at the same position
    QTimeZone zone = QTimeZone::systemTimeZone(); // for the texts below the axis
    QString unit; // for the copied table
    QString name; // accessible name; empty: title
    QString source; // "From prod, 2 min old", for the hover card
    std::function<QString(double)> valueText; // exact, with unit; unset: number with two decimals
};

// Several series over time with axes, threshold, gaps and hover card. The plot is hatched where no series was observed;
// lines are interrupted at gaps. Owned by its parent; GUI thread.
class LineChart : public Chart {
    Q_OBJECT
public:
    explicit LineChart(const Theme &theme, QWidget *parent = nullptr);

    void setData(TimeLines data);
    const TimeLines &data() const { return m_data; }
    const ValueAxis &axis() const { return m_axis; }
    QRectF plotRect() const;
    // Height of title, note and legend above the plot of a chart of that width, in px.
    int headerHeight(int width) const;
    // The position of a value; y is NaN if it was not observed.
    QPointF pointAt(int series, int index) const;

    int itemCount() const override { return static_cast<int>(m_data.times.size()); }
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
    double value(int series, int index) const;
    qreal xOf(qint64 time) const;
    qreal yOf(double value) const;
    QString valueText(double value) const;
    QString tickText(qint64 time) const;
    std::vector<LegendEntry> legend() const;
    // The points of one series, with a NaN point in each gap; for -1, those of all series together.
    std::vector<QPointF> points(int series) const;
    void addSeries(PlotSpec &spec, int series) const;
    void countPieces();
    void paintLines(QPainter &painter) const;
    void paintTimes(QPainter &painter) const;
    void paintThreshold(QPainter &painter) const;
    void paintMark(QPainter &painter) const;

    TimeLines m_data;
    ValueAxis m_axis;
    TimeTicks m_times; // below the axis
    QRectF m_plot; // not mirrored
    qreal m_width = 0;
    bool m_isBroken = false; // into more pieces than Qt Charts can draw quickly
};

} // namespace gpuledger::widgets
