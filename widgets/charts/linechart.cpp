// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/linechart.h"

#include "widgets/charts/linepainter.h"
#include "widgets/charts/plot.h"
#include "widgets/state/plaintext.h"
#include "widgets/theme/tabular.h"

#include <QDateTime>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr qreal kAxisGap = 6;
constexpr qreal kLabelGap = 5; // one more than Qt Charts has
constexpr std::size_t kMostPieces = 48; // 600 series would take Qt Charts a second
constexpr qreal kTickRoom = 32;
constexpr qreal kTimeRoom = 84; // minimum distance between two times

// The format of the locale; the C locale has none without seconds.
QString timeFormat()
{
    const QLocale locale;
    return locale.language() == QLocale::C ? QStringLiteral("HH:mm") : locale.timeFormat(QLocale::ShortFormat);
}

} // namespace

LineChart::LineChart(const Theme &theme, QWidget *parent)
    : Chart(theme, parent)
{
    dataChanged(tr("Lines over time"), -1);
}

void LineChart::setData(TimeLines data)
{
    const qint64 time = currentIndex() >= 0 ? m_data.times[static_cast<std::size_t>(currentIndex())] : 0;
    const bool atEnd = currentIndex() == itemCount() - 1;
    m_data = std::move(data);
    const auto same = std::lower_bound(m_data.times.begin(), m_data.times.end(), time);
    const QString name = m_data.name.isEmpty() ? m_data.title : m_data.name;
    // The latest point is the most relevant one, and new data are added at the end.
    dataChanged(name.isEmpty() ? tr("Lines over time") : name,
                atEnd ? itemCount() - 1 : static_cast<int>(same - m_data.times.begin()));
}

double LineChart::value(int series, int index) const
{
    const std::vector<double> &values = m_data.series[static_cast<std::size_t>(series)].values;
    const auto i = static_cast<std::size_t>(index);
    return i < values.size() && std::isfinite(values[i]) ? values[i] : std::numeric_limits<double>::quiet_NaN();
}

QString LineChart::valueText(double value) const
{
    if (std::isnan(value))
        return tr("not observed", "a value of a line");
    return m_data.valueText ? m_data.valueText(value) : QLocale().toString(value, 'f', 2);
}

// Below the axis: the time, or the day that begins there.
QString LineChart::tickText(qint64 time) const
{
    const QDateTime local = QDateTime::fromMSecsSinceEpoch(time, m_data.zone);
    if (m_times.days || local.time() == QTime(0, 0))
        return QLocale().toString(local.date(), tr("d MMM", "day and month below an axis, in the notation of Qt"));
    return QLocale().toString(local.time(), timeFormat());
}

int LineChart::headerHeight(int width) const
{
    return ChartHeader(theme(), m_data.title, m_data.note, legend(), width).height();
}

void LineChart::layOut(const QSize &size)
{
    m_width = size.width();
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    const auto take = [&](double one) {
        if (std::isfinite(one)) {
            low = std::min(low, one);
            high = std::max(high, one);
        }
    };
    for (int series = 0; series < static_cast<int>(m_data.series.size()); ++series) {
        for (int i = 0; i < itemCount(); ++i)
            take(value(series, i));
    }
    take(m_data.threshold);
    take(m_data.minimum);
    take(m_data.maximum);
    const QFont font = theme().font(TextSize::Caption);
    const QFontMetricsF metrics(font);
    // Whole pixels, so that the grid is crisp.
    const qreal top = std::ceil(headerHeight(size.width()) + metrics.height() / 2);
    const qreal bottom = std::floor(size.height() - metrics.height() - kLabelGap);
    m_axis = niceAxis(low, high, std::max(2, static_cast<int>((bottom - top) / kTickRoom) + 1));
    qreal left = 0;
    for (const double tick : m_axis.ticks)
        left = std::max(left, tabularWidth(font, axisText(tick, m_axis.step)));
    left = std::ceil(std::max(left, m_data.axisRoom) + kAxisGap);
    // Leaves room for the dot and half the line width at both ends.
    m_plot = QRectF(left, top, std::max(1.0, size.width() - left - 2), std::max(1.0, bottom - top));
    countPieces();
    m_times = {};
    if (m_data.times.empty())
        return;
    m_times = niceTimes(m_data.times.front(), m_data.times.back(),
                        std::max(1, static_cast<int>(m_plot.width() / kTimeRoom)), m_data.zone);
    // A text is always centred at its time, so there is none that would reach beyond the chart.
    std::erase_if(m_times.times, [&](qint64 time) {
        const qreal half = metrics.horizontalAdvance(tickText(time)) / 2;
        return xOf(time) < half || xOf(time) + half > m_width;
    });
}

QRectF LineChart::plotRect() const
{
    return mirroredRect(m_plot, m_width, isMirrored());
}

qreal LineChart::xOf(qint64 time) const
{
    if (m_data.times.size() < 2 || m_data.times.back() <= m_data.times.front())
        return plotRect().center().x();
    const double share = static_cast<double>(time - m_data.times.front())
        / static_cast<double>(m_data.times.back() - m_data.times.front());
    return plotRect().left() + share * m_plot.width();
}

qreal LineChart::yOf(double value) const
{
    return m_plot.bottom() - m_axis.share(value) * m_plot.height();
}

QPointF LineChart::pointAt(int series, int index) const
{
    const qreal x = xOf(m_data.times[static_cast<std::size_t>(index)]);
    const double one = value(series, index);
    return {x, std::isnan(one) ? one : yOf(one)};
}

QRectF LineChart::itemRect(int index) const
{
    const auto i = static_cast<std::size_t>(index);
    const qreal x = xOf(m_data.times[i]);
    const qreal from = i > 0 ? (xOf(m_data.times[i - 1]) + x) / 2 : plotRect().left();
    const qreal to = i + 1 < m_data.times.size() ? (x + xOf(m_data.times[i + 1])) / 2 : plotRect().right();
    return {from, m_plot.top(), to - from, m_plot.height()};
}

QString LineChart::itemName(int index) const
{
    const QDateTime local = QDateTime::fromMSecsSinceEpoch(m_data.times[static_cast<std::size_t>(index)], m_data.zone);
    return QLocale().toString(local.date(), tr("d MMM yyyy", "a date, in the notation of Qt")) + QLatin1Char(' ')
        + QLocale().toString(local.time(), timeFormat());
}

std::vector<HoverLine> LineChart::itemLines(int index) const
{
    std::vector<HoverLine> lines;
    for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i) {
        const TimeLines::Series &series = m_data.series[static_cast<std::size_t>(i)];
        lines.push_back({series.name, valueText(value(i, index)), m_data.series.size() == 1,
                         m_data.series.size() > 1 ? series.color.resolve(theme()) : QColor()});
    }
    return lines;
}

QString LineChart::summary() const
{
    if (m_data.times.empty() || m_data.series.empty())
        return tr("No data");
    QStringList parts;
    for (int series = 0; series < static_cast<int>(m_data.series.size()); ++series) {
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        double last = low;
        int missing = 0;
        for (int i = 0; i < itemCount(); ++i) {
            const double one = value(series, i);
            missing += std::isnan(one);
            if (std::isnan(one))
                continue;
            low = std::min(low, one);
            high = std::max(high, one);
            last = one;
        }
        const QString name = m_data.series[static_cast<std::size_t>(series)].name;
        if (missing == itemCount()) {
            parts << tr("%1: nothing observed").arg(name);
            continue;
        }
        parts << tr("%1: lowest %2, highest %3, last %4").arg(name, valueText(low), valueText(high), valueText(last));
        if (missing > 0)
            parts << tr("%n points not observed", "", missing);
    }
    if (std::isfinite(m_data.threshold))
        parts << (m_data.thresholdText.isEmpty() ? tr("threshold %1").arg(valueText(m_data.threshold))
                                                 : m_data.thresholdText);
    return tr("From %1 to %2").arg(itemName(0), itemName(itemCount() - 1)) + QStringLiteral("; ")
        + parts.join(QStringLiteral("; "));
}

CopyTable LineChart::table() const
{
    CopyTable table;
    const QString unit = m_data.unit.isEmpty() ? QString() : QStringLiteral(", ") + m_data.unit;
    QStringList header{tr("Time")};
    for (const TimeLines::Series &series : m_data.series)
        header << series.name + unit;
    table.addHeader(header);
    for (int i = 0; i < itemCount(); ++i) {
        table.beginRow();
        // A format that every spreadsheet reads, with the UTC offset.
        const QDateTime time = QDateTime::fromMSecsSinceEpoch(m_data.times[static_cast<std::size_t>(i)], m_data.zone);
        table.addText(time.toOffsetFromUtc(time.offsetFromUtc()).toString(Qt::ISODate));
        for (int series = 0; series < static_cast<int>(m_data.series.size()); ++series)
            table.addNumber(value(series, i));
    }
    return table;
}

std::vector<LegendEntry> LineChart::legend() const
{
    std::vector<LegendEntry> entries;
    if (m_data.series.size() > 1 && itemCount() > 0) {
        for (const TimeLines::Series &series : m_data.series)
            entries.push_back({series.name, series.color, false, true});
    }
    return entries;
}

std::vector<QPointF> LineChart::points(int series) const
{
    std::vector<QPointF> result;
    const double missing = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < itemCount(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const qint64 pause = i > 0 ? m_data.times[at] - m_data.times[at - 1] : 0;
        QPointF point = pointAt(std::max(0, series), i);
        if (m_data.step > 0 && pause > m_data.step + m_data.step / 2)
            result.emplace_back((result.back().x() + point.x()) / 2, missing);
        for (int other = 0; series < 0 && other < static_cast<int>(m_data.series.size()) && std::isnan(point.y());
             ++other)
            point = pointAt(other, i);
        result.push_back(point);
    }
    return result;
}

PlotSpec LineChart::plotSpec() const
{
    PlotSpec spec;
    spec.size = {static_cast<int>(m_width), height()};
    spec.area = plotRect();
    spec.mirrored = isMirrored();
    for (const double tick : m_axis.ticks)
        spec.y.push_back({m_axis.share(tick), axisText(tick, m_axis.step)});
    for (const qint64 time : m_times.times)
        spec.x.push_back({(xOf(time) - spec.area.left()) / spec.area.width(), tickText(time)});
    for (int i = 0; i < static_cast<int>(m_data.series.size()) && !m_isBroken; ++i)
        addSeries(spec, i);
    if (m_axis.minimum < 0 && m_axis.maximum > 0)
        spec.rules.push_back({m_axis.share(0), theme().color(Color::Outline), false});
    if (std::isfinite(m_data.threshold))
        spec.rules.push_back({m_axis.share(m_data.threshold), theme().color(Color::Critical), true});
    spec.legend =
        ChartHeader(theme(), m_data.title, m_data.note, legend(), static_cast<int>(m_width)).legend(isMirrored());
    return spec;
}

// As shares of the plot: neither milliseconds nor huge values are exact enough for Qt Charts.
void LineChart::addSeries(PlotSpec &spec, int series) const
{
    const TimeLines::Series &one = m_data.series[static_cast<std::size_t>(series)];
    const QColor color = one.color.resolve(theme());
    PlotDots dots{{}, color};
    for (const QPolygonF &piece : linePieces(points(series))) {
        PlotLine line{{}, color, one.filled};
        for (const QPointF &point : piece)
            line.points.emplace_back((point.x() - spec.area.left()) / spec.area.width(),
                                     (spec.area.bottom() - point.y()) / spec.area.height());
        if (line.points.size() > 1)
            spec.lines.push_back(std::move(line));
        else
            dots.points.push_back(line.points.front());
    }
    if (!dots.points.empty())
        spec.dots.push_back(std::move(dots));
}

void LineChart::countPieces()
{
    std::size_t pieces = 0;
    for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i) {
        for (const QPolygonF &piece : linePieces(points(i)))
            pieces += piece.size() > 1 ? 1 : 0;
    }
    m_isBroken = pieces > kMostPieces;
}

void LineChart::paintLines(QPainter &painter) const
{
    const QRectF plot = plotRect();
    painter.save();
    painter.setClipRect(plot.adjusted(-2, -2, 2, 2), Qt::IntersectClip);
    for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i) {
        const TimeLines::Series &series = m_data.series[static_cast<std::size_t>(i)];
        paintLine(painter, points(i), {series.color.resolve(theme()), 1.5, series.filled, plot.bottom()});
    }
    painter.restore();
}

void LineChart::paintChart(QPainter &painter) const
{
    ChartHeader(theme(), m_data.title, m_data.note, legend(), static_cast<int>(m_width)).paint(painter, isMirrored());
    const QRectF plot = plotRect();
    if (itemCount() == 0)
        return paintEmpty(painter, plot);
    if (!m_data.series.empty())
        paintGaps(painter, points(-1), plot, theme());
    paintPlot(painter);
    if (m_isBroken)
        paintLines(painter);
    paintThreshold(painter);
    paintTimes(painter);
    if (showsMarks())
        paintMark(painter);
}

// The ticks; their texts belong to the axis, which has ticks only together with a line.
void LineChart::paintTimes(QPainter &painter) const
{
    for (const qint64 time : m_times.times)
        painter.fillRect(QRectF(std::round(xOf(time)), m_plot.bottom() + 1, 1, 3), theme().color(Color::Outline));
}

void LineChart::paintThreshold(QPainter &painter) const
{
    if (!std::isfinite(m_data.threshold) || m_data.thresholdText.isEmpty())
        return;
    const QRectF plot = plotRect();
    const qreal y = yOf(m_data.threshold);
    painter.setFont(theme().font(TextSize::Caption));
    const QFontMetricsF metrics(painter.font());
    const qreal width = std::min(plot.width(), metrics.horizontalAdvance(plainLine(m_data.thresholdText)) + 10);
    QRectF text(m_plot.right() - width, y - metrics.height() - 3, width, metrics.height());
    if (text.top() < m_plot.top())
        text.moveTop(y + 3);
    text = mirroredRect(text, m_width, isMirrored());
    painter.fillRect(text, theme().color(Color::Surface));
    painter.setPen(theme().color(Color::Critical));
    paintText(painter, text.adjusted(4, 0, -4, 0), isMirrored() ? Qt::AlignLeft : Qt::AlignRight, m_data.thresholdText);
}

void LineChart::paintMark(QPainter &painter) const
{
    const int index = hoverIndex() >= 0 ? hoverIndex() : hasFocus() ? currentIndex() : -1;
    if (index < 0)
        return;
    const qreal x = xOf(m_data.times[static_cast<std::size_t>(index)]);
    painter.fillRect(QRectF(std::round(x), m_plot.top(), 1, m_plot.height()), theme().color(Color::Outline));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i) {
        const QPointF point = pointAt(i, index);
        if (std::isnan(point.y()))
            continue;
        painter.setPen(QPen(theme().color(Color::Surface), 2));
        painter.setBrush(m_data.series[static_cast<std::size_t>(i)].color.resolve(theme()));
        painter.drawEllipse(point, 4, 4);
    }
    painter.restore();
}

// Around the whole plot: the current point has its own mark.
void LineChart::paintFocus(QPainter &painter) const
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
