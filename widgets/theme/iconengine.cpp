// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/iconengine.h"

#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace gpuledger::widgets {

IconEngine::IconEngine(const Theme &theme, QByteArray svg, Color color, Color checked)
    : m_theme(&theme)
    , m_svg(std::move(svg))
    , m_color(color)
    , m_checked(checked)
{
}

void IconEngine::paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state)
{
    if (!m_theme)
        return;
    QColor color = m_theme->color(state == QIcon::On ? m_checked : m_color);
    if (mode == QIcon::Disabled)
        color = m_theme->color(Color::Outline);
    QByteArray svg = m_svg;
    // Qt's renderer renders currentColor as black.
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    const int side = qMin(rect.width(), rect.height());
    QRectF square(0, 0, side, side);
    square.moveCenter(QRectF(rect).center());
    renderer.render(painter, square);
}

QPixmap IconEngine::pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state)
{
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
}

QIconEngine *IconEngine::clone() const
{
    return new IconEngine(*this);
}

} // namespace gpuledger::widgets
