// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/busysign.h"

#include <QAccessible>
#include <QEvent>
#include <QPainter>

namespace gpuledger::widgets {

BusySign::BusySign(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_text(tr("Reading…"))
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(m_text);
    hide();
    m_soon.setSingleShot(true);
    m_soon.setInterval(kDelay);
    connect(&m_soon, &QTimer::timeout, this, &BusySign::appear);
    parent->installEventFilter(this);
}

void BusySign::setBusy(bool busy)
{
    if (!busy) {
        m_soon.stop();
        hide();
    } else if (isHidden() && !m_soon.isActive()) {
        m_soon.start();
    }
}

void BusySign::appear()
{
    place();
    raise();
    show();
    QAccessibleEvent shown(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&shown);
}

void BusySign::place()
{
    const QFontMetrics metrics(m_theme.font());
    const int side = m_theme.space(Space::Large), above = m_theme.space(Space::Small);
    resize(metrics.horizontalAdvance(m_text) + 2 * side, metrics.height() + 2 * above);
    move((parentWidget()->width() - width()) / 2, m_theme.space(Space::Large));
}

bool BusySign::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QWidget::eventFilter(watched, event);
}

void BusySign::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(Color::Outline), 1));
    painter.setBrush(m_theme.color(Color::Raised));
    const int radius = m_theme.radius(Radius::Card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.setPen(m_theme.color(Color::Text));
    painter.setFont(m_theme.font());
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextSingleLine, m_text);
}

} // namespace gpuledger::widgets
