// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cards/card.h"

#include <QPainter>

namespace gpuledger::widgets {

Card::Card(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Card::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintCard(painter, rect(), m_theme);
}

void paintCard(QPainter &painter, const QRect &rect, const Theme &theme, Color line)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(line), 1));
    painter.setBrush(theme.color(Color::Surface));
    const qreal radius = theme.radius(Radius::Card);
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.restore();
}

} // namespace gpuledger::widgets
