// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QStyledItemDelegate>

namespace gpuledger::widgets {

// A text cell: one plain line, elided, preceded by the check box in column 0. The full text and its source appear on
// hover. Owned by its table; GUI thread.
class TableDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit TableDelegate(const Theme &theme, QObject *parent = nullptr);

    void setRowHeight(int height) { m_rowHeight = height; }
    int rowHeight() const { return m_rowHeight; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    bool editorEvent(QEvent *event, QAbstractItemModel *model, const QStyleOptionViewItem &option,
                     const QModelIndex &index) override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override;

    // The areas of the check box in a cell of column 0, and of the text beside it.
    static QRect checkRect(const QRect &cell, Qt::LayoutDirection direction);
    static QRect textRect(const QRect &cell, Qt::LayoutDirection direction, bool hasTick);

    static constexpr int kPadding = 8;
    static constexpr int kCheckSide = 14;
    static constexpr int kCheckGap = 7;
    static constexpr int kRowHeight = 30;

private:
    QFont fontOf(const QModelIndex &index) const;

    const Theme &m_theme;
    int m_rowHeight = kRowHeight;
};

} // namespace gpuledger::widgets
