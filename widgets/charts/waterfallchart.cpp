// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/waterfallchart.h"

#include "widgets/charts/chartheader.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr qreal kTextGap = 4;
constexpr qreal kLabelSide = 2;
constexpr double kLeastShare = 0.35; // minimum share of the height for the changes; below it, the bars are cut
constexpr qreal kWidest = 64;
constexpr qreal kLeastPitch = 12; // for texts
const QChar kMinus(0x2212);

} // namespace

WaterfallChart::WaterfallChart(const Theme &theme, QWidget *parent)
    : Chart(theme, parent)
{
    dataChanged(tr("Changes"), -1);
}

void WaterfallChart::setData(Waterfall data)
{
    const QString label = currentIndex() >= 0 ? step(currentIndex()).label : QString();
    m_data = std::move(data);
    const auto same = std::find_if(m_data.steps.begin(), m_data.steps.end(),
                                   [&](const Waterfall::Step &one) { return one.label == label; });
    computeSpans();
    chooseAxis();
    const QString name = m_data.name.isEmpty() ? m_data.title : m_data.name;
    dataChanged(name.isEmpty() ? tr("Changes") : name,
                same == m_data.steps.end() ? -1 : static_cast<int>(same - m_data.steps.begin()));
}

void WaterfallChart::computeSpans()
{
    m_spans.clear();
    double level = 0;
    for (const Waterfall::Step &one : m_data.steps) {
        Span span{level, level};
        if (one.kind != Waterfall::Step::Kind::Change)
            span.from = 0;
        if (std::isfinite(one.value))
            span.to = one.kind == Waterfall::Step::Kind::Change ? level + one.value : one.value;
        level = span.to;
        m_spans.push_back(span);
    }
}

void WaterfallChart::chooseAxis()
{
    // The levels alone, without the zero baseline of start and end.
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Span &span : m_spans) {
        low = std::min(low, span.to);
        high = std::max(high, span.to);
    }
    if (m_spans.empty() || !std::isfinite(low) || !std::isfinite(high))
        low = high = 0;
    m_axis = niceAxis(std::min(low, 0.0), std::max(high, 0.0), 6);
    if (low <= 0 || high - low >= kLeastShare * high)
        return;
    // A third of the height remains below the lowest level, so that start and end still look large.
    const double floor = niceAxis(low - std::max((high - low) * 0.6, low * 1e-3), high, 9).minimum;
    if (floor > 0)
        m_axis.minimum = floor;
}

void WaterfallChart::layOut(const QSize &size)
{
    m_width = size.width();
    const QFontMetricsF metrics(theme().font(TextSize::Caption));
    const ChartHeader header(theme(), m_data.title, m_data.note, {}, size.width());
    // The highest bar reaches the top; its figure is above it.
    double high = m_axis.minimum;
    for (const Span &span : m_spans)
        high = std::max({high, span.from, span.to});
    if (high > m_axis.minimum && std::isfinite(high))
        m_axis.maximum = high;
    const qreal top = header.height() + metrics.height() + kTextGap;
    m_pitch = itemCount() > 0 ? size.width() / static_cast<qreal>(itemCount()) : size.width();
    m_labelLines = 1;
    for (const Waterfall::Step &one : m_data.steps) {
        if (metrics.horizontalAdvance(one.label) > m_pitch - 2 * kLabelSide && one.label.contains(QLatin1Char(' ')))
            m_labelLines = 2;
    }
    const qreal below = m_labelLines * metrics.height() + 2 * kTextGap + (m_axis.minimum < 0 ? metrics.height() : 0);
    m_plot = QRectF(0, top, size.width(), std::max(1.0, size.height() - below - top));
}

qreal WaterfallChart::yOf(double value) const
{
    return m_plot.bottom() - m_axis.share(std::isfinite(value) ? value : m_axis.maximum) * m_plot.height();
}

QRectF WaterfallChart::itemRect(int index) const
{
    return mirroredRect({index * m_pitch, m_plot.top() - QFontMetricsF(theme().font(TextSize::Caption)).height(),
                         m_pitch, m_plot.height() + QFontMetricsF(theme().font(TextSize::Caption)).height()},
                        m_width, isMirrored());
}

QRectF WaterfallChart::barRect(int index) const
{
    if (!std::isfinite(step(index).value))
        return {};
    const QRectF item = itemRect(index);
    const qreal width = std::round(std::min(item.width() * 0.66, kWidest));
    const Span &span = m_spans[static_cast<std::size_t>(index)];
    const qreal a = std::round(yOf(std::max(span.from, m_axis.minimum)));
    const qreal b = std::round(yOf(span.to));
    // A change of almost nothing is still a visible line.
    return {std::round(item.center().x() - width / 2), std::min(a, b), width, std::max(2.0, std::abs(a - b))};
}

QColor WaterfallChart::barColor(int index) const
{
    switch (step(index).kind) {
    case Waterfall::Step::Kind::Start:
        return theme().color(Color::Unallocated);
    case Waterfall::Step::Kind::End:
        return theme().color(Color::Accent);
    case Waterfall::Step::Kind::Change:
        break;
    }
    return theme().color((step(index).value > 0) == m_data.riseIsBad ? Color::Critical : Color::Good);
}

QString WaterfallChart::shortText(int index) const
{
    const Waterfall::Step &one = step(index);
    if (!std::isfinite(one.value))
        return tr("unknown", "a change");
    const double size = std::abs(one.value);
    // Two digits, like an axis.
    const double step = size > 0 ? std::pow(10, std::floor(std::log10(size)) - 1) : 1;
    const QString text = m_data.shortText ? m_data.shortText(size) : axisText(size, step);
    if (one.kind == Waterfall::Step::Kind::Change && one.value > 0)
        return QLatin1Char('+') + text;
    return one.value < 0 ? QString(kMinus) + text : text;
}

QString WaterfallChart::valueText(int index) const
{
    const Waterfall::Step &one = step(index);
    if (!std::isfinite(one.value))
        return tr("unknown", "a change");
    const QString text = m_data.valueText ? m_data.valueText(one.value) : QLocale().toString(one.value, 'f', 2);
    return one.kind == Waterfall::Step::Kind::Change && one.value > 0 ? QLatin1Char('+') + text : text;
}

QString WaterfallChart::itemName(int index) const
{
    return step(index).title.isEmpty() ? step(index).label : step(index).title;
}

std::vector<HoverLine> WaterfallChart::itemLines(int index) const
{
    if (step(index).kind != Waterfall::Step::Kind::Change)
        return {{tr("Total"), valueText(index), true}};
    const double level = m_spans[static_cast<std::size_t>(index)].to;
    return {{tr("Change"), valueText(index), true},
            {tr("Running total"), m_data.valueText ? m_data.valueText(level) : QLocale().toString(level, 'f', 2)}};
}

QString WaterfallChart::summary() const
{
    if (m_data.steps.empty())
        return tr("No data");
    QStringList parts;
    for (int i = 0; i < itemCount(); ++i)
        parts << step(i).label + QLatin1Char(' ') + valueText(i);
    return parts.join(QStringLiteral(", "));
}

CopyTable WaterfallChart::table() const
{
    CopyTable table;
    table.addHeader({tr("Step"), m_data.unit.isEmpty() ? tr("Value") : m_data.unit});
    for (int i = 0; i < itemCount(); ++i) {
        table.beginRow();
        table.addText(itemName(i));
        table.addNumber(step(i).value);
    }
    return table;
}

void WaterfallChart::paintChart(QPainter &painter) const
{
    ChartHeader(theme(), m_data.title, m_data.note, {}, static_cast<int>(m_width)).paint(painter, isMirrored());
    if (itemCount() == 0)
        return paintEmpty(painter, m_plot);
    paintHoverBand(painter, QRectF(0, 0, m_width, m_plot.bottom()));
    paintConnectors(painter);
    if (m_axis.minimum < 0)
        painter.fillRect(QRectF(0, std::round(yOf(0)), m_width, 1), theme().color(Color::Outline));
    for (int i = 0; i < itemCount(); ++i) {
        paintBar(painter, i);
        paintTexts(painter, i);
    }
}

void WaterfallChart::paintConnectors(QPainter &painter) const
{
    for (int i = 0; i + 1 < itemCount(); ++i) {
        // From bar to bar, or across the centre of one whose value is unknown.
        const auto edges = [this](int index) {
            const QRectF bar = barRect(index);
            return bar.isEmpty() ? QRectF(itemRect(index).center(), QSizeF(0, 0)) : bar;
        };
        const QRectF here = edges(i);
        const QRectF next = edges(i + 1);
        const qreal from = std::min(here.right(), next.right());
        const qreal to = std::max(here.left(), next.left());
        const qreal y = std::round(yOf(m_spans[static_cast<std::size_t>(i)].to));
        painter.fillRect(QRectF(from, y, to - from, 1), theme().color(Color::Outline));
    }
}

void WaterfallChart::paintBar(QPainter &painter, int index) const
{
    const QRectF bar = barRect(index);
    if (bar.isEmpty()) {
        QRectF whole = itemRect(index);
        whole.setTop(m_plot.top());
        whole.setBottom(yOf(std::max(0.0, m_axis.minimum)));
        const qreal inset = std::max(0.0, (whole.width() - kWidest) / 2 + whole.width() * 0.1);
        painter.fillRect(whole.adjusted(inset, 0, -inset, 0), theme().hatch(painter.device()->devicePixelRatio()));
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(barColor(index));
    const qreal radius = std::min(2.0, bar.height() / 2);
    painter.drawRoundedRect(bar, radius, radius);
    painter.restore();
    if (isCut() && step(index).kind != Waterfall::Step::Kind::Change)
        paintBreak(painter, bar);
}

// Two parallel slanted cuts near the foot: the bar is longer than drawn.
void WaterfallChart::paintBreak(QPainter &painter, const QRectF &bar) const
{
    constexpr qreal kSlant = 6;
    constexpr qreal kCut = 3;
    if (bar.height() < 24)
        return;
    painter.save();
    painter.setClipRect(bar.adjusted(-1, 0, 1, 0), Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().color(Color::Surface), kCut));
    const qreal y = bar.bottom() - 14;
    for (const qreal shift : {0.0, 6.0})
        painter.drawLine(QPointF(bar.left() - 1, y + shift + kSlant / 2),
                         QPointF(bar.right() + 1, y + shift - kSlant / 2));
    painter.restore();
}

void WaterfallChart::paintTexts(QPainter &painter, int index) const
{
    if (m_pitch < kLeastPitch)
        return;
    painter.setFont(theme().font(TextSize::Caption));
    const qreal height = painter.fontMetrics().height();
    const QRectF item = itemRect(index);
    const QRectF bar = barRect(index);
    QRectF figure(item.left(), (bar.isEmpty() ? m_plot.top() : bar.top()) - height - 2, item.width(), height);
    painter.setPen(theme().color(Color::Text));
    paintText(painter, figure, Qt::AlignHCenter, shortText(index));
    painter.setPen(theme().color(Color::Muted));
    const QRectF label(item.left() + kLabelSide, m_plot.bottom() + 2 * kTextGap, item.width() - 2 * kLabelSide, height);
    const QString &text = step(index).label;
    const qsizetype space = text.indexOf(QLatin1Char(' '));
    if (m_labelLines == 1 || space < 0 || painter.fontMetrics().horizontalAdvance(text) <= label.width())
        return paintText(painter, label, Qt::AlignHCenter, text);
    paintText(painter, label, Qt::AlignHCenter, text.left(space));
    paintText(painter, label.translated(0, height), Qt::AlignHCenter, text.mid(space + 1));
}

} // namespace gpuledger::widgets
