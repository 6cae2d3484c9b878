// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/axis.h"
#include "widgets/charts/chart.h"
#include "widgets/charts/chartheader.h"

#include <QTimeZone>

#include <functional>
#include <limits>

namespace gpuledger::widgets {

// Everything a LineChart shows, as values; all texts are plain.
struct TimeLines {
    struct Series {
        QString name;
        std::vector<double> values; // one for each time; NaN is not observed
        SeriesColor color;
        bool filled = false; // softly, below the line
    };

    QString title; // at the top left
    QString note; // at the top right, the last value for example; with one, the legend stands below the title
    std::vector<qint64> times; // ms since the epoch, ascending
    qint64 step = 0; // usual distance of times, ms; a pause of more than 1.5 steps is a gap as well. 0: unknown
    std::vector<Series> series;
    double threshold = std::numeric_limits<double>::quiet_NaN(); // dashed line; NaN: none
    QString thresholdText; // on the line, "idle below 5 %"
    double minimum = 0; // of the axis; NaN: from the values
    double maximum = std::numeric_limits<double>::quiet_NaN();
    qreal axisRoom = 0; // px, at least, for the texts of the axis: charts above each other begin at the same place
    QTimeZone zone = QTimeZone::systemTimeZone(); // of the texts below the axis
    QString unit; // of the copied table
    QString name; // accessible name; empty: title
    QString source; // "From prod, 2 min old", for the hover card
    std::function<QString(double)> valueText; // exact, with unit; unset: number with two decimals
};

// Several series over time with axes, threshold, gaps and hover card. Where no series was observed the plot is hatched;
// no line goes through a gap. Owned by its parent; GUI thread.
class LineChart : public Chart {
    Q_OBJECT
public:
    explicit LineChart(const Theme &theme, QWidget *parent = nullptr);

    void setData(TimeLines data);
    const TimeLines &data() const { return m_data; }
    const ValueAxis &axis() const { return m_axis; }
    QRectF plotRect() const;
    // What title, note and legend take above the plot of a chart of that width, in px.
    int headerHeight(int width) const;
    // Where a value is drawn; y is NaN when it was not observed.
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
    void paintChart(QPainter &painter) const override;
    void paintFocus(QPainter &painter) const override;

private:
    double value(int series, int index) const;
    qreal xOf(qint64 time) const;
    qreal yOf(double value) const;
    QString valueText(double value) const;
    QString timeText(qint64 time, bool day) const;
    std::vector<LegendEntry> legend() const;
    // The points of one series with a missing one in each gap; of all series together for -1.
    std::vector<QPointF> points(int series) const;
    void paintGrid(QPainter &painter) const;
    void paintTimes(QPainter &painter) const;
    void paintThreshold(QPainter &painter) const;
    void paintMark(QPainter &painter) const;

    TimeLines m_data;
    ValueAxis m_axis;
    QRectF m_plot; // not mirrored
    qreal m_width = 0;
};

} // namespace gpuledger::widgets
