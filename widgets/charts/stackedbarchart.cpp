// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/stackedbarchart.h"

#include "widgets/charts/chartheader.h"
#include "widgets/state/plaintext.h"
#include "widgets/theme/tabular.h"

#include <QFontMetricsF>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr qreal kBarAxisGap = 6; // between tick text and plot
constexpr qreal kBarLabelGap = 5; // between plot and labels below
constexpr qreal kBarTickRoom = 40; // least distance of two ticks
constexpr int kMostBarTicks = 8; // more tell nothing more, however high the chart is
constexpr qreal kBarLabelRoom = 16; // between two labels
constexpr qsizetype kLongestBarLabel = 80;

} // namespace

StackedBarChart::StackedBarChart(const Theme &theme, QWidget *parent)
    : Chart(theme, parent)
{
    dataChanged(tr("Bars"), -1);
}

void StackedBarChart::setData(StackedBars data)
{
    const auto keyOf = [](const StackedBars::Bar &bar) { return bar.key.isEmpty() ? bar.label : bar.key; };
    const QString key = currentIndex() >= 0 ? keyOf(m_data.bars[static_cast<std::size_t>(currentIndex())]) : QString();
    m_data = std::move(data);
    const auto same = std::find_if(m_data.bars.begin(), m_data.bars.end(),
                                   [&](const StackedBars::Bar &bar) { return keyOf(bar) == key; });
    const QString name = m_data.name.isEmpty() ? m_data.title : m_data.name;
    dataChanged(name.isEmpty() ? tr("Bars") : name,
                same == m_data.bars.end() ? -1 : static_cast<int>(same - m_data.bars.begin()));
}

double StackedBarChart::value(int bar, int series) const
{
    const std::vector<double> &values = m_data.bars[static_cast<std::size_t>(bar)].values;
    const auto index = static_cast<std::size_t>(series);
    return index < values.size() && std::isfinite(values[index]) ? values[index]
                                                                 : std::numeric_limits<double>::quiet_NaN();
}

double StackedBarChart::total(int bar) const
{
    double sum = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i) {
        const double one = value(bar, i);
        if (!std::isnan(one))
            sum = std::isnan(sum) ? one : sum + one;
    }
    return sum;
}

QString StackedBarChart::valueText(double value) const
{
    if (std::isnan(value))
        return tr("not observed", "a value of a bar");
    return m_data.valueText ? m_data.valueText(value) : QLocale().toString(value, 'f', 2);
}

qreal StackedBarChart::yOf(double value) const
{
    return m_plot.bottom() - m_axis.share(value) * m_plot.height();
}

void StackedBarChart::layOut(const QSize &size)
{
    m_width = size.width();
    double low = 0;
    double high = std::isfinite(m_data.budget) ? m_data.budget : 0;
    for (int bar = 0; bar < itemCount(); ++bar) {
        double below = 0;
        double above = 0;
        for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i) {
            const double one = value(bar, i);
            if (!std::isnan(one))
                (one < 0 ? below : above) += one;
        }
        low = std::min(low, below);
        high = std::max(high, above);
    }
    const QFont font = theme().font(TextSize::Caption);
    const QFontMetricsF metrics(font);
    const ChartHeader header(theme(), m_data.title, m_data.note, legend(), size.width());
    // Whole pixels, so that grid and bars are crisp.
    const qreal top = std::ceil(header.height() + metrics.height() / 2);
    // How many rows the names need depends on the width of the axis, and that on the height: always room for two.
    const int rows = m_data.areNames ? 2 : 1;
    const qreal bottom = std::floor(size.height() - rows * metrics.height() - kBarLabelGap);
    m_axis = niceAxis(low, high, std::clamp(static_cast<int>((bottom - top) / kBarTickRoom) + 1, 2, kMostBarTicks));
    qreal left = 0;
    for (const double tick : m_axis.ticks)
        left = std::max(left, tabularWidth(font, axisText(tick, m_axis.step)));
    left = std::ceil(left + kBarAxisGap);
    m_plot = QRectF(left, top, std::max(1.0, size.width() - left), std::max(1.0, bottom - top));
    m_pitch = itemCount() > 0 ? m_plot.width() / itemCount() : m_plot.width();
    if (m_data.areNames) {
        QStringList names;
        for (const StackedBars::Bar &bar : m_data.bars)
            names << plainLine(bar.label, kLongestBarLabel);
        m_names = labelRows(
            names, m_pitch, [&](const QString &text) { return metrics.horizontalAdvance(text); },
            [&](const QString &text, double room) { return metrics.elidedText(text, Qt::ElideRight, room); },
            isMirrored() ? 0 : left);
    }
    qreal widest = 0;
    for (const StackedBars::Bar &bar : m_data.bars)
        widest = std::max(widest, metrics.horizontalAdvance(bar.label.left(40)));
    m_stride = labelStride(itemCount(), m_pitch, widest + kBarLabelRoom);
}

QRectF StackedBarChart::plotRect() const
{
    return mirroredRect(m_plot, m_width, isMirrored());
}

QRectF StackedBarChart::itemRect(int index) const
{
    return {plotRect().left() + index * m_pitch, m_plot.top(), m_pitch, m_plot.height()};
}

qreal StackedBarChart::gap() const
{
    constexpr qreal kGapShare = 0.15;
    constexpr qreal kWidest = 56;
    // Whole pixels, so that all gaps look equally wide.
    return m_pitch < 3 ? 0 : std::max({1.0, std::round(m_pitch * kGapShare), m_pitch - kWidest});
}

QRectF StackedBarChart::barRect(int index) const
{
    return itemRect(index).adjusted(gap() / 2, 0, -gap() / 2, 0);
}

QRectF StackedBarChart::segmentRect(int bar, int series) const
{
    const double one = value(bar, series);
    if (std::isnan(one) || one == 0)
        return {};
    double from = 0;
    for (int i = 0; i < series; ++i) {
        const double other = value(bar, i);
        if (!std::isnan(other) && (other < 0) == (one < 0))
            from += other;
    }
    const QRectF column = barRect(bar);
    const qreal a = yOf(from);
    const qreal b = yOf(from + one);
    return {column.left(), std::min(a, b), column.width(), std::abs(a - b)};
}

QString StackedBarChart::itemName(int index) const
{
    const StackedBars::Bar &bar = m_data.bars[static_cast<std::size_t>(index)];
    return bar.title.isEmpty() ? bar.label : bar.title;
}

std::vector<HoverLine> StackedBarChart::itemLines(int index) const
{
    std::vector<HoverLine> lines;
    const QString name = m_data.totalText.isEmpty() ? tr("Total") : m_data.totalText;
    lines.push_back({name, valueText(total(index)), true});
    if (std::isnan(total(index)) || m_data.series.size() < 2)
        return lines;
    // From the top of the stack down.
    for (int i = static_cast<int>(m_data.series.size()) - 1; i >= 0; --i) {
        const StackedBars::Series &series = m_data.series[static_cast<std::size_t>(i)];
        lines.push_back(
            {series.name, valueText(value(index, i)), false, series.color.resolve(theme()), series.hatched});
    }
    return lines;
}

QString StackedBarChart::summary() const
{
    if (m_data.bars.empty())
        return tr("No data");
    double sum = 0;
    int highest = -1;
    int missing = 0;
    for (int i = 0; i < itemCount(); ++i) {
        const double one = total(i);
        if (std::isnan(one)) {
            ++missing;
            continue;
        }
        sum += one;
        if (highest < 0 || one > total(highest))
            highest = i;
    }
    if (highest < 0)
        return tr("%n bars, none observed", "", itemCount());
    QStringList parts{tr("%n bars from %1 to %2", "", itemCount()).arg(itemName(0), itemName(itemCount() - 1)),
                      tr("total %1").arg(valueText(sum)),
                      tr("highest %1 on %2").arg(valueText(total(highest)), itemName(highest))};
    if (std::isfinite(m_data.budget))
        parts << (m_data.budgetText.isEmpty() ? tr("budget %1").arg(valueText(m_data.budget)) : m_data.budgetText);
    if (missing > 0)
        parts << tr("%n not observed", "bars", missing);
    return parts.join(QStringLiteral("; "));
}

CopyTable StackedBarChart::table() const
{
    CopyTable table;
    QStringList header{m_data.unit.isEmpty() ? QStringLiteral("–") : m_data.unit};
    for (const StackedBars::Series &series : m_data.series)
        header << series.name;
    const bool totals = m_data.series.size() > 1;
    if (totals)
        header << (m_data.totalText.isEmpty() ? tr("Total") : m_data.totalText);
    table.addHeader(header);
    for (int bar = 0; bar < itemCount(); ++bar) {
        table.beginRow();
        table.addText(itemName(bar));
        for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i)
            table.addNumber(value(bar, i));
        if (totals)
            table.addNumber(total(bar));
    }
    return table;
}

} // namespace gpuledger::widgets
