// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/axis.h"
#include "widgets/charts/chart.h"
#include "widgets/charts/chartheader.h"

#include <functional>
#include <limits>

namespace gpuledger::widgets {

// All data of a BandChart, as values; all texts are plain.
struct BandLines {
    struct Series {
        QString name;
        std::vector<double> values; // one per x; NaN or infinite: unknown
        SeriesColor color;
    };
    struct Tick {
        double x = 0;
        QString text;
    };
    struct Mark {
        double x = 0;
        QString text;
        SeriesColor color = Color::Good;
    };

    QString title, note; // at the top
    QString xName; // below the axis, and the first head of the copied table
    QString yUnit; // for the copied table; empty: none
    std::vector<double> xs; // ascending, finite; above zero with `logarithmic`
    bool logarithmic = false; // the x axis
    std::vector<Tick> ticks; // below the plot, ascending; those without room are left out. Empty: round numbers
    std::vector<Series> series;
    std::vector<double> low, high; // one per x, around the first series; empty: no band
    QString bandName; // in the legend
    std::vector<Mark> marks; // dotted lines over the height of the plot; outside of `xs` they are not drawn
    double reference = std::numeric_limits<double>::quiet_NaN(); // dashed line across; NaN: none
    QString referenceText; // on the line
    std::vector<bool> shaded; // by point; empty: none
    QString shadedName; // in the legend
    double minimum = std::numeric_limits<double>::quiet_NaN(); // of the y axis; NaN: from the values
    QString name; // accessible name; empty: title
    QString source; // for the hover card
    std::function<QString(double)> xText; // name of a point, "22 min"; unset: a number
    std::function<QString(double)> valueText; // exact, with unit; unset: a number
};

// Lines over values, times or lengths of time, the spread of the first one as a band, places marked on the x axis and a
// reference across: what a figure depends on. Owned by its parent; GUI thread.
class BandChart : public Chart {
    Q_OBJECT
public:
    explicit BandChart(const Theme &theme, QWidget *parent = nullptr);

    void setData(BandLines data);
    const BandLines &data() const { return m_data; }
    QRectF plotRect() const;
    // In the chart's pixels; y is NaN if the value is unknown.
    QPointF pointAt(int series, int index) const;
    qreal xOf(double x) const;

    int itemCount() const override { return static_cast<int>(m_data.xs.size()); }
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
    struct PlacedMark {
        std::size_t mark = 0;
        QRectF text;
    };
    bool hasBand() const { return !m_data.low.empty() && !m_data.series.empty(); }
    double share(double x) const; // of the x axis
    qreal yOf(double value) const;
    QString valueText(double value) const;
    std::vector<LegendEntry> legend() const;
    void layOutValues(qreal top, qreal bottom, int width);
    void placeTicks();
    void placeMarks(qreal top);
    void paintBand(QPainter &painter) const;
    void paintMarks(QPainter &painter) const;
    void paintReference(QPainter &painter) const;
    void paintCurrent(QPainter &painter) const;

    BandLines m_data;
    ValueAxis m_y;
    std::vector<BandLines::Tick> m_ticks; // with room
    std::vector<PlacedMark> m_marks;
    QRectF m_plot; // not mirrored
    qreal m_width = 0, m_height = 0;
};

} // namespace gpuledger::widgets
