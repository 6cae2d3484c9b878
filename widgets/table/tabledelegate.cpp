// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/tabledelegate.h"

#include "widgets/delegates/roles.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/tableinterface.h"
#include "widgets/table/tabletext.h"
#include "widgets/theme/style.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace gpuledger::widgets {

namespace {

constexpr qsizetype kTipLines = 12;

bool hasTickRoom(const QModelIndex &index)
{
    const auto *table = qobject_cast<const TableInterface *>(index.model());
    return index.column() == 0 && table && table->hasTicks();
}

} // namespace

TableDelegate::TableDelegate(const Theme &theme, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{
}

QRect TableDelegate::checkRect(const QRect &cell, Qt::LayoutDirection direction)
{
    return QStyle::visualRect(
        direction, cell, QRect(cell.left() + kPadding, cell.center().y() - kCheckSide / 2, kCheckSide, kCheckSide));
}

QRect TableDelegate::textRect(const QRect &cell, Qt::LayoutDirection direction, bool hasTick)
{
    const int before = kPadding + (hasTick ? kCheckSide + kCheckGap : 0);
    return QStyle::visualRect(direction, cell, cell.adjusted(before, 0, -kPadding, 0));
}

QFont TableDelegate::fontOf(const QModelIndex &index) const
{
    const QVariant font = index.data(Qt::FontRole);
    return m_theme.font(TextSize::Body,
                        font.isValid() ? static_cast<QFont::Weight>(font.value<QFont>().weight()) : QFont::Normal);
}

void TableDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QVariant check = index.data(Qt::CheckStateRole);
    if (check.isValid())
        drawTickBox(*painter, m_theme, checkRect(option.rect, option.direction), check.toInt() == Qt::Checked);
    const QRect place = textRect(option.rect, option.direction, hasTickRoom(index));
    const QFont font = fontOf(index);
    // Names differ at their ends as often as at their beginnings.
    const Qt::TextElideMode mode = index.column() == 0 ? Qt::ElideMiddle : option.textElideMode;
    const QString text = QFontMetrics(font).elidedText(shownLine(index.data().toString()), mode, place.width());
    const auto wanted = static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt());
    const Qt::Alignment side =
        QStyle::visualAlignment(option.direction, wanted & Qt::AlignHorizontal_Mask) | Qt::AlignAbsolute;
    const QVariant tone = index.data(kToneRole);
    const Color usual = index.data(kRawValueRole).isValid() ? Color::Text : Color::Muted;
    painter->save();
    painter->setFont(font);
    painter->setPen(m_theme.color(tone.isValid() ? colorOf(tone.value<Tone>()) : usual));
    painter->drawText(place, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine, text);
    painter->restore();
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    const int check = hasTickRoom(index) ? kCheckSide + kCheckGap : 0;
    const int text = QFontMetrics(fontOf(index)).horizontalAdvance(shownLine(index.data().toString()));
    return {text + 1 + check + 2 * kPadding, m_rowHeight};
}

bool TableDelegate::editorEvent(QEvent *event, QAbstractItemModel *model, const QStyleOptionViewItem &option,
                                const QModelIndex &index)
{
    const bool press = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick;
    if (!(index.flags() & Qt::ItemIsUserCheckable) || (!press && event->type() != QEvent::MouseButtonRelease))
        return false;
    const auto *mouse = static_cast<QMouseEvent *>(event);
    const QRect box = checkRect(option.rect, option.direction).adjusted(-5, -5, 5, 5);
    if (mouse->button() != Qt::LeftButton || !box.contains(mouse->position().toPoint()))
        return false;
    if (!press)
        model->setData(index, index.data(Qt::CheckStateRole).toInt() == Qt::Checked ? Qt::Unchecked : Qt::Checked,
                       Qt::CheckStateRole);
    return true;
}

bool TableDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                              const QModelIndex &index)
{
    if (event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QStringList lines;
    if (sizeHint(option, index).width() > option.rect.width())
        lines << tipLines(index.data().toString());
    const QStringList tip = index.data(Qt::ToolTipRole).toString().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString &line : tip.mid(0, kTipLines))
        lines << tipLines(line);
    QToolTip::showText(event->globalPos(), plainToolTip(lines.join(QLatin1Char('\n'))), view);
    return true;
}

} // namespace gpuledger::widgets
