// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/delegates/spansdelegate.h"

#include <QList>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr int kUsualSpansWidth = 240;
constexpr int kSpanHeight = 12;
constexpr qreal kLeastSpan = 2;

QList<double> spansOf(const QModelIndex &index)
{
    return index.data(kSpansRole).value<QList<double>>();
}

} // namespace

void SpansDelegate::paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                                 const QModelIndex &index) const
{
    const QList<double> spans = spansOf(index);
    if (spans.size() < 2) {
        painter.setFont(fontOf(index));
        painter.setPen(textColor(index, Color::Muted));
        return CellDelegate::paintLine(
            painter, rect, option.direction == Qt::RightToLeft ? Qt::AlignRight : Qt::AlignLeft, textOf(index));
    }
    const QRectF line(rect.left(), rect.center().y() - kSpanHeight / 2.0 + 1, rect.width(), kSpanHeight);
    painter.fillRect(QRectF(line.left(), std::round(line.center().y()), line.width(), 1),
                     theme().color(Color::Outline));
    const QColor color = textColor(index, Color::Critical);
    for (qsizetype i = 0; i + 1 < spans.size(); i += 2) {
        if (!std::isfinite(spans[i]) || !std::isfinite(spans[i + 1]))
            continue;
        const qreal from = line.left() + std::clamp(spans[i], 0.0, 1.0) * line.width();
        const qreal to = line.left() + std::clamp(spans[i + 1], 0.0, 1.0) * line.width();
        const qreal width = std::max(kLeastSpan, to - from);
        painter.fillRect(QRectF(std::min(from, line.right() - width), line.top(), width, line.height()), color);
    }
}

int SpansDelegate::contentWidth(const QModelIndex &index) const
{
    return spansOf(index).size() < 2 ? CellDelegate::contentWidth(index) : kUsualSpansWidth;
}

bool SpansDelegate::isCut(const QStyleOptionViewItem &option, const QRect &rect, const QModelIndex &index) const
{
    return spansOf(index).size() >= 2 || CellDelegate::isCut(option, rect, index);
}

} // namespace gpuledger::widgets
