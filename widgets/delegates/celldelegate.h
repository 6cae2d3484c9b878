// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/delegates/roles.h"
#include "widgets/theme/theme.h"

#include <QStyledItemDelegate>

namespace gpuledger::widgets {

// A text cell in the style of the tables: one line of plain text, a line below each row, the selection in its soft
// colour, a check box or icon if the model has one. Truncated text is shown in full in the tooltip. The other delegates
// derive from it and paint their own content. Owned by its parent, usually the view; GUI thread.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit CellDelegate(const Theme &theme, QObject *parent = nullptr);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override;

    static constexpr int kRowHeight = 34; // as in the mock-ups; logical pixels
    static constexpr int kPadding = 8; // left and right of the content

protected:
    const Theme &theme() const { return m_theme; }

    // Paints the content in the rectangle between the paddings. The background has been painted; the caller saves and
    // restores the painter.
    virtual void paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                              const QModelIndex &index) const;
    virtual int contentWidth(const QModelIndex &index) const;
    // Whether the text is too long for the rectangle between the paddings.
    virtual bool isCut(const QStyleOptionViewItem &option, const QRect &rect, const QModelIndex &index) const;

    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

    // Texts for the other delegates.
    QString textOf(const QModelIndex &index) const; // one line of plain text
    QFont fontOf(const QModelIndex &index) const; // body font with the weight of the model's font
    QColor textColor(const QModelIndex &index, Color otherwise = Color::Text) const; // by kToneRole
    // Elided, with tabular digits. The alignment is absolute.
    void paintLine(QPainter &painter, const QRect &rect, Qt::Alignment alignment, const QString &text) const;
    QRect contentRect(const QStyleOptionViewItem &option) const;

private:
    void paintBackground(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index) const;

    const Theme &m_theme;
};

// Right-aligned figures (left-aligned in right-to-left layouts) with aligned digits; sign and tone show whether a
// change is good.
class FigureDelegate : public CellDelegate {
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

protected:
    void paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                      const QModelIndex &index) const override;
    bool isCut(const QStyleOptionViewItem &option, const QRect &rect, const QModelIndex &index) const override;
};

} // namespace gpuledger::widgets
