// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/delegates/badgedelegate.h"

#include "widgets/state/plaintext.h"

#include <QPainter>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kInset = 6; // left and right of the word
constexpr int kHeight = 20;
constexpr int kLongestBadge = 200;

Tone toneOf(const QModelIndex &index)
{
    const QVariant tone = index.data(kToneRole);
    return tone.isValid() ? tone.value<Tone>() : Tone::Muted;
}

} // namespace

int badgeWidth(const Theme &theme, const QString &text)
{
    const QFontMetrics metrics(theme.font(TextSize::Caption, QFont::Medium));
    return metrics.horizontalAdvance(plainLine(text, kLongestBadge)) + 2 * kInset + 2;
}

QRect paintBadge(QPainter &painter, const QRect &rect, const Theme &theme, const QString &text, Tone tone,
                 bool mirrored)
{
    const QString word = plainLine(text, kLongestBadge);
    if (word.isEmpty() || rect.width() <= 2 * kInset)
        return {};
    const int width = std::min(rect.width(), badgeWidth(theme, text));
    const int height = std::min(rect.height(), kHeight);
    const QRect badge(mirrored ? rect.right() + 1 - width : rect.left(), rect.top() + (rect.height() - height) / 2,
                      width, height);
    painter.save();
    painter.setFont(theme.font(TextSize::Caption, QFont::Medium));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(tone == Tone::Muted || tone == Tone::Neutral ? Color::Outline : colorOf(tone)), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(badge).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(theme.color(colorOf(tone)));
    painter.drawText(badge, static_cast<int>(Qt::AlignCenter) | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(word, Qt::ElideRight, width - 2 * kInset));
    painter.restore();
    return badge;
}

void BadgeDelegate::paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                                 const QModelIndex &index) const
{
    paintBadge(painter, rect, theme(), textOf(index), toneOf(index), option.direction == Qt::RightToLeft);
}

int BadgeDelegate::contentWidth(const QModelIndex &index) const
{
    const QString text = textOf(index);
    return text.isEmpty() ? 0 : badgeWidth(theme(), text);
}

bool BadgeDelegate::isCut(const QStyleOptionViewItem &, const QRect &rect, const QModelIndex &index) const
{
    return contentWidth(index) > rect.width();
}

} // namespace gpuledger::widgets
