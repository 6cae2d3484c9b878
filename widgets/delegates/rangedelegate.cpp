// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/delegates/rangedelegate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>

namespace gpuledger::widgets {

namespace {

constexpr int kUsualScale = 110;
constexpr int kShortestScale = 16;
constexpr int kRangeHeight = 8, kMarkHeight = 14;
constexpr int kMarkWidth = 3;
constexpr qreal kLightness = 0.35; // of the bar, so that the mark stands out

struct Ends {
    double low = 0, middle = 0, high = 0;
};

std::optional<double> rangeShare(const QModelIndex &index, int role)
{
    bool known = false;
    const double value = index.data(role).toDouble(&known);
    return known && std::isfinite(value) ? std::optional(std::clamp(value, 0.0, 1.0)) : std::nullopt;
}

// std::nullopt: no bar.
std::optional<Ends> endsOf(const QModelIndex &index)
{
    const auto low = rangeShare(index, kRangeLowRole), middle = rangeShare(index, kRangeMiddleRole),
               high = rangeShare(index, kRangeHighRole);
    if (!low || !middle || !high)
        return std::nullopt;
    return Ends{*low, std::clamp(*middle, *low, std::max(*low, *high)), std::max(*low, *high)};
}

} // namespace

QRect RangeDelegate::scaleRect(const QRect &rect)
{
    if (rect.width() < kShortestScale)
        return {};
    return {rect.left(), rect.center().y() - kRangeHeight / 2 + 1, rect.width(), kRangeHeight};
}

void RangeDelegate::paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                                 const QModelIndex &index) const
{
    const bool mirrored = option.direction == Qt::RightToLeft;
    const auto ends = endsOf(index);
    if (!ends) {
        painter.setFont(fontOf(index));
        painter.setPen(textColor(index, Color::Muted));
        return paintLine(painter, rect, mirrored ? Qt::AlignRight : Qt::AlignLeft, textOf(index));
    }
    const QRectF scale = scaleRect(rect);
    if (scale.isEmpty())
        return;
    // The mark of the smallest and of the largest value still lies within the cell.
    const qreal room = scale.width() - kMarkWidth;
    const auto at = [&](double share) {
        const qreal from = scale.left() + share * room;
        return mirrored ? scale.left() + scale.right() - from - kMarkWidth : from;
    };
    const qreal from = std::min(at(ends->low), at(ends->high)), to = std::max(at(ends->low), at(ends->high));
    QColor light = theme().color(Color::Active);
    light.setAlphaF(static_cast<float>(kLightness));
    painter.fillRect(QRectF(from, scale.top(), to - from + kMarkWidth, scale.height()), light);
    if (const auto zero = rangeShare(index, kRangeZeroRole))
        painter.fillRect(QRectF(std::round(at(*zero)) + 1, scale.center().y() - kMarkHeight / 2.0, 1, kMarkHeight),
                         theme().color(Color::Muted));
    painter.fillRect(
        QRectF(std::round(at(ends->middle)), scale.center().y() - kMarkHeight / 2.0, kMarkWidth, kMarkHeight),
        theme().color(Color::Active));
}

int RangeDelegate::contentWidth(const QModelIndex &index) const
{
    return endsOf(index) ? kUsualScale : CellDelegate::contentWidth(index);
}

bool RangeDelegate::isCut(const QStyleOptionViewItem &option, const QRect &rect, const QModelIndex &index) const
{
    return endsOf(index).has_value() || CellDelegate::isCut(option, rect, index);
}

} // namespace gpuledger::widgets
