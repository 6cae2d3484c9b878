// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/delegates/celldelegate.h"

namespace gpuledger::widgets {

// QList<double>: begin and end of each span as shares of the whole time (0 to 1), one after the other; an odd last
// value is ignored. Empty or invalid: only the text, in the muted colour.
constexpr int kSpansRole = Qt::UserRole + 0x480;

// When something was so, as bars on a line of time that all rows share. Time runs from left to right in mirrored
// layouts too. A span that is too short to see is drawn two pixels wide. The text is for the tooltip, screen readers
// and files. Reads kSpansRole, kToneRole (colour of the bars; default: critical) and DisplayRole. Owned by its parent;
// GUI thread.
class SpansDelegate : public CellDelegate {
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

protected:
    void paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                      const QModelIndex &index) const override;
    int contentWidth(const QModelIndex &index) const override;
    bool isCut(const QStyleOptionViewItem &option, const QRect &rect, const QModelIndex &index) const override;
};

} // namespace gpuledger::widgets
