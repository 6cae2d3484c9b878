// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/sparkline.h"

#include "widgets/charts/linepainter.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr qreal kLineWidth = 1.5;
constexpr qreal kMargin = 2; // half the line width and some space
constexpr qreal kHatchedFrom = 32; // lower sparklines leave gaps empty, because hatching would only be noise

// The bounds of what is drawn, never equal. Halved to keep the difference of huge values finite.
void bounds(const SparklineData &data, double &low, double &high)
{
    low = std::numeric_limits<double>::infinity();
    high = -low;
    const auto take = [&](double value) {
        if (std::isfinite(value)) {
            low = std::min(low, value / 2);
            high = std::max(high, value / 2);
        }
    };
    for (const double value : data.values)
        take(value);
    take(data.threshold);
    if (std::isfinite(data.minimum))
        low = data.minimum / 2;
    if (std::isfinite(data.maximum))
        high = data.maximum / 2;
    if (!(high > low)) {
        const double half = std::max(std::abs(low) / 2, 0.5);
        low = std::isfinite(low) ? low - half : 0;
        high = low + 2 * half;
    }
}

} // namespace

void paintSparkline(QPainter &painter, const QRectF &rect, const Theme &theme, const SparklineData &data)
{
    if (rect.width() < 2 || rect.height() < 2 || data.values.isEmpty())
        return;
    double low = 0;
    double high = 1;
    bounds(data, low, high);
    const QRectF area = rect.adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const auto y = [&](double value) {
        return area.bottom() - std::clamp((value / 2 - low) / (high - low), 0.0, 1.0) * area.height();
    };
    const qreal step = data.values.size() > 1 ? area.width() / static_cast<qreal>(data.values.size() - 1) : 0;
    std::vector<QPointF> points;
    points.reserve(static_cast<std::size_t>(data.values.size()));
    for (qsizetype i = 0; i < data.values.size(); ++i) {
        const qreal along = data.values.size() > 1 ? static_cast<qreal>(i) * step : area.width() / 2;
        const qreal x = area.left() + along;
        const double value = data.values.at(i);
        points.emplace_back(x, std::isfinite(value) ? y(value) : std::nan(""));
    }
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    LineStyle style;
    style.color = data.color.resolve(theme);
    style.width = kLineWidth;
    style.filled = data.filled;
    style.floor = rect.bottom();
    if (rect.height() >= kHatchedFrom)
        paintGaps(painter, points, QRectF(rect.left(), area.top(), rect.width(), rect.bottom() - area.top()), theme);
    paintLine(painter, points, style);
    if (std::isfinite(data.threshold))
        paintDashed(painter, rect.left(), rect.right(), y(data.threshold), theme.color(Color::Critical));
    painter.restore();
}

QString sparklineText(const QList<double> &values, const std::function<QString(double)> &valueText)
{
    const auto text = [&](double value) -> QString {
        if (valueText)
            return valueText(value);
        QString number = QLocale().toString(value, 'f', 1);
        const QString zero = QLocale().decimalPoint() + QLocale().zeroDigit();
        return number.endsWith(zero) ? number.chopped(zero.size()) : number;
    };
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    double last = low;
    int known = 0;
    for (const double value : values) {
        if (!std::isfinite(value))
            continue;
        low = std::min(low, value);
        high = std::max(high, value);
        last = value;
        ++known;
    }
    const int missing = static_cast<int>(values.size()) - known;
    if (known == 0)
        return Sparkline::tr("nothing observed");
    QString result = Sparkline::tr("%n values", "of a line", known) + QStringLiteral(", ")
        + Sparkline::tr("lowest %1, highest %2, last %3").arg(text(low), text(high), text(last));
    if (missing > 0)
        result += QStringLiteral(", ") + Sparkline::tr("%n not observed", "of the values of a line", missing);
    return result;
}

Sparkline::Sparkline(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setAccessibleName(tr("Line over time"));
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Sparkline::setData(SparklineData data, const std::function<QString(double)> &valueText)
{
    m_data = std::move(data);
    setAccessibleDescription(sparklineText(m_data.values, valueText));
    update();
}

QSize Sparkline::sizeHint() const
{
    return {110, 24};
}

QSize Sparkline::minimumSizeHint() const
{
    return {24, 12};
}

void Sparkline::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintSparkline(painter, rect(), m_theme, m_data);
}

} // namespace gpuledger::widgets
