// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/delegates/celldelegate.h"

namespace gpuledger::widgets {

// A word in an outline, such as "high" or "kept until 18:00". Reads DisplayRole and kToneRole (default: muted). Without
// text, no badge is drawn. Owned by its parent; GUI thread.
class BadgeDelegate : public CellDelegate {
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

protected:
    void paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                      const QModelIndex &index) const override;
    int contentWidth(const QModelIndex &index) const override;
    bool isCut(const QStyleOptionViewItem &option, const QRect &rect, const QModelIndex &index) const override;
};

// Paints only the badge, at the start of the rectangle and no wider than it; for headers and panels. Returns its
// rectangle.
QRect paintBadge(QPainter &painter, const QRect &rect, const Theme &theme, const QString &text, Tone tone,
                 bool mirrored = false);
int badgeWidth(const Theme &theme, const QString &text);

} // namespace gpuledger::widgets
