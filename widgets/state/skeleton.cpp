// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/skeleton.h"

#include <QPainter>
#include <QStyle>

namespace gpuledger::widgets {

Skeleton::Skeleton(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setAccessibleName(tr("Loading", "state of a page"));
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Skeleton::paintEvent(QPaintEvent *)
{
    constexpr int kHeading = 18;
    constexpr int kRow = 38;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QColor block = m_theme.color(Color::Border);
    block.setAlphaF(0.6F);
    painter.setBrush(block);
    const int radius = m_theme.radius(Radius::Control);
    const int gap = m_theme.space(Space::Medium);
    const QRect area = rect().adjusted(gap, gap, -gap, -gap);
    const auto draw = [&](const QRect &place) {
        painter.drawRoundedRect(QStyle::visualRect(layoutDirection(), area, place), radius, radius);
    };
    draw({area.x(), area.y(), qMin(220, area.width()), kHeading});
    const int label = qMin(96, area.width() / 4);
    const int top = area.y() + kHeading + 2 * gap;
    for (int y = top, row = 0; y + kRow <= area.bottom() && row < 8; y += kRow + 3, ++row) {
        const int width = label - (row * 23) % 40; // names vary in length
        draw({area.x() + label - width, y + 12, width, kRow - 24});
        draw({area.x() + label + gap, y, area.width() - label - gap, kRow});
    }
}

} // namespace gpuledger::widgets
