// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/delegates/celldelegate.h"

namespace gpuledger::widgets {

// A bar on its track, followed by the figure. Reads kBarShareRole, kBarColorRole and DisplayRole. Owned by its parent;
// GUI thread.
class BarDelegate : public CellDelegate {
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

    // The areas of the bar and the figure, given the rectangle between the paddings.
    static QRect trackRect(const QRect &rect, bool mirrored);
    static QRect figureRect(const QRect &rect, bool mirrored);

protected:
    void paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                      const QModelIndex &index) const override;
    int contentWidth(const QModelIndex &index) const override;
    bool isCut(const QStyleOptionViewItem &option, const QRect &rect, const QModelIndex &index) const override;
};

} // namespace gpuledger::widgets
