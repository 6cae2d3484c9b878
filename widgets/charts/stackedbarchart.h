// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/axis.h"
#include "widgets/charts/chart.h"
#include "widgets/charts/chartheader.h"

#include <functional>
#include <limits>

namespace gpuledger::widgets {

// Everything a StackedBarChart shows, as values; all texts are ready for people and are shown as plain text.
struct StackedBars {
    struct Series {
        QString name; // "active"
        SeriesColor color;
        bool hatched = false; // for what was not observed; `color` is not used then
    };
    struct Bar {
        QString label; // below the axis, "22 Oct"; not every one has room
        QString title; // of the card, "Thursday 22 October"; empty: the label
        std::vector<double> values; // one for each series; NaN is not known; negative ones (credits) hang below zero
        QString key; // stable, keeps the current bar over new data; empty: the label
    };

    QString title; // at the top left; may be empty
    QString note; // at the top right, instead of a legend beside the title; may be empty
    std::vector<Series> series; // the first one lies at the axis
    std::vector<Bar> bars; // a bar whose values are all NaN was not observed and is hatched over the whole height
    double budget = std::numeric_limits<double>::quiet_NaN(); // dashed line; NaN: none
    QString budgetText; // on the line, "budget per day 15.5k"
    QString totalText; // name of the sum on the card, "Total"; empty: "Total"
    QString unit; // of the copied table, "USD"
    QString name; // accessible name; empty: title
    QString source; // of the card: where the figures are from and how old they are
    std::function<QString(double)> valueText; // exact, with unit; unset: number with two decimals
};

// Bars of stacked states or series over days or other steps, with an axis, grid, budget line, legend and hover card.
// Owned by its parent; GUI thread.
class StackedBarChart : public Chart {
    Q_OBJECT
public:
    explicit StackedBarChart(const Theme &theme, QWidget *parent = nullptr);

    void setData(StackedBars data);
    const StackedBars &data() const { return m_data; }
    const ValueAxis &axis() const { return m_axis; }
    QRectF plotRect() const { return m_plot; }
    // Of one value within its bar; empty when nothing is drawn. For tests and for the pointer.
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
    void paintChart(QPainter &painter) const override;

private:
    double value(int bar, int series) const; // NaN when not known
    double total(int bar) const; // NaN when nothing is known
    QString valueText(double value) const;
    QRectF barRect(int index) const;
    qreal yOf(double value) const;
    std::vector<LegendEntry> legend() const;
    void paintGrid(QPainter &painter) const;
    void paintBars(QPainter &painter) const;
    void paintLabels(QPainter &painter) const;
    void paintBudget(QPainter &painter) const;

    StackedBars m_data;
    ValueAxis m_axis;
    QRectF m_plot;
    qreal m_width = 0; // of the widget that was laid out for
    qreal m_pitch = 1;
    int m_stride = 1;
};

} // namespace gpuledger::widgets
