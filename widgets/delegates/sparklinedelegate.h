// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/delegates/celldelegate.h"

namespace gpuledger::widgets {

// A sparkline cell. Reads kSparklineRole, kSparklineThresholdRole and kSparklineColorRole. Without values, DisplayRole
// is shown in the muted colour. Owned by its parent; GUI thread.
class SparklineDelegate : public CellDelegate {
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

    static QRect lineRect(const QRect &rect, bool mirrored); // in the rectangle between the paddings

protected:
    void paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                      const QModelIndex &index) const override;
    int contentWidth(const QModelIndex &index) const override;
    bool isCut(const QStyleOptionViewItem &option, const QRect &rect, const QModelIndex &index) const override;
};

} // namespace gpuledger::widgets
