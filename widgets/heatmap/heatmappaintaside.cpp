// SPDX-License-Identifier: GPL-3.0-or-later
// The half of HeatmapPainter that draws what stands around the cells: labels, means, bars and legend.
#include "widgets/heatmap/heatmappainter.h"

#include <QLocale>
#include <QStyle>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace gpuledger::widgets {

namespace {

constexpr int kSwatchHeight = 10;
constexpr int kMissingSwatchWidth = 22;
constexpr int kMinStepWidth = 12;
constexpr int kMaxStepWidth = 40;
constexpr int kAsideLegendGap = 24;
constexpr int kTightLegendGap = 10; // where the window is narrow
constexpr int kBarHeight = 10;
constexpr int kBarGap = 6; // bar to its text
constexpr int kMaxBarWidth = 140;
constexpr int kHalfKnown = 50; // percent, for the swatch that explains such cells

} // namespace

void HeatmapPainter::paintHeadings(QPainter &painter) const
{
    const QRect line = m_geometry.headings();
    painter.setFont(m_theme.font(TextSize::Caption));
    painter.setPen(m_theme.color(Color::Muted));
    const QRect means = m_geometry.means();
    const QRect sides = m_geometry.sides();
    if (means.width() > 0)
        text(painter, {means.x(), line.y(), means.width(), line.height()}, towards(true), m_data.meanTitle);
    if (sides.width() > 0)
        text(painter, {sides.x(), line.y(), sides.width(), line.height()}, towards(false), m_data.sideTitle);
}

// If rows are lower than text, one label stands for several rows.
int HeatmapPainter::firstLabelled(int first) const
{
    const int step = m_geometry.labelledRows();
    return first / step * step;
}

QRect HeatmapPainter::textRect(int row, const QRect &within) const
{
    QRect rect = m_geometry.rowRect(row, within);
    if (m_geometry.isDense())
        rect.setHeight(static_cast<int>(m_geometry.labelledRows() * m_geometry.rowPitch()));
    return rect;
}

void HeatmapPainter::paintLabels(QPainter &painter, const QRect &rect) const
{
    const QRect area = m_geometry.labels();
    if (!rect.intersects(area))
        return;
    int first = 0;
    int last = -1;
    m_geometry.rowsIn(rect, first, last);
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    for (int row = firstLabelled(first); row <= last; row += m_geometry.labelledRows()) {
        const bool hovered = row == m_marks.hoverLabel;
        QFont font = m_theme.font(TextSize::Body);
        font.setUnderline(hovered);
        painter.setFont(font);
        painter.setPen(m_theme.color(hovered ? Color::Accent : Color::Text));
        text(painter, textRect(row, area), towards(true), m_data.rows[static_cast<std::size_t>(row)].label);
    }
    painter.restore();
}

void HeatmapPainter::paintSides(QPainter &painter, const QRect &rect) const
{
    const QRect means = m_geometry.means();
    const QRect sides = m_geometry.sides();
    const QRect area = means.united(sides);
    if (!rect.intersects(area))
        return;
    int first = 0;
    int last = -1;
    m_geometry.rowsIn(rect, first, last);
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    for (int row = firstLabelled(first); row <= last; row += m_geometry.labelledRows()) {
        const HeatmapData::Row &data = m_data.rows[static_cast<std::size_t>(row)];
        painter.setFont(m_theme.font(TextSize::Body));
        painter.setPen(m_theme.color(Color::Text));
        text(painter, textRect(row, means), towards(true), data.meanText);
        if (!std::isnan(data.side) && sides.width() > 0)
            paintBar(painter, textRect(row, sides), data);
    }
    painter.restore();
}

void HeatmapPainter::paintBar(QPainter &painter, const QRect &line, const HeatmapData::Row &row) const
{
    const int room = std::clamp(line.width() - m_bars.textWidth - kBarGap - 2, 4, kMaxBarWidth);
    const bool visible = m_bars.longest > 0 && row.side > 0;
    const int length = visible ? std::max(2, static_cast<int>(std::lround(row.side / m_bars.longest * room))) : 0;
    const int gap = visible ? kBarGap : 0;
    const QRect bar(line.x(), line.y() + (line.height() - kBarHeight) / 2, length, kBarHeight);
    const QRect label(line.x() + length + gap, line.y(), line.width() - length - gap, line.height());
    const auto direction = m_mirrored ? Qt::RightToLeft : Qt::LeftToRight;
    if (visible) {
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(row.sideColor));
        painter.drawRoundedRect(QStyle::visualRect(direction, line, bar), 2, 2);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    painter.setFont(m_theme.font(TextSize::Caption));
    painter.setPen(m_theme.color(Color::Muted));
    text(painter, QStyle::visualRect(direction, line, label), towards(false), row.sideText);
}

QRect HeatmapPainter::inLegend(const QRect &rect) const
{
    const QRect area = m_geometry.legend();
    return QStyle::visualRect(m_mirrored ? Qt::RightToLeft : Qt::LeftToRight, area, rect.translated(area.topLeft()));
}

void HeatmapPainter::paintLegend(QPainter &painter) const
{
    const QRect area = m_geometry.legend();
    if (area.isEmpty())
        return;
    painter.setFont(m_theme.font(TextSize::Caption));
    painter.setPen(m_theme.color(Color::Muted));
    const QFontMetrics metrics = painter.fontMetrics();
    int titleWidth = metrics.horizontalAdvance(m_data.legendText) + 1;
    std::vector<std::pair<Swatch, QString>> swatches{{Swatch::Missing, m_missingText}};
    if (m_levels.hasParts())
        swatches.emplace_back(Swatch::Part, m_data.partText);
    if (m_levels.hasBlanks())
        swatches.emplace_back(Swatch::Blank, m_data.blankText);
    int texts = titleWidth;
    for (const auto &[kind, name] : swatches)
        texts += kMissingSwatchWidth + kBarGap + metrics.horizontalAdvance(name) + 1;
    const int gaps = static_cast<int>(swatches.size()) + 1;
    const int room = area.width() - texts - kHeatSteps * kMinStepWidth;
    if (const int lacking = gaps * kTightLegendGap - room; lacking > 0) { // the title is cut, not the swatches
        const int cut = std::min(lacking, titleWidth);
        titleWidth -= cut;
        texts -= cut;
    }
    const int gap = std::clamp(room / gaps, kTightLegendGap, kAsideLegendGap);
    const int step = std::clamp((area.width() - texts - gaps * gap) / kHeatSteps, kMinStepWidth, kMaxStepWidth);
    paintSteps(painter, step);
    const int y = (kSwatchHeight - metrics.height()) / 2;
    int x = kHeatSteps * step + gap;
    text(painter, inLegend({x, y, titleWidth, metrics.height()}), towards(false), m_data.legendText);
    x += m_data.legendText.isEmpty() ? 0 : titleWidth + gap;
    for (const auto &[kind, name] : swatches) {
        const int width = metrics.horizontalAdvance(name) + 1;
        paintSwatch(painter, inLegend({x, 0, kMissingSwatchWidth, kSwatchHeight}), kind);
        x += kMissingSwatchWidth + kBarGap;
        text(painter, inLegend({x, y, width, metrics.height()}), towards(false), name);
        x += width + gap;
    }
}

void HeatmapPainter::paintSwatch(QPainter &painter, const QRect &rect, Swatch kind) const
{
    painter.setBrushOrigin(rect.topLeft());
    switch (kind) {
    case Swatch::Missing:
        painter.fillRect(rect, m_hatch);
        break;
    case Swatch::Part:
        painter.fillRect(rect, m_theme.heatColor(kHeatSteps / 2, m_data.scale));
        paintPart(painter, rect, kHalfKnown);
        break;
    case Swatch::Blank:
        painter.save();
        painter.setPen(m_theme.color(Color::Border));
        painter.drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5));
        painter.restore();
        break;
    }
}

void HeatmapPainter::paintSteps(QPainter &painter, int stepWidth) const
{
    const QFontMetrics metrics = painter.fontMetrics();
    const auto numberAt = [&](int i) {
        const double value = m_data.minimum + (m_data.maximum - m_data.minimum) * i / kHeatSteps;
        QString number = m_data.scaleText ? m_data.scaleText(value) : QLocale().toString(value, 'f', 0);
        if (i == 0 && m_data.hasLower)
            number.prepend(QStringLiteral("≤ "));
        else if (i == kHeatSteps && m_data.hasHigher)
            number.prepend(QStringLiteral("≥ "));
        return number;
    };
    const auto placeOf = [&](int i, const QString &number) {
        const int width = metrics.horizontalAdvance(number) + 1;
        return QRect(i * stepWidth - width / 2, kSwatchHeight + 4, width, metrics.height());
    };
    // The ends of the range are always shown, and between them as many numbers as do not run into each other.
    const QString last = numberAt(kHeatSteps);
    const QRect lastPlace = placeOf(kHeatSteps, last);
    int end = -kAsideLegendGap;
    for (int i = 0; i < kHeatSteps; ++i) {
        painter.fillRect(inLegend({i * stepWidth, 0, stepWidth, kSwatchHeight}), m_theme.heatColor(i, m_data.scale));
        const QString number = numberAt(i);
        const QRect place = placeOf(i, number);
        if (place.left() < end + kBarGap || place.right() + kBarGap > lastPlace.left())
            continue;
        end = place.left() + place.width();
        text(painter, inLegend(place), Qt::AlignCenter, number);
    }
    text(painter, inLegend(lastPlace), Qt::AlignCenter, last);
}

} // namespace gpuledger::widgets
