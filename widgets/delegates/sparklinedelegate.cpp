// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/delegates/sparklinedelegate.h"

#include "widgets/charts/sparkline.h"

#include <QPainter>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kLongestLine = 800;
constexpr int kUsualLine = 110;
constexpr int kLineHeight = 20;

QList<double> valuesOf(const QModelIndex &index)
{
    return index.data(kSparklineRole).value<QList<double>>();
}

} // namespace

QRect SparklineDelegate::lineRect(const QRect &rect, bool mirrored)
{
    const int width = std::min(rect.width(), kLongestLine);
    const int height = std::min(rect.height(), kLineHeight);
    const int x = mirrored ? rect.right() + 1 - width : rect.left();
    return {x, rect.top() + (rect.height() - height) / 2, width, height};
}

void SparklineDelegate::paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                                     const QModelIndex &index) const
{
    const bool mirrored = option.direction == Qt::RightToLeft;
    SparklineData data;
    data.values = valuesOf(index);
    if (data.values.isEmpty()) {
        painter.setFont(fontOf(index));
        painter.setPen(textColor(index, Color::Muted));
        return paintLine(painter, rect, mirrored ? Qt::AlignRight : Qt::AlignLeft, textOf(index));
    }
    bool known = false;
    if (const double threshold = index.data(kSparklineThresholdRole).toDouble(&known); known)
        data.threshold = threshold;
    const int color = index.data(kSparklineColorRole).toInt(&known);
    if (known && color >= 0 && color < kColorCount)
        data.color = static_cast<Color>(color);
    data.filled = false;
    paintSparkline(painter, lineRect(rect, mirrored), theme(), data);
}

int SparklineDelegate::contentWidth(const QModelIndex &index) const
{
    return valuesOf(index).isEmpty() ? CellDelegate::contentWidth(index) : kUsualLine;
}

bool SparklineDelegate::isCut(const QStyleOptionViewItem &, const QRect &rect, const QModelIndex &index) const
{
    return valuesOf(index).isEmpty() && CellDelegate::contentWidth(index) > rect.width();
}

} // namespace gpuledger::widgets
