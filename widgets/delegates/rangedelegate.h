// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/delegates/celldelegate.h"

namespace gpuledger::widgets {

// A range on the common scale of its column: a light bar from its low to its high end with a mark at its middle. Where
// no range is known, the text is shown instead; otherwise the text is for the tooltip, screen readers and files. Reads
// kRangeLowRole, kRangeMiddleRole, kRangeHighRole, kRangeZeroRole and DisplayRole. Owned by its parent; GUI thread.
class RangeDelegate : public CellDelegate {
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

    // The area of the whole scale, given the rectangle between the paddings; empty: no room.
    static QRect scaleRect(const QRect &rect);

protected:
    void paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                      const QModelIndex &index) const override;
    int contentWidth(const QModelIndex &index) const override;
    // A bar shows its text in the tooltip.
    bool isCut(const QStyleOptionViewItem &option, const QRect &rect, const QModelIndex &index) const override;
};

} // namespace gpuledger::widgets
