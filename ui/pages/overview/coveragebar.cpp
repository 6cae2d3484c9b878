// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/coveragebar.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

using widgets::Color;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kBarHeight = 12;
constexpr int kSwatch = 10;
constexpr int kLegendWidth = 220;

} // namespace

CoverageBar::CoverageBar(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Coverage of the owner rules"));
    connect(&theme, &widgets::Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void CoverageBar::setParts(std::vector<Part> parts)
{
    if (parts == m_parts)
        return;
    m_parts = std::move(parts);
    QStringList all;
    for (const Part &part : m_parts)
        all << tr("%1 %2 (%3)", "a part, its share, amounts").arg(part.name, part.amount, part.detail);
    setAccessibleDescription(all.join(QStringLiteral(", ")));
    update();
}

QSize CoverageBar::sizeHint() const
{
    const int body = QFontMetrics(m_theme.font()).height();
    const int caption = QFontMetrics(m_theme.font(TextSize::Caption)).height();
    return {3 * kLegendWidth, kBarHeight + m_theme.space(Space::Small) + body + caption};
}

void CoverageBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    const QRect bar(0, 0, width(), kBarHeight);
    QPainterPath frame;
    frame.addRoundedRect(bar, kBarHeight / 3.0, kBarHeight / 3.0);
    painter.save();
    painter.setClipPath(frame);
    painter.fillRect(bar, m_theme.color(Color::Raised));
    double at = 0;
    for (const Part &part : m_parts) {
        const int from = static_cast<int>(std::lround(at * width()));
        at += part.share;
        const int to = static_cast<int>(std::lround(at * width()));
        QRect piece(from, 0, std::max(0, to - from - 1), kBarHeight); // a thin gap separates neighbours
        if (mirrored)
            piece.moveRight(width() - 1 - from);
        painter.fillRect(piece, m_theme.color(part.color));
    }
    painter.restore();

    const int share = m_parts.empty() ? 0 : std::min(width() / static_cast<int>(m_parts.size()), 2 * kLegendWidth);
    const QFont strong = m_theme.font(TextSize::Body, QFont::DemiBold);
    const QFont small = m_theme.font(TextSize::Caption);
    const int top = kBarHeight + m_theme.space(Space::Small);
    int x = 0;
    for (const Part &part : m_parts) {
        QRect place(x, top, share - m_theme.space(Space::Medium), QFontMetrics(strong).height());
        if (mirrored)
            place.moveRight(width() - 1 - x);
        const int inset = kSwatch + m_theme.space(Space::Small);
        const QRect swatch(mirrored ? place.right() - kSwatch + 1 : place.left(), place.center().y() - kSwatch / 2,
                           kSwatch, kSwatch);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(part.color));
        painter.drawRoundedRect(swatch, 2, 2);
        const QRect line = mirrored ? place.adjusted(0, 0, -inset, 0) : place.adjusted(inset, 0, 0, 0);
        const auto write = [&](const QRect &rect, const QFont &font, Color color, const QString &text) {
            painter.setFont(font);
            painter.setPen(m_theme.color(color));
            painter.drawText(rect, Qt::AlignVCenter | (mirrored ? Qt::AlignRight : Qt::AlignLeft),
                             QFontMetrics(font).elidedText(text, Qt::ElideRight, rect.width()));
        };
        write(line, strong, Color::Text, tr("%1 %2", "a part, its share").arg(part.name, part.amount));
        write(line.translated(0, line.height()), small, Color::Muted, part.detail);
        x += share;
    }
}

} // namespace gpuledger::ui
