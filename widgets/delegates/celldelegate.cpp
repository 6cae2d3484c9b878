// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/delegates/celldelegate.h"

#include "widgets/state/plaintext.h"
#include "widgets/theme/tabular.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr int kLongest = 1000; // characters of a cell; the rest would never be visible
constexpr int kLongestToolTip = 2000;

Qt::Alignment startOf(const QStyleOptionViewItem &option)
{
    return option.direction == Qt::RightToLeft ? Qt::AlignRight : Qt::AlignLeft;
}

} // namespace

CellDelegate::CellDelegate(const Theme &theme, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{
}

QString CellDelegate::textOf(const QModelIndex &index) const
{
    return plainLine(displayText(index.data(Qt::DisplayRole), QLocale()), kLongest);
}

QFont CellDelegate::fontOf(const QModelIndex &index) const
{
    const QVariant font = index.data(Qt::FontRole);
    const auto weight = font.isValid() ? static_cast<QFont::Weight>(font.value<QFont>().weight()) : QFont::Normal;
    return m_theme.font(TextSize::Body, weight);
}

QColor CellDelegate::textColor(const QModelIndex &index, Color otherwise) const
{
    const QVariant tone = index.data(kToneRole);
    return m_theme.color(tone.isValid() ? colorOf(tone.value<Tone>()) : otherwise);
}

QRect CellDelegate::contentRect(const QStyleOptionViewItem &option) const
{
    return option.rect.adjusted(kPadding, 0, -kPadding, -1);
}

void CellDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->text = textOf(index);
    option->font = fontOf(index);
    option->fontMetrics = QFontMetrics(option->font);
    const QColor text = textColor(index);
    for (const auto group : {QPalette::Active, QPalette::Inactive}) {
        option->palette.setColor(group, QPalette::Text, text);
        option->palette.setColor(group, QPalette::HighlightedText, text);
        option->palette.setColor(group, QPalette::Highlight, m_theme.color(Color::Select));
    }
}

void CellDelegate::paintBackground(QPainter &painter, const QStyleOptionViewItem &option,
                                   const QModelIndex &index) const
{
    if (option.state & QStyle::State_Selected)
        painter.fillRect(option.rect, m_theme.color(Color::Select));
    else if (const QVariant brush = index.data(Qt::BackgroundRole); brush.isValid())
        painter.fillRect(option.rect, brush.value<QBrush>());
    const QRect &rect = option.rect;
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), m_theme.color(Color::Border));
    if (!(option.state & QStyle::State_HasFocus) || !(option.state & QStyle::State_KeyboardFocusChange))
        return; // a row or a table has its own ring
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(Color::Accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -2), 2, 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void CellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    painter->setClipRect(option.rect, Qt::IntersectClip);
    paintBackground(*painter, option, index);
    paintContent(*painter, option, contentRect(option), index);
    painter->restore();
}

void CellDelegate::paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                                const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const bool plain =
        !(item.features & (QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDecoration));
    if (plain) {
        painter.setFont(item.font);
        painter.setPen(textColor(index));
        return paintLine(painter, rect, startOf(option), item.text);
    }
    // Check boxes and icons are placed where the style expects them, so that clicks hit them.
    item.rect = option.rect.adjusted(0, 0, 0, -1);
    item.state &= ~(QStyle::State_HasFocus | QStyle::State_Selected);
    item.backgroundBrush = Qt::NoBrush;
    const QStyle *style = item.widget ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, &painter, item.widget);
}

void CellDelegate::paintLine(QPainter &painter, const QRect &rect, Qt::Alignment alignment, const QString &text) const
{
    if (tabularWidth(painter.font(), text) <= rect.width())
        return drawTabular(painter, rect, alignment, text);
    painter.drawText(rect, static_cast<int>(alignment | Qt::AlignVCenter | Qt::AlignAbsolute) | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, rect.width()));
}

int CellDelegate::contentWidth(const QModelIndex &index) const
{
    return static_cast<int>(std::ceil(tabularWidth(fontOf(index), textOf(index).left(200))));
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    int width = contentWidth(index) + 2 * kPadding;
    if (item.features & (QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDecoration))
        width = std::max(width, QStyledItemDelegate::sizeHint(option, index).width());
    return {width, kRowHeight};
}

bool CellDelegate::isCut(const QStyleOptionViewItem &option, const QRect &rect, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    QRect room = rect;
    if (item.features & (QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDecoration)) {
        const QStyle *style = item.widget ? item.widget->style() : QApplication::style();
        room = style->subElementRect(QStyle::SE_ItemViewItemText, &item, item.widget);
    }
    return contentWidth(index) > room.width();
}

bool CellDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                             const QModelIndex &index)
{
    if (!event || !view || event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QStringList parts;
    const QString text = index.data(Qt::DisplayRole).toString();
    if (isCut(option, contentRect(option), index) || text.size() > kLongest)
        parts << text.left(kLongestToolTip);
    parts << index.data(Qt::ToolTipRole).toString().left(kLongestToolTip);
    parts.removeAll(QString());
    QToolTip::showText(event->globalPos(), plainToolTip(parts.join(QLatin1Char('\n'))), view, option.rect);
    return true;
}

void FigureDelegate::paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                                  const QModelIndex &index) const
{
    painter.setFont(fontOf(index));
    painter.setPen(textColor(index));
    const bool mirrored = option.direction == Qt::RightToLeft;
    paintLine(painter, rect, mirrored ? Qt::AlignLeft : Qt::AlignRight, textOf(index));
}

bool FigureDelegate::isCut(const QStyleOptionViewItem &, const QRect &rect, const QModelIndex &index) const
{
    return contentWidth(index) > rect.width();
}

} // namespace gpuledger::widgets
