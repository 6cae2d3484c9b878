// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/waterfallchart.h"

#include "widgets/charts/chartheader.h"
#include "widgets/charts/plot.h"
#include "widgets/state/plaintext.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr qreal kTextGap = 4;
constexpr int kLongestLabel = 80; // characters
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
    chooseFigures();
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

void WaterfallChart::chooseFigures()
{
    double level = 0;
    double change = 0;
    for (const Waterfall::Step &one : m_data.steps) {
        if (std::isfinite(one.value)) {
            double &largest = one.kind == Waterfall::Step::Kind::Change ? change : level;
            largest = std::max(largest, std::abs(one.value));
        }
    }
    m_figures = figureScale(level, change);
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
    const qreal top = std::ceil(header.height() + metrics.height() + kTextGap);
    m_pitch = itemCount() > 0 ? size.width() / static_cast<qreal>(itemCount()) : size.width();
    QStringList texts;
    for (const Waterfall::Step &one : m_data.steps)
        texts << plainLine(one.label, kLongestLabel);
    m_labels = labelRows(
        texts, m_pitch, [&](const QString &text) { return metrics.horizontalAdvance(text); },
        [&](const QString &text, double room) { return metrics.elidedText(text, Qt::ElideRight, room); });
    const qreal below = m_labels.rows * metrics.height() + 2 * kTextGap + (m_axis.minimum < 0 ? metrics.height() : 0);
    m_plot = QRectF(0, top, size.width(), std::max(1.0, std::floor(size.height() - below) - top));
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

bool WaterfallChart::isUnknown(int index) const
{
    return !std::isfinite(step(index).value);
}

qreal WaterfallChart::barWidth() const
{
    return std::round(std::min(m_pitch * 0.66, kWidest));
}

std::size_t WaterfallChart::slot(int index) const
{
    return static_cast<std::size_t>(isMirrored() ? itemCount() - 1 - index : index);
}

QRectF WaterfallChart::barRect(int index) const
{
    if (isUnknown(index))
        return {};
    const Span &span = m_spans[static_cast<std::size_t>(index)];
    const qreal a = yOf(std::max(span.from, m_axis.minimum));
    const qreal b = yOf(span.to);
    // A change of almost nothing is still a visible line.
    return {itemRect(index).center().x() - barWidth() / 2, std::min(a, b), barWidth(), std::max(2.0, std::abs(a - b))};
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
    const QString text = m_figures.text(one.value);
    if (text.startsWith(QLatin1Char('~'))) // about nothing: neither more nor less
        return text;
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

PlotSpec WaterfallChart::plotSpec() const
{
    PlotSpec spec;
    spec.size = size();
    spec.area = m_plot;
    spec.mirrored = isMirrored();
    spec.valueAxis = false; // each bar has its figure
    spec.left = -0.5;
    spec.right = itemCount() - 0.5;
    // Huge values would be too much for Qt Charts.
    const double scale = std::max(std::abs(m_axis.minimum), std::abs(m_axis.maximum));
    spec.bottom = m_axis.minimum / scale;
    spec.top = m_axis.maximum / scale;
    spec.barWidth = barWidth() / m_pitch;
    addStacks(spec, scale);
    if (m_axis.minimum < 0)
        spec.rules.push_back({0, theme().color(Color::Outline), false});
    return spec;
}

// An invisible stack carries the bars to where they begin. One that crosses zero has a part on each side of it.
void WaterfallChart::addStacks(PlotSpec &spec, double scale) const
{
    PlotStack carrier;
    carrier.values.resize(static_cast<std::size_t>(itemCount()));
    PlotStack unknown = carrier;
    unknown.hatched = true;
    std::vector<PlotStack> bars; // one for each colour, above and below zero
    const auto add = [&](const QColor &color, std::size_t at, double value) {
        auto found = std::find_if(bars.begin(), bars.end(),
                                  [&](const PlotStack &one) { return one.color == color && one.values[at] == 0; });
        if (found == bars.end()) {
            bars.emplace_back().values.resize(static_cast<std::size_t>(itemCount()));
            found = std::prev(bars.end());
            found->color = color;
        }
        found->values[at] = value;
    };
    for (int i = 0; i < itemCount(); ++i) {
        const std::size_t at = slot(i);
        const Span &span = m_spans[static_cast<std::size_t>(i)];
        const double low = std::min(span.from, span.to) / scale;
        const double high = std::max(span.from, span.to) / scale;
        if (isUnknown(i)) {
            unknown.values[at] = spec.top;
        } else if (low >= 0 || high <= 0) {
            carrier.values[at] = low >= 0 ? low : high;
            add(barColor(i), at, low >= 0 ? high - low : low - high);
        } else {
            add(barColor(i), at, high);
            add(barColor(i), at, low);
        }
    }
    spec.stacks.push_back(std::move(carrier));
    for (PlotStack &one : bars)
        spec.stacks.push_back(std::move(one));
    spec.stacks.push_back(std::move(unknown));
}

// Not a text of the axis, because Qt Charts hides one that reaches into the width of another.
void WaterfallChart::paintLabel(QPainter &painter, int index) const
{
    if (m_pitch < kLeastPitch)
        return;
    const LabelRows::Label &label = m_labels.labels[static_cast<std::size_t>(index)];
    painter.setFont(theme().font(TextSize::Caption));
    painter.setPen(theme().color(Color::Muted));
    const qreal height = painter.fontMetrics().height();
    const qreal side = label.row > 0 ? m_pitch : 0; // over its neighbours
    qreal top = m_plot.bottom() + kTextGap + label.row * height;
    const QStringList lines = label.text.split(QLatin1Char('\n'));
    for (const QString &line : lines) {
        const QRectF item = itemRect(index);
        paintText(painter, QRectF(item.left() - side, top, item.width() + 2 * side, height), Qt::AlignHCenter, line);
        top += height;
    }
}

void WaterfallChart::paintChart(QPainter &painter) const
{
    ChartHeader(theme(), m_data.title, m_data.note, {}, static_cast<int>(m_width)).paint(painter, isMirrored());
    if (itemCount() == 0)
        return paintEmpty(painter, m_plot);
    paintHoverBand(painter, QRectF(0, 0, m_width, m_plot.bottom()));
    paintConnectors(painter);
    paintPlot(painter);
    for (int i = 0; i < itemCount(); ++i) {
        paintLabel(painter, i);
        paintBar(painter, i);
        paintFigure(painter, i);
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
        const qreal y = yOf(m_spans[static_cast<std::size_t>(i)].to);
        painter.fillRect(QRectF(from, y, to - from, 1), theme().color(Color::Outline));
    }
}

// What the series of Qt Charts don't have: bars of almost no height, and breaks.
void WaterfallChart::paintBar(QPainter &painter, int index) const
{
    const QRectF bar = barRect(index);
    if (bar.isEmpty())
        return;
    if (bar.height() <= 2)
        painter.fillRect(bar, barColor(index));
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

void WaterfallChart::paintFigure(QPainter &painter, int index) const
{
    if (m_pitch < kLeastPitch)
        return;
    painter.setFont(theme().font(TextSize::Caption));
    painter.setPen(theme().color(Color::Text));
    const qreal height = painter.fontMetrics().height();
    const QRectF item = itemRect(index);
    const QRectF bar = barRect(index);
    const QRectF figure(item.left(), (bar.isEmpty() ? m_plot.top() : bar.top()) - height - 2, item.width(), height);
    paintText(painter, figure, Qt::AlignHCenter, shortText(index));
}

} // namespace gpuledger::widgets
