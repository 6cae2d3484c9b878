// SPDX-License-Identifier: GPL-3.0-or-later
// The half of StackedBarChart that paints.
#include "widgets/charts/chartheader.h"
#include "widgets/charts/linepainter.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/state/plaintext.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

std::vector<LegendEntry> StackedBarChart::legend() const
{
    std::vector<LegendEntry> entries;
    bool missing = false;
    for (int i = 0; i < itemCount(); ++i)
        missing = missing || std::isnan(total(i));
    bool hatched = false;
    for (const StackedBars::Series &series : m_data.series) {
        entries.push_back({series.name, series.color, series.hatched, false});
        hatched = hatched || series.hatched;
    }
    if (entries.size() == 1)
        entries.clear(); // the title already says it
    if (missing && !hatched)
        entries.push_back({tr("not observed", "of a bar"), Color::Unobserved, true, false});
    return entries;
}

void StackedBarChart::paintChart(QPainter &painter) const
{
    ChartHeader(theme(), m_data.title, m_data.note, legend(), static_cast<int>(m_width)).paint(painter, isMirrored());
    if (itemCount() == 0)
        return paintEmpty(painter, m_plot);
    paintHoverBand(painter, QRectF(0, m_plot.top(), m_width, m_plot.height()));
    paintGrid(painter);
    paintBars(painter);
    paintBudget(painter);
    paintLabels(painter);
}

void StackedBarChart::paintGrid(QPainter &painter) const
{
    painter.setFont(theme().font(TextSize::Caption));
    painter.setPen(theme().color(Color::Muted));
    const qreal height = painter.fontMetrics().height();
    const QRectF plot = mirroredRect(m_plot, m_width, isMirrored());
    for (const double tick : m_axis.ticks) {
        const qreal y = std::round(yOf(tick));
        painter.fillRect(QRectF(plot.left(), y, plot.width(), 1), theme().color(Color::Border));
        const QRectF text(0, y - height / 2, m_plot.left() - 6, height);
        paintText(painter, mirroredRect(text, m_width, isMirrored()), isMirrored() ? Qt::AlignLeft : Qt::AlignRight,
                  axisText(tick, m_axis.step));
    }
}

void StackedBarChart::paintBars(QPainter &painter) const
{
    const QBrush hatch = theme().hatch(painter.device()->devicePixelRatio());
    for (int bar = 0; bar < itemCount(); ++bar) {
        if (std::isnan(total(bar))) {
            painter.fillRect(barRect(bar), hatch);
            continue;
        }
        for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i) {
            const QRectF segment = segmentRect(bar, i);
            if (segment.height() <= 0)
                continue;
            const StackedBars::Series &series = m_data.series[static_cast<std::size_t>(i)];
            painter.fillRect(segment, series.hatched ? hatch : QBrush(series.color.resolve(theme())));
            // A hairline between neighbours of similar lightness.
            if (i > 0 && segment.height() >= 3)
                painter.fillRect(QRectF(segment.left(), segment.bottom() - 1, segment.width(), 1),
                                 theme().color(Color::Surface));
        }
    }
    if (m_axis.minimum < 0) {
        const QRectF plot = mirroredRect(m_plot, m_width, isMirrored());
        painter.fillRect(QRectF(plot.left(), std::round(yOf(0)), plot.width(), 1), theme().color(Color::Outline));
    }
}

void StackedBarChart::paintBudget(QPainter &painter) const
{
    if (!std::isfinite(m_data.budget))
        return;
    const qreal y = yOf(m_data.budget);
    const QRectF plot = mirroredRect(m_plot, m_width, isMirrored());
    paintDashed(painter, plot.left(), plot.right(), y, theme().color(Color::Critical));
    if (m_data.budgetText.isEmpty())
        return;
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

void StackedBarChart::paintLabels(QPainter &painter) const
{
    painter.setFont(theme().font(TextSize::Caption));
    painter.setPen(theme().color(Color::Muted));
    const QFontMetricsF metrics(painter.font());
    for (int i = 0; i < itemCount(); i += m_stride) {
        const QString label = plainLine(m_data.bars[static_cast<std::size_t>(i)].label, 80);
        const qreal width = std::min(metrics.horizontalAdvance(label) + 2, m_pitch * m_stride);
        const qreal centre = itemRect(i).center().x();
        const qreal left = std::clamp(centre - width / 2, 0.0, std::max(0.0, m_width - width));
        paintText(painter, QRectF(left, m_plot.bottom() + 4, width, metrics.height()), Qt::AlignHCenter, label);
    }
}

} // namespace gpuledger::widgets
