// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/delegates/bardelegate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpuledger::widgets {

namespace {

constexpr int kLongestTrack = 240; // longer ones are hard to compare at a glance
constexpr int kUsualTrack = 110;
constexpr int kShortestTrack = 24;
constexpr int kTrackHeight = 8;
constexpr int kGap = 8;
constexpr int kFigure = 48; // fits "113 %"
constexpr qreal kRadius = 2;

// NaN: no bar.
double shareOf(const QModelIndex &index)
{
    bool known = false;
    const double share = index.data(kBarShareRole).toDouble(&known);
    return known && std::isfinite(share) ? std::max(0.0, share) : std::numeric_limits<double>::quiet_NaN();
}

Color colorRole(const QModelIndex &index, int role, Color otherwise)
{
    bool known = false;
    const int color = index.data(role).toInt(&known);
    return known && color >= 0 && color < kColorCount ? static_cast<Color>(color) : otherwise;
}

} // namespace

QRect BarDelegate::trackRect(const QRect &rect, bool mirrored)
{
    const int width = std::clamp(rect.width() - kGap - kFigure, 0, kLongestTrack);
    if (width < kShortestTrack)
        return {};
    const int x = mirrored ? rect.right() + 1 - width : rect.left();
    return {x, rect.center().y() - kTrackHeight / 2 + 1, width, kTrackHeight};
}

QRect BarDelegate::figureRect(const QRect &rect, bool mirrored)
{
    const QRect track = trackRect(rect, mirrored);
    const int used = track.isEmpty() ? 0 : track.width() + kGap;
    return rect.adjusted(mirrored ? 0 : used, 0, mirrored ? -used : 0, 0);
}

void BarDelegate::paintContent(QPainter &painter, const QStyleOptionViewItem &option, const QRect &rect,
                               const QModelIndex &index) const
{
    const bool mirrored = option.direction == Qt::RightToLeft;
    const Qt::Alignment start = mirrored ? Qt::AlignRight : Qt::AlignLeft;
    const double share = shareOf(index);
    painter.setFont(fontOf(index));
    if (std::isnan(share)) {
        painter.setPen(textColor(index, Color::Muted));
        return paintLine(painter, rect, start, textOf(index));
    }
    const QRectF track = trackRect(rect, mirrored);
    if (!track.isEmpty()) {
        const bool selected = option.state & QStyle::State_Selected;
        QRectF bar = track;
        // A small share is still visible: at least two pixels.
        bar.setWidth(share > 0 ? std::max(2.0, std::min(1.0, share) * track.width()) : 0);
        if (mirrored)
            bar.moveRight(track.right());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().color(selected ? Color::Surface : Color::Background));
        painter.drawRoundedRect(track, kRadius, kRadius);
        painter.setBrush(theme().color(colorRole(index, kBarColorRole, Color::Active)));
        painter.drawRoundedRect(bar, std::min(kRadius, bar.width() / 2), kRadius);
        painter.setRenderHint(QPainter::Antialiasing, false);
        // Marks the limit inside a bar that exceeds it.
        if (share > 1) {
            const qreal shift = track.width() / share;
            const qreal x = std::round(mirrored ? track.right() - shift - 1 : track.left() + shift);
            painter.fillRect(QRectF(x, track.top(), 1, track.height()), theme().color(Color::Surface));
        }
    }
    painter.setPen(textColor(index));
    paintLine(painter, figureRect(rect, mirrored), start, textOf(index));
}

int BarDelegate::contentWidth(const QModelIndex &index) const
{
    const int text = CellDelegate::contentWidth(index);
    return std::isnan(shareOf(index)) ? text : kUsualTrack + kGap + std::max(kFigure, text);
}

bool BarDelegate::isCut(const QStyleOptionViewItem &option, const QRect &rect, const QModelIndex &index) const
{
    const QRect room = std::isnan(shareOf(index)) ? rect : figureRect(rect, option.direction == Qt::RightToLeft);
    return CellDelegate::contentWidth(index) > room.width();
}

} // namespace gpuledger::widgets
