// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inputs/chip.h"

#include "widgets/state/plaintext.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kChipHeight = 28;
constexpr int kChipPadding = 10;
constexpr int kCross = 8;
constexpr int kGap = 8;
constexpr int kWidestText = 220;

} // namespace

Chip::Chip(const Theme &theme, const QString &text, QWidget *parent)
    : QAbstractButton(parent)
    , m_theme(theme)
    , m_text(plainLine(text))
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Remove filter %1").arg(m_text));
    setToolTip(plainToolTip(tr("%1 · click or Delete removes it", "a filter").arg(m_text)));
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize Chip::sizeHint() const
{
    const QFontMetrics metrics(m_theme.font());
    const int text = std::min(kWidestText, metrics.horizontalAdvance(m_text) + 1);
    return {text + 2 * kChipPadding + kGap + kCross, std::max(kChipHeight, metrics.height() + 8)};
}

void Chip::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        click();
        return;
    default:
        QAbstractButton::keyPressEvent(event);
    }
}

void Chip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int radius = m_theme.radius(Radius::Control);
    const QRectF inside = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool marked = underMouse() || isDown();
    const bool focused = hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange);
    painter.setPen(focused ? QPen(m_theme.color(Color::Accent), 2)
                           : QPen(m_theme.color(marked ? Color::Accent : Color::Select), 1));
    painter.setBrush(m_theme.color(Color::Select));
    painter.drawRoundedRect(focused ? inside.adjusted(0.5, 0.5, -0.5, -0.5) : inside, radius, radius);
    painter.setPen(m_theme.color(Color::Accent));
    painter.setFont(m_theme.font());
    const QRect content = rect().adjusted(kChipPadding, 0, -kChipPadding, 0);
    const QRect words = content.adjusted(0, 0, -kGap - kCross, 0);
    painter.drawText(QStyle::visualRect(layoutDirection(), rect(), words),
                     static_cast<int>(Qt::AlignVCenter) | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(m_text, Qt::ElideMiddle, words.width()));
    const QRectF cross = QStyle::visualRect(
        layoutDirection(), rect(), QRect(content.right() - kCross + 1, (height() - kCross) / 2, kCross, kCross));
    painter.setPen(QPen(m_theme.color(Color::Accent), 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(cross.topLeft(), cross.bottomRight());
    painter.drawLine(cross.topRight(), cross.bottomLeft());
}

} // namespace gpuledger::widgets
