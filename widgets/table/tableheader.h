// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QHeaderView>

namespace gpuledger::widgets {

// Titles in caption size, with a mark on the sorted column. Owned by its table; GUI thread.
class TableHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit TableHeader(const Theme &theme, QWidget *parent = nullptr);

    // -1: no mark.
    void setMark(int column, Qt::SortOrder order);
    // Including its mark.
    int titleWidth(int column) const;

    QSize sizeHint() const override;
    static constexpr int kHeight = 34;

protected:
    void paintSection(QPainter *painter, const QRect &rect, int column) const override;
    void paintEvent(QPaintEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    const Theme &m_theme;
    int m_column = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

// A small filled triangle that marks sorting and collapsing: pointing down, up, or in the reading direction.
enum class Pointing { Down, Up, Onwards };
void paintTriangle(QPainter &painter, const QRectF &place, Pointing pointing, Qt::LayoutDirection direction,
                   const QColor &color);

} // namespace gpuledger::widgets
