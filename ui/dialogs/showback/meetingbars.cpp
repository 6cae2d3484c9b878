// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/showback/meetingbars.h"

#include "widgets/state/plaintext.h"
#include "widgets/theme/tabular.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

using widgets::Color;
using widgets::Space;

namespace {

constexpr double kMostNames = 0.35; // of the width
constexpr double kBarHeight = 0.5; // of a row
constexpr int kMostRowHeight = 3; // times the line height
constexpr double kLeastText = 0.6; // of the size of the text, if there are many teams

} // namespace

MeetingBars::MeetingBars(const widgets::Theme &theme, std::vector<MeetingSlide::Bar> bars, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_bars(std::move(bars))
{
    QStringList lines;
    for (MeetingSlide::Bar &bar : m_bars) {
        bar.name = widgets::plainLine(bar.name);
        lines << bar.name + QLatin1String(": ") + bar.amount
                + (bar.waste.isEmpty() ? QString() : QLatin1String(", ") + bar.waste);
    }
    setAccessibleName(tr("Cost of teams"));
    setAccessibleDescription(lines.join(QLatin1String("; ")));
}

QSize MeetingBars::minimumSizeHint() const
{
    const QFontMetrics metrics(m_theme.font());
    return {metrics.averageCharWidth() * 30,
            static_cast<int>(std::ceil(static_cast<double>(m_bars.size()) * metrics.height() * kLeastText))};
}

// Smaller if the rows are lower than a line of the theme's font.
QFont MeetingBars::fittingFont() const
{
    QFont font = m_theme.font();
    const double row = static_cast<double>(height()) / static_cast<double>(std::max<std::size_t>(1, m_bars.size()));
    const double part = std::clamp(row / QFontMetrics(font).height(), kLeastText, 1.0);
    if (font.pixelSize() > 0)
        font.setPixelSize(std::max(1, static_cast<int>(font.pixelSize() * part)));
    else
        font.setPointSizeF(font.pointSizeF() * part);
    return font;
}

int MeetingBars::widest(const QFont &font, QString MeetingSlide::Bar::*text) const
{
    qreal most = 0;
    for (const MeetingSlide::Bar &bar : m_bars)
        most = std::max(most, widgets::tabularWidth(font, bar.*text));
    return static_cast<int>(std::ceil(most));
}

void MeetingBars::paintEvent(QPaintEvent *)
{
    if (m_bars.empty())
        return;
    QPainter painter(this);
    const QFont font = fittingFont();
    painter.setFont(font);
    const QFontMetrics metrics(painter.font());
    const int gap = m_theme.space(Space::Medium), small = m_theme.space(Space::Small);
    const int names = std::min(widest(font, &MeetingSlide::Bar::name), static_cast<int>(width() * kMostNames));
    const int amounts = widest(font, &MeetingSlide::Bar::amount), wastes = widest(font, &MeetingSlide::Bar::waste);
    const int left = names + gap, room = std::max(1, width() - left - gap - amounts - small - wastes);
    const int rowHeight = std::min(height() / static_cast<int>(m_bars.size()), kMostRowHeight * metrics.height());
    int y = 0;
    for (const MeetingSlide::Bar &bar : m_bars) {
        const QRect row(0, y, width(), rowHeight);
        painter.setPen(m_theme.color(Color::Text));
        painter.drawText(QRect(0, y, names, rowHeight), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(bar.name, Qt::ElideRight, names));
        const int tall = std::max(1, static_cast<int>(rowHeight * kBarHeight));
        const QRect whole(left, y + (rowHeight - tall) / 2, static_cast<int>(room * bar.share), tall);
        const int idle = static_cast<int>(room * bar.idleShare);
        painter.fillRect(whole, m_theme.color(Color::Accent));
        painter.fillRect(QRect(whole.right() + 1 - idle, whole.top(), idle, tall), m_theme.color(Color::Idle));
        const int right = left + room + gap;
        widgets::drawTabular(painter, QRectF(right, y, amounts, rowHeight), Qt::AlignRight, bar.amount);
        painter.setPen(m_theme.color(Color::Muted));
        widgets::drawTabular(painter, QRectF(right + amounts + small, y, wastes, rowHeight), Qt::AlignRight, bar.waste);
        y += rowHeight;
    }
}

} // namespace gpuledger::ui
