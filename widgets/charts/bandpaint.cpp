// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/bandchart.h"
#include "widgets/state/plaintext.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr double kBandOpacity = 0.18;

} // namespace

void BandChart::paintChart(QPainter &painter) const
{
    ChartHeader(theme(), m_data.title, m_data.note, legend(), static_cast<int>(m_width)).paint(painter, isMirrored());
    const QRectF plot = plotRect();
    if (itemCount() == 0 || m_data.series.empty())
        return paintEmpty(painter, plot);
    for (int i = 0; i < itemCount() && !m_data.shaded.empty(); ++i) {
        if (m_data.shaded[static_cast<std::size_t>(i)])
            painter.fillRect(itemRect(i), theme().color(Color::Select));
    }
    if (hasBand())
        paintBand(painter);
    paintPlot(painter);
    paintMarks(painter);
    paintReference(painter);
    painter.setFont(theme().font(TextSize::Caption));
    painter.setPen(theme().color(Color::Muted));
    const qreal line = QFontMetricsF(painter.font()).height();
    paintText(painter, QRectF(plot.left(), m_height - line, plot.width(), line),
              isMirrored() ? Qt::AlignLeft : Qt::AlignRight, m_data.xName);
    if (showsMarks())
        paintCurrent(painter);
}

// One area for each stretch of points whose ends are known.
void BandChart::paintBand(QPainter &painter) const
{
    QColor soft = m_data.series.front().color.resolve(theme());
    soft.setAlphaF(kBandOpacity);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(soft);
    QPolygonF above, below;
    const auto draw = [&] {
        std::reverse(below.begin(), below.end());
        painter.drawPolygon(above + below);
        above.clear();
        below.clear();
    };
    for (std::size_t i = 0; i < m_data.xs.size(); ++i) {
        if (!std::isfinite(m_data.low[i]) || !std::isfinite(m_data.high[i])) {
            draw();
            continue;
        }
        const qreal x = xOf(m_data.xs[i]);
        above.append({x, yOf(m_data.high[i])});
        below.append({x, yOf(m_data.low[i])});
    }
    draw();
    painter.restore();
}

void BandChart::paintMarks(QPainter &painter) const
{
    const QRectF plot = plotRect();
    painter.save();
    painter.setFont(theme().font(TextSize::Caption));
    for (const PlacedMark &placed : m_marks) {
        const BandLines::Mark &mark = m_data.marks[placed.mark];
        const qreal x = std::round(xOf(mark.x)) + 0.5;
        painter.setPen(QPen(mark.color.resolve(theme()), 1, Qt::DashLine));
        painter.drawLine(QPointF(x, placed.text.top()), QPointF(x, plot.bottom()));
        painter.fillRect(placed.text, theme().color(Color::Surface));
        paintText(painter, placed.text, Qt::AlignLeft, mark.text);
    }
    painter.restore();
}

void BandChart::paintReference(QPainter &painter) const
{
    if (!std::isfinite(m_data.reference) || m_data.referenceText.isEmpty())
        return;
    painter.save();
    painter.setFont(theme().font(TextSize::Caption));
    const QFontMetricsF metrics(painter.font());
    const QRectF plot = plotRect();
    const qreal y = yOf(m_data.reference);
    const qreal width = std::min(plot.width(), metrics.horizontalAdvance(plainLine(m_data.referenceText)) + 10);
    QRectF text(m_plot.right() - width, y - metrics.height() - 3, width, metrics.height());
    if (text.top() < m_plot.top())
        text.moveTop(y + 3);
    text = mirroredRect(text, m_width, isMirrored());
    painter.fillRect(text, theme().color(Color::Surface));
    painter.setPen(theme().color(Color::Critical));
    paintText(painter, text.adjusted(4, 0, -4, 0), isMirrored() ? Qt::AlignLeft : Qt::AlignRight, m_data.referenceText);
    painter.restore();
}

void BandChart::paintCurrent(QPainter &painter) const
{
    const int index = hoverIndex() >= 0 ? hoverIndex() : hasFocus() ? currentIndex() : -1;
    if (index < 0 || index >= itemCount())
        return;
    const qreal x = xOf(m_data.xs[static_cast<std::size_t>(index)]);
    painter.fillRect(QRectF(std::round(x), m_plot.top(), 1, m_plot.height()), theme().color(Color::Outline));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().color(Color::Surface), 2));
    for (int i = 0; i < static_cast<int>(m_data.series.size()); ++i) {
        const QPointF point = pointAt(i, index);
        if (std::isnan(point.y()))
            continue;
        painter.setBrush(m_data.series[static_cast<std::size_t>(i)].color.resolve(theme()));
        painter.drawEllipse(point, 4, 4);
    }
    painter.restore();
}

// Around the whole plot: the current point has its own mark.
void BandChart::paintFocus(QPainter &painter) const
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
