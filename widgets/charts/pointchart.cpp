// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/pointchart.h"

#include "widgets/charts/plot.h"
#include "widgets/theme/tabular.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr qreal kPointAxisGap = 6;
constexpr qreal kPointLabelGap = 5;
constexpr qreal kPointTickRoom = 32; // at least, between two ticks of the value axis
constexpr qreal kPointStepRoom = 72; // and of the other one
constexpr qreal kLeastBand = 6; // px in which a point can be hit

constexpr double kDot = 8, kMarkedDot = 12; // px

SeriesColor markedColor()
{
    return Color::Critical;
}

} // namespace

PointChart::PointChart(const Theme &theme, QWidget *parent)
    : Chart(theme, parent)
{
    dataChanged(tr("Curve"), -1);
}

void PointChart::setData(CurvePoints data)
{
    const QString before = currentIndex() >= 0 && currentIndex() < itemCount() ? at(currentIndex()).name : QString();
    m_data = std::move(data);
    int current = -1;
    for (int i = 0; i < itemCount(); ++i) {
        if (at(i).name == before)
            current = i;
    }
    for (int i = 0; i < itemCount() && current < 0; ++i) {
        if (at(i).marked)
            current = i;
    }
    dataChanged(m_data.name.isEmpty() ? tr("Curve") : m_data.name, current);
}

void PointChart::layOut(const QSize &size)
{
    m_width = size.width();
    m_height = size.height();
    double highX = 0, highY = 0;
    for (const CurvePoints::Point &point : m_data.points) {
        highX = std::max(highX, point.x);
        highY = std::max(highY, point.y);
    }
    const QFont font = theme().font(TextSize::Caption);
    const QFontMetricsF metrics(font);
    const qreal header = ChartHeader(theme(), m_data.title, m_data.note, legend(), size.width()).height();
    // Whole pixels, so that the grid is crisp. Below the plot: the ticks' texts and the name of the axis.
    const qreal top = std::ceil(header + metrics.height() / 2);
    const qreal bottom = std::floor(size.height() - 2 * metrics.height() - kPointLabelGap);
    m_y = niceAxis(0, std::max(highY, 1.0), std::max(2, static_cast<int>((bottom - top) / kPointTickRoom) + 1));
    m_x = niceAxis(0, std::max(highX, 1.0), std::max(2, static_cast<int>(size.width() / kPointStepRoom)));
    qreal left = 0, side = 0;
    for (const double tick : m_y.ticks)
        left = std::max(left, tabularWidth(font, axisText(tick, m_y.step)));
    for (const double tick : m_x.ticks)
        side = std::max(side, tabularWidth(font, axisText(tick, m_x.step)) / 2);
    left = std::ceil(std::max(left + kPointAxisGap, side));
    m_plot = QRectF(left, top, std::max(1.0, size.width() - left - std::ceil(side) - 2), std::max(1.0, bottom - top));
}

QRectF PointChart::plotRect() const
{
    return mirroredRect(m_plot, m_width, isMirrored());
}

QPointF PointChart::pointAt(int index) const
{
    const QRectF plot = plotRect();
    return {plot.left() + m_x.share(at(index).x) * plot.width(),
            plot.bottom() - m_y.share(at(index).y) * plot.height()};
}

// From halfway to the point before to halfway to the next one.
QRectF PointChart::itemRect(int index) const
{
    const QRectF plot = plotRect();
    const qreal x = pointAt(index).x();
    qreal from = index > 0 ? (pointAt(index - 1).x() + x) / 2 : plot.left();
    qreal to = index + 1 < itemCount() ? (x + pointAt(index + 1).x()) / 2 : plot.right();
    from = std::min(from, x - kLeastBand / 2);
    to = std::max(to, x + kLeastBand / 2);
    return {from, plot.top(), to - from, plot.height()};
}

QString PointChart::itemName(int index) const
{
    return at(index).marked && !m_data.markedName.isEmpty() && at(index).name != m_data.markedName
        ? tr("%1, %2", "name of a point, what it is").arg(at(index).name, m_data.markedName)
        : at(index).name;
}

std::vector<HoverLine> PointChart::itemLines(int index) const
{
    return at(index).lines;
}

QString PointChart::summary() const
{
    if (itemCount() == 0)
        return tr("No data");
    return tr("%1 over %2; from %3 to %4", "two axes, first and last point")
        .arg(m_data.yName, m_data.xName, itemText(0), itemText(itemCount() - 1));
}

CopyTable PointChart::table() const
{
    CopyTable table;
    table.addHeader({m_data.lineName, m_data.xName, m_data.yName});
    for (int i = 0; i < itemCount(); ++i) {
        table.beginRow();
        table.addText(itemName(i));
        table.addNumber(at(i).x);
        table.addNumber(at(i).y);
    }
    return table;
}

std::vector<LegendEntry> PointChart::legend() const
{
    std::vector<LegendEntry> entries;
    if (itemCount() == 0)
        return entries;
    entries.push_back({m_data.lineName, SeriesColor(), false, true});
    if (std::any_of(m_data.points.begin(), m_data.points.end(), [](const auto &point) { return point.marked; }))
        entries.push_back({m_data.markedName, markedColor()});
    return entries;
}

// As shares of the plot, like the line chart.
PlotSpec PointChart::plotSpec() const
{
    PlotSpec spec;
    spec.size = {static_cast<int>(m_width), static_cast<int>(m_height)};
    spec.area = plotRect();
    spec.mirrored = isMirrored();
    for (const double tick : m_y.ticks)
        spec.y.push_back({m_y.share(tick), axisText(tick, m_y.step)});
    for (const double tick : m_x.ticks)
        spec.x.push_back({m_x.share(tick), axisText(tick, m_x.step)});
    const QColor color = SeriesColor().resolve(theme());
    PlotLine line{{}, color, false};
    PlotDots dots{{}, color, kDot}, marked{{}, markedColor().resolve(theme()), kMarkedDot};
    for (const CurvePoints::Point &point : m_data.points) {
        const QPointF place(m_x.share(point.x), m_y.share(point.y));
        (point.marked ? marked : dots).points.push_back(place);
        if (!point.marked)
            line.points.push_back(place);
    }
    if (line.points.size() > 1)
        spec.lines.push_back(std::move(line));
    for (PlotDots *some : {&dots, &marked}) {
        if (!some->points.empty())
            spec.dots.push_back(std::move(*some));
    }
    spec.legend =
        ChartHeader(theme(), m_data.title, m_data.note, legend(), static_cast<int>(m_width)).legend(isMirrored());
    return spec;
}

void PointChart::paintChart(QPainter &painter) const
{
    ChartHeader(theme(), m_data.title, m_data.note, legend(), static_cast<int>(m_width)).paint(painter, isMirrored());
    const QRectF plot = plotRect();
    if (itemCount() == 0)
        return paintEmpty(painter, plot);
    paintPlot(painter);
    painter.setFont(theme().font(TextSize::Caption));
    painter.setPen(theme().color(Color::Muted));
    const qreal line = QFontMetricsF(painter.font()).height();
    paintText(painter, QRectF(plot.left(), m_height - line, plot.width(), line),
              isMirrored() ? Qt::AlignLeft : Qt::AlignRight, m_data.xName);
    if (showsMarks())
        paintMark(painter);
}

void PointChart::paintMark(QPainter &painter) const
{
    const int index = hoverIndex() >= 0 ? hoverIndex() : hasFocus() ? currentIndex() : -1;
    if (index < 0 || index >= itemCount())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().color(Color::Surface), 2));
    painter.setBrush((at(index).marked ? markedColor() : SeriesColor()).resolve(theme()));
    constexpr qreal kRadius = 6;
    painter.drawEllipse(pointAt(index), kRadius, kRadius);
    painter.restore();
}

// Around the whole plot: the current point has its own mark.
void PointChart::paintFocus(QPainter &painter) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().color(Color::Accent), 2));
    painter.setBrush(Qt::NoBrush);
    const int radius = theme().radius(Radius::Control);
    painter.drawRoundedRect(plotRect().adjusted(-1, -1, 1, 1) & QRectF(rect()).adjusted(1, 1, -1, -1), radius, radius);
    painter.restore();
}

} // namespace gpuledger::widgets
