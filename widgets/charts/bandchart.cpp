// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/bandchart.h"

#include "widgets/charts/linepainter.h"
#include "widgets/charts/plot.h"
#include "widgets/state/plaintext.h"
#include "widgets/theme/tabular.h"

#include <QFontMetricsF>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr qreal kBandAxisGap = 6;
constexpr qreal kBandLabelGap = 5;
constexpr qreal kBandTickRoom = 32; // at least, between two ticks of the value axis
constexpr qreal kBandStepRoom = 72; // and of the other one
constexpr qreal kBandTextGap = 8; // between two texts on one line
constexpr double kBandLimit = 1e300;

double clampedValue(double value)
{
    return std::clamp(value, -kBandLimit, kBandLimit);
}

} // namespace

BandChart::BandChart(const Theme &theme, QWidget *parent)
    : Chart(theme, parent)
{
    dataChanged(tr("Curve"), -1);
}

// A series or a band with another number of values than there are points is filled up with unknown ones.
void BandChart::setData(BandLines data)
{
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    m_data = std::move(data);
    const auto count = m_data.xs.size();
    for (BandLines::Series &series : m_data.series)
        series.values.resize(count, unknown);
    if (hasBand()) {
        m_data.low.resize(count, unknown);
        m_data.high.resize(count, unknown);
    }
    if (!m_data.shaded.empty())
        m_data.shaded.resize(count, false);
    const QString name = m_data.name.isEmpty() ? m_data.title : m_data.name;
    dataChanged(name.isEmpty() ? tr("Curve") : name, currentIndex());
}

double BandChart::share(double x) const
{
    const double first = m_data.xs.front(), last = m_data.xs.back();
    if (!(last > first))
        return 0.5;
    if (m_data.logarithmic && first > 0)
        return std::log(x / first) / std::log(last / first);
    return (clampedValue(x) - clampedValue(first)) / (clampedValue(last) - clampedValue(first));
}

qreal BandChart::xOf(double x) const
{
    const QRectF plot = plotRect();
    return plot.left() + share(x) * plot.width();
}

qreal BandChart::yOf(double value) const
{
    return m_plot.bottom() - m_y.share(value) * m_plot.height();
}

QRectF BandChart::plotRect() const
{
    return mirroredRect(m_plot, m_width, isMirrored());
}

QPointF BandChart::pointAt(int series, int index) const
{
    const auto at = static_cast<std::size_t>(index);
    const double value = m_data.series[static_cast<std::size_t>(series)].values[at];
    return {xOf(m_data.xs[at]), std::isfinite(value) ? yOf(value) : std::numeric_limits<double>::quiet_NaN()};
}

void BandChart::layOutValues(qreal top, qreal bottom, int width)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    const auto take = [&](double value) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    };
    for (const BandLines::Series &series : m_data.series)
        std::for_each(series.values.begin(), series.values.end(), take);
    if (hasBand()) {
        std::for_each(m_data.low.begin(), m_data.low.end(), take);
        std::for_each(m_data.high.begin(), m_data.high.end(), take);
    }
    take(m_data.reference);
    take(m_data.minimum);
    const QFont font = theme().font(TextSize::Caption);
    m_y = niceAxis(low, high, std::max(2, static_cast<int>((bottom - top) / kBandTickRoom) + 1));
    qreal left = 0;
    for (const double tick : m_y.ticks)
        left = std::max(left, tabularWidth(font, axisText(tick, m_y.step)));
    left = std::ceil(left + kBandAxisGap);
    m_plot = QRectF(left, top, std::max(1.0, width - left - 2), std::max(1.0, bottom - top));
}

void BandChart::layOut(const QSize &size)
{
    m_width = size.width();
    m_height = size.height();
    m_ticks.clear();
    m_marks.clear();
    const QFontMetricsF metrics(theme().font(TextSize::Caption));
    const qreal header = ChartHeader(theme(), m_data.title, m_data.note, legend(), size.width()).height();
    // Whole pixels, so that the grid is crisp. Below the plot: the ticks' texts and the name of the axis.
    const qreal top = std::ceil(header + metrics.height() / 2);
    const qreal bottom = std::floor(size.height() - 2 * metrics.height() - kBandLabelGap);
    layOutValues(top, bottom, size.width());
    if (itemCount() == 0)
        return;
    placeMarks(top);
    if (!m_marks.empty()) { // their texts are above the plot, which gets smaller but keeps about its width
        qreal below = top;
        for (const PlacedMark &mark : m_marks)
            below = std::max(below, mark.text.bottom());
        layOutValues(std::ceil(below + metrics.height() / 2), bottom, size.width());
        placeMarks(top);
    }
    placeTicks();
}

// Those that don't touch the one before; a text is centred at its place, so there is none that would reach beyond the
// chart.
void BandChart::placeTicks()
{
    std::vector<BandLines::Tick> all = m_data.ticks;
    if (all.empty() && !m_data.logarithmic) {
        const ValueAxis axis = niceAxis(m_data.xs.front(), m_data.xs.back(),
                                        std::max(2, static_cast<int>(m_plot.width() / kBandStepRoom)));
        for (const double tick : axis.ticks)
            all.push_back({tick, axisText(tick, axis.step)});
    }
    const QFontMetricsF metrics(theme().font(TextSize::Caption));
    qreal end = 0;
    for (BandLines::Tick &tick : all) {
        const double at = share(tick.x);
        if (!std::isfinite(at) || at < -1e-9 || at > 1 + 1e-9)
            continue;
        const qreal half = metrics.horizontalAdvance(plainLine(tick.text)) / 2;
        const qreal x = xOf(tick.x);
        if (x - half < end || x + half > m_width)
            continue;
        end = x + half + kBandTextGap;
        m_ticks.push_back(std::move(tick));
    }
}

// Beside their lines, in the first row in which they touch no other text.
void BandChart::placeMarks(qreal top)
{
    m_marks.clear();
    const QFontMetricsF metrics(theme().font(TextSize::Caption));
    for (std::size_t i = 0; i < m_data.marks.size(); ++i) {
        const double at = share(m_data.marks[i].x);
        if (!std::isfinite(at) || at < 0 || at > 1)
            continue;
        const qreal width = std::min(metrics.horizontalAdvance(plainLine(m_data.marks[i].text)) + 2, m_width);
        const qreal x = xOf(m_data.marks[i].x);
        QRectF text(x + 4, top, width, metrics.height());
        if (text.right() > m_width)
            text.moveRight(std::max(x - 4, width));
        const auto touches = [&] {
            return std::any_of(m_marks.begin(), m_marks.end(), [&](const PlacedMark &other) {
                return other.text.adjusted(-kBandTextGap, 0, kBandTextGap, 0).intersects(text);
            });
        };
        while (touches())
            text.translate(0, metrics.height());
        m_marks.push_back({i, text});
    }
}

// From halfway to the point before to halfway to the next one.
QRectF BandChart::itemRect(int index) const
{
    const QRectF plot = plotRect();
    const auto at = [this](int i) { return xOf(m_data.xs[static_cast<std::size_t>(i)]); };
    const qreal from = index > 0 ? (at(index - 1) + at(index)) / 2 : plot.left();
    const qreal to = index + 1 < itemCount() ? (at(index) + at(index + 1)) / 2 : plot.right();
    return {from, plot.top(), to - from, plot.height()};
}

QString BandChart::valueText(double value) const
{
    if (!std::isfinite(value))
        return tr("unknown", "a value of a line");
    return m_data.valueText ? m_data.valueText(value) : QLocale().toString(value, 'f', 2);
}

QString BandChart::itemName(int index) const
{
    const double x = m_data.xs[static_cast<std::size_t>(index)];
    const QString name = m_data.xText ? m_data.xText(x) : QLocale().toString(x, 'g', 6);
    const bool isShaded = !m_data.shaded.empty() && m_data.shaded[static_cast<std::size_t>(index)];
    return isShaded && !m_data.shadedName.isEmpty()
        ? tr("%1, %2", "name of a point, what it is").arg(name, m_data.shadedName)
        : name;
}

std::vector<HoverLine> BandChart::itemLines(int index) const
{
    std::vector<HoverLine> lines;
    const auto at = static_cast<std::size_t>(index);
    const bool isAlone = m_data.series.size() == 1;
    for (const BandLines::Series &series : m_data.series)
        lines.push_back(
            {series.name, valueText(series.values[at]), isAlone, isAlone ? QColor() : series.color.resolve(theme())});
    if (hasBand())
        lines.push_back(
            {m_data.bandName,
             tr("%1 to %2", "the ends of a range").arg(valueText(m_data.low[at]), valueText(m_data.high[at])),
             false,
             {}});
    if (std::isfinite(m_data.reference))
        lines.push_back({m_data.referenceText, valueText(m_data.reference), false, {}});
    return lines;
}

QString BandChart::summary() const
{
    if (itemCount() == 0 || m_data.series.empty())
        return tr("No data");
    QStringList parts{tr("From %1 to %2").arg(itemName(0), itemName(itemCount() - 1))};
    for (const BandLines::Series &series : m_data.series) {
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        for (const double value : series.values) {
            if (std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
        }
        parts << (low <= high ? tr("%1: lowest %2, highest %3").arg(series.name, valueText(low), valueText(high))
                              : tr("%1: unknown").arg(series.name));
    }
    for (const BandLines::Mark &mark : m_data.marks)
        parts << mark.text;
    if (std::isfinite(m_data.reference))
        parts << tr("%1: %2").arg(m_data.referenceText, valueText(m_data.reference));
    return parts.join(QStringLiteral("; "));
}

CopyTable BandChart::table() const
{
    CopyTable table;
    const QString unit = m_data.yUnit.isEmpty() ? QString() : QStringLiteral(", ") + m_data.yUnit;
    QStringList header{m_data.xName, tr("Value", "of the x axis, as a number")};
    for (const BandLines::Series &series : m_data.series)
        header << series.name + unit;
    if (hasBand())
        header << QStringLiteral("p10") + unit << QStringLiteral("p90") + unit;
    table.addHeader(header);
    for (int i = 0; i < itemCount(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        table.beginRow();
        table.addText(itemName(i));
        table.addNumber(m_data.xs[at]);
        for (const BandLines::Series &series : m_data.series)
            table.addNumber(series.values[at]);
        if (hasBand()) {
            table.addNumber(m_data.low[at]);
            table.addNumber(m_data.high[at]);
        }
    }
    return table;
}

std::vector<LegendEntry> BandChart::legend() const
{
    std::vector<LegendEntry> entries;
    if (itemCount() == 0)
        return entries;
    if (m_data.series.size() > 1 || hasBand()) {
        for (const BandLines::Series &series : m_data.series)
            entries.push_back({series.name, series.color, false, true});
    }
    if (hasBand())
        entries.push_back({m_data.bandName, m_data.series.front().color, false, false, true});
    if (std::find(m_data.shaded.begin(), m_data.shaded.end(), true) != m_data.shaded.end())
        entries.push_back({m_data.shadedName, Color::Select});
    return entries;
}

// As shares of the plot, like the line chart.
PlotSpec BandChart::plotSpec() const
{
    PlotSpec spec;
    spec.size = {static_cast<int>(m_width), static_cast<int>(m_height)};
    spec.area = plotRect();
    spec.mirrored = isMirrored();
    for (const double tick : m_y.ticks)
        spec.y.push_back({m_y.share(tick), axisText(tick, m_y.step)});
    for (const BandLines::Tick &tick : m_ticks)
        spec.x.push_back({share(tick.x), plainLine(tick.text)});
    for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i) {
        const QColor color = m_data.series[static_cast<std::size_t>(i)].color.resolve(theme());
        std::vector<QPointF> points;
        for (int at = 0; at < itemCount(); ++at)
            points.push_back(pointAt(i, at));
        PlotDots alone{{}, color};
        for (const QPolygonF &piece : linePieces(points)) {
            PlotLine line{{}, color, false};
            for (const QPointF &point : piece)
                line.points.emplace_back((point.x() - spec.area.left()) / spec.area.width(),
                                         (spec.area.bottom() - point.y()) / spec.area.height());
            if (line.points.size() > 1)
                spec.lines.push_back(std::move(line));
            else
                alone.points.push_back(line.points.front());
        }
        if (!alone.points.empty())
            spec.dots.push_back(std::move(alone));
    }
    if (m_y.minimum < 0 && m_y.maximum > 0)
        spec.rules.push_back({m_y.share(0), theme().color(Color::Outline), false});
    if (std::isfinite(m_data.reference))
        spec.rules.push_back({m_y.share(m_data.reference), theme().color(Color::Critical), true});
    spec.legend =
        ChartHeader(theme(), m_data.title, m_data.note, legend(), static_cast<int>(m_width)).legend(isMirrored());
    return spec;
}

} // namespace gpuledger::widgets
