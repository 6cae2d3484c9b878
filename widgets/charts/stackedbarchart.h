// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/axis.h"
#include "widgets/charts/chart.h"
#include "widgets/charts/chartheader.h"

#include <functional>
#include <limits>

namespace gpuledger::widgets {

// All data of a StackedBarChart, as values; all texts are formatted and shown as plain text.
struct StackedBars {
    struct Series {
        QString name; // "active"
        SeriesColor color;
        bool hatched = false; // for what was not observed; `color` is then ignored
    };
    struct Bar {
        QString label; // below the axis, "22 Oct"
        QString title; // title of the card, "Thursday 22 October"; empty: the label
        std::vector<double> values; // one per series; NaN is unknown; negative values (credits) extend below zero
        QString key; // stable, preserves the current bar when the data change; empty: the label
        bool provisional = false; // may still change: drawn pale with an outline; the title should say so too
    };

    QString title; // at the top left; may be empty
    QString note; // at the top right, replacing a legend beside the title; may be empty
    std::vector<Series> series; // the first one is next to the axis
    std::vector<Bar> bars; // a bar whose values are all NaN was not observed and is hatched over the whole height
    double budget = std::numeric_limits<double>::quiet_NaN(); // dashed line; NaN: none
    QString budgetText; // on the line, "budget per day 15.5k"
    QString totalText; // label of the sum on the card; empty: "Total"
    QString provisionalText; // in the legend, for bars that may still change; empty: "not final yet"
    QString unit; // for the copied table, "USD"
    bool areNames = false; // every label is shown, cut if need be; otherwise every nth one, as for days
    QString name; // accessible name; empty: title
    QString source; // for the card: the source of the figures and their age
    std::function<QString(double)> valueText; // exact, with unit; unset: number with two decimals
};

// Stacked bars of states or series over days or other steps, with an axis, grid, budget line, legend and hover card.
// Owned by its parent; GUI thread.
class StackedBarChart : public Chart {
    Q_OBJECT
public:
    explicit StackedBarChart(const Theme &theme, QWidget *parent = nullptr);

    void setData(StackedBars data);
    const StackedBars &data() const { return m_data; }
    const ValueAxis &axis() const { return m_axis; }
    QRectF plotRect() const;
    // The rectangle of one value within its bar; empty if nothing is drawn. For tests and for the pointer.
    QRectF segmentRect(int bar, int series) const;

    int itemCount() const override { return static_cast<int>(m_data.bars.size()); }
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

private:
    double value(int bar, int series) const; // NaN if unknown
    double total(int bar) const; // NaN if all values are unknown
    QString valueText(double value) const;
    qreal gap() const; // between two bars
    QRectF barRect(int index) const;
    qreal yOf(double value) const;
    std::vector<LegendEntry> legend() const;
    void addStacks(PlotSpec &spec, double scale) const;
    void addLabels(PlotSpec &spec) const;
    void paintEdges(QPainter &painter) const;
    void paintBudget(QPainter &painter) const;

    StackedBars m_data;
    ValueAxis m_axis;
    QRectF m_plot; // not mirrored
    qreal m_width = 0; // the widget width used for the layout
    qreal m_pitch = 1;
    int m_stride = 1;
    LabelRows m_names; // if the labels are names
};

} // namespace gpuledger::widgets
