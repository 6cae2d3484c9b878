// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/topbar/searchbutton.h"

#include "widgets/state/plaintext.h"

#include <QShortcut>
#include <QStyleOptionButton>
#include <QStylePainter>

namespace gpuledger::ui {

namespace {

constexpr int kPadding = 10;
constexpr int kGap = 12;
constexpr int kIcon = 16;

} // namespace

SearchButton::SearchButton(const widgets::Theme &theme, QWidget *parent)
    : QPushButton(parent)
    , m_theme(theme)
    , m_icon(theme.icon(QStringLiteral("search"))) // no-tr: icon name
{
    setText(tr("Search or command"));
    setAccessibleName(text());
    setAutoDefault(false);
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_K), this), &QShortcut::activated, this, &QPushButton::click);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setToolTip(widgets::plainToolTip(text() + QStringLiteral("  ") + keys()));
}

QString SearchButton::keys() const
{
    return QKeySequence(Qt::CTRL | Qt::Key_K).toString(QKeySequence::NativeText);
}

void SearchButton::setCompact(bool compact)
{
    if (m_compact == compact)
        return;
    m_compact = compact;
    updateGeometry();
    update();
}

QSize SearchButton::sizeHint() const
{
    const int height = qMax(28, QPushButton::sizeHint().height());
    if (m_compact)
        return {kIcon + 2 * kPadding, height};
    const QFontMetrics body(m_theme.font()), caption(m_theme.font(widgets::TextSize::Caption));
    return {body.horizontalAdvance(text()) + kGap + caption.horizontalAdvance(keys()) + 2 * kPadding + 2, height};
}

void SearchButton::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    painter.drawPrimitive(QStyle::PE_PanelButtonCommand, option);
    if (m_compact) {
        m_icon.paint(&painter, QRect((width() - kIcon) / 2, (height() - kIcon) / 2, kIcon, kIcon));
    } else {
        const QRect room = rect().adjusted(kPadding, 0, -kPadding, 0);
        const bool mirrored = layoutDirection() == Qt::RightToLeft;
        painter.setPen(m_theme.color(widgets::Color::Muted));
        painter.setFont(m_theme.font());
        painter.drawText(room, (mirrored ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, text());
        painter.setFont(m_theme.font(widgets::TextSize::Caption));
        painter.drawText(room, (mirrored ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, keys());
    }
    if (hasFocus() && (option.state & QStyle::State_KeyboardFocusChange))
        painter.drawPrimitive(QStyle::PE_FrameFocusRect, option);
}

} // namespace gpuledger::ui
