// SPDX-License-Identifier: GPL-3.0-or-later
// The half of StackedBarChart that paints.
#include "widgets/charts/chartheader.h"
#include "widgets/charts/plot.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/state/plaintext.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

// Four sides, one pixel wide, within `rect`.
void paintBarFrame(QPainter &painter, const QRectF &rect, const QColor &color)
{
    painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 1), color);
    painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), color);
    painter.fillRect(QRectF(rect.left(), rect.top(), 1, rect.height()), color);
    painter.fillRect(QRectF(rect.right() - 1, rect.top(), 1, rect.height()), color);
}

} // namespace

std::vector<LegendEntry> StackedBarChart::legend() const
{
    std::vector<LegendEntry> entries;
    if (itemCount() == 0)
        return entries;
    bool missing = false;
    for (int i = 0; i < itemCount(); ++i)
        missing = missing || std::isnan(total(i));
    bool hatched = false;
    for (const StackedBars::Series &series : m_data.series) {
        entries.push_back({series.name, series.color, series.hatched});
        hatched = hatched || series.hatched;
    }
    if (entries.size() == 1)
        entries.clear(); // the title already says it
    if (missing && !hatched)
        entries.push_back({tr("not observed", "of a bar"), Color::Unobserved, true});
    if (std::any_of(m_data.bars.begin(), m_data.bars.end(), [](const auto &bar) { return bar.provisional; }))
        entries.push_back({m_data.provisionalText.isEmpty() ? tr("not final yet", "of a bar") : m_data.provisionalText,
                           Color::Muted, false, false, true});
    return entries;
}

PlotSpec StackedBarChart::plotSpec() const
{
    PlotSpec spec;
    spec.size = {static_cast<int>(m_width), height()};
    spec.area = plotRect();
    spec.mirrored = isMirrored();
    spec.left = -0.5;
    spec.right = itemCount() - 0.5;
    // Huge values would be too much for Qt Charts.
    const double scale = std::max(std::abs(m_axis.minimum), std::abs(m_axis.maximum));
    spec.bottom = m_axis.minimum / scale;
    spec.top = m_axis.maximum / scale;
    spec.barWidth = (m_pitch - gap()) / m_pitch;
    for (const double tick : m_axis.ticks)
        spec.y.push_back({tick / scale, axisText(tick, m_axis.step)});
    addLabels(spec);
    addStacks(spec, scale);
    if (m_axis.minimum < 0)
        spec.rules.push_back({0, theme().color(Color::Outline), false});
    if (std::isfinite(m_data.budget))
        spec.rules.push_back(
            {std::clamp(m_data.budget / scale, spec.bottom, spec.top), theme().color(Color::Critical), true});
    spec.legend =
        ChartHeader(theme(), m_data.title, m_data.note, legend(), static_cast<int>(m_width)).legend(isMirrored());
    return spec;
}

void StackedBarChart::addStacks(PlotSpec &spec, double scale) const
{
    PlotStack missing; // over the whole height
    missing.hatched = true;
    PlotStack below = missing;
    for (int bar = 0; bar < itemCount(); ++bar) {
        const bool isMissing = std::isnan(total(bar));
        missing.values.push_back(isMissing ? std::max(0.0, spec.top) : 0);
        below.values.push_back(isMissing ? std::min(0.0, spec.bottom) : 0);
    }
    for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i) {
        PlotStack stack;
        stack.color = m_data.series[static_cast<std::size_t>(i)].color.resolve(theme());
        stack.hatched = m_data.series[static_cast<std::size_t>(i)].hatched;
        for (int bar = 0; bar < itemCount(); ++bar) {
            const double one = value(bar, i);
            stack.values.push_back(std::isnan(one) ? 0 : one / scale);
            if (m_data.bars[static_cast<std::size_t>(bar)].provisional && !stack.hatched)
                stack.pale.push_back(bar);
        }
        spec.stacks.push_back(std::move(stack));
    }
    spec.stacks.push_back(std::move(missing));
    spec.stacks.push_back(std::move(below));
}

// Names: all of them. Otherwise every nth, from the first one that doesn't reach beyond the chart.
void StackedBarChart::addLabels(PlotSpec &spec) const
{
    if (m_data.areNames) {
        for (int i = 0; i < itemCount(); ++i) {
            const LabelRows::Label &name = m_names.labels[static_cast<std::size_t>(i)];
            spec.x.push_back({static_cast<double>(i), QString(name.row, QLatin1Char('\n')) + name.text});
        }
        return;
    }
    const QFontMetricsF metrics(theme().font(TextSize::Caption));
    for (int i = 0; i < itemCount();) {
        const QString label = metrics.elidedText(plainLine(m_data.bars[static_cast<std::size_t>(i)].label, 80),
                                                 Qt::ElideRight, m_pitch * m_stride);
        const qreal half = metrics.horizontalAdvance(label) / 2;
        const qreal centre = itemRect(i).center().x();
        const bool fits = centre >= half && centre + half <= m_width;
        if (fits)
            spec.x.push_back({static_cast<double>(i), label});
        i += fits ? m_stride : 1;
    }
}

void StackedBarChart::paintChart(QPainter &painter) const
{
    ChartHeader(theme(), m_data.title, m_data.note, legend(), static_cast<int>(m_width)).paint(painter, isMirrored());
    if (itemCount() == 0)
        return paintEmpty(painter, m_plot);
    paintHoverBand(painter, QRectF(0, m_plot.top(), m_width, m_plot.height()));
    paintPlot(painter);
    paintEdges(painter);
    paintBudget(painter);
}

// A hairline between neighbours of similar lightness; around the parts of a provisional bar, their full colour.
void StackedBarChart::paintEdges(QPainter &painter) const
{
    for (int bar = 0; bar < itemCount(); ++bar) {
        const bool isProvisional = m_data.bars[static_cast<std::size_t>(bar)].provisional;
        for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i) {
            const QRectF segment = segmentRect(bar, i);
            if (segment.height() < 3)
                continue;
            const StackedBars::Series &series = m_data.series[static_cast<std::size_t>(i)];
            const QColor color = series.hatched ? theme().color(Color::Unobserved) : series.color.resolve(theme());
            if (isProvisional && segment.width() >= 3)
                paintBarFrame(painter, segment, color);
            else if (i > 0)
                painter.fillRect(QRectF(segment.left(), segment.bottom() - 1, segment.width(), 1),
                                 theme().color(Color::Surface));
        }
    }
}

void StackedBarChart::paintBudget(QPainter &painter) const
{
    if (!std::isfinite(m_data.budget) || m_data.budgetText.isEmpty())
        return;
    const qreal y = yOf(m_data.budget);
    const QRectF plot = plotRect();
    painter.setFont(theme().font(TextSize::Caption));
    const QFontMetricsF metrics(painter.font());
    const qreal width = std::min(plot.width(), metrics.horizontalAdvance(plainLine(m_data.budgetText)) + 10);
    QRectF text(m_plot.right() - width, y - metrics.height() - 3, width, metrics.height());
    if (text.top() < m_plot.top() - metrics.height() / 2)
        text.moveTop(y + 3);
    text = mirroredRect(text, m_width, isMirrored());
    // There may be bars behind it.
    painter.fillRect(text, theme().color(Color::Surface));
    painter.setPen(theme().color(Color::Critical));
    paintText(painter, text.adjusted(4, 0, -4, 0), isMirrored() ? Qt::AlignLeft : Qt::AlignRight, m_data.budgetText);
}

} // namespace gpuledger::widgets
