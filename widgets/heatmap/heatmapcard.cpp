// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmapcard.h"

#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kPadding = 12;
constexpr int kMinWidth = 230;
constexpr int kMaxWidth = 360;
constexpr int kColumnGap = 24; // between name and value
constexpr int kTitleGap = 8;
constexpr int kDistance = 8; // to what it explains

} // namespace

HeatmapCard::HeatmapCard(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

int HeatmapCard::lineHeight() const
{
    return QFontMetrics(m_theme.font()).height() + 7;
}

int HeatmapCard::headHeight() const
{
    return m_title.isEmpty() && m_subtitle.isEmpty() ? 0 : QFontMetrics(m_theme.font()).height() + 4;
}

void HeatmapCard::setContent(const QString &title, const QString &subtitle, std::vector<HeatmapData::Line> lines)
{
    m_title = title.simplified();
    m_subtitle = subtitle.simplified();
    m_lines = std::move(lines);
    resize(sizeHint());
    update();
}

QSize HeatmapCard::sizeHint() const
{
    const QFontMetrics normal(m_theme.font());
    const QFontMetrics strong(m_theme.font(TextSize::Body, QFont::DemiBold));
    int width = strong.horizontalAdvance(m_title) + kTitleGap + normal.horizontalAdvance(m_subtitle);
    for (const HeatmapData::Line &line : m_lines)
        width =
            std::max(width, normal.horizontalAdvance(line.label) + kColumnGap + strong.horizontalAdvance(line.value));
    const int height = 2 * (kPadding - 2) + headHeight() + static_cast<int>(m_lines.size()) * lineHeight();
    return {std::clamp(width + 2 * kPadding, m_lines.empty() ? 0 : kMinWidth, kMaxWidth), height};
}

void HeatmapCard::showBeside(const QRect &anchor)
{
    const QRect room = parentWidget()->rect().adjusted(4, 4, -4, -4);
    QRect place(QPoint(anchor.center().x() - width() / 2, anchor.bottom() + kDistance), size());
    if (place.bottom() > room.bottom() && anchor.top() - kDistance - height() >= room.top())
        place.moveBottom(anchor.top() - kDistance);
    place.moveLeft(std::max(room.left(), std::min(place.left(), room.right() - width())));
    place.moveTop(std::max(room.top(), std::min(place.top(), room.bottom() - height())));
    move(place.topLeft());
    raise();
    show();
}

void HeatmapCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(Color::Border), 1));
    painter.setBrush(m_theme.color(Color::Raised));
    const int radius = m_theme.radius(Radius::Card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.setRenderHint(QPainter::Antialiasing, false);

    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    const int start =
        static_cast<int>((mirrored ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter | Qt::AlignAbsolute)
        | Qt::TextSingleLine;
    const int end = static_cast<int>((mirrored ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter | Qt::AlignAbsolute)
        | Qt::TextSingleLine;
    const QFont normal = m_theme.font();
    const QFont strong = m_theme.font(TextSize::Body, QFont::DemiBold);
    const auto elide = [](const QFont &font, const QString &text, int width) {
        return QFontMetrics(font).elidedText(text.simplified(), Qt::ElideRight, width);
    };

    QRect line(kPadding, kPadding - 2, width() - 2 * kPadding, QFontMetrics(normal).height());
    const int subtitleWidth = m_subtitle.isEmpty() ? 0 : QFontMetrics(normal).horizontalAdvance(m_subtitle);
    const QString title = elide(strong, m_title, std::max(line.width() / 3, line.width() - subtitleWidth - kTitleGap));
    painter.setPen(m_theme.color(Color::Text));
    painter.setFont(strong);
    painter.drawText(line, start, title);
    const int shift = QFontMetrics(strong).horizontalAdvance(title) + kTitleGap;
    const QRect rest = line.adjusted(mirrored ? 0 : shift, 0, mirrored ? -shift : 0, 0);
    painter.setFont(normal);
    painter.drawText(rest, start, elide(normal, m_subtitle, rest.width()));

    line = QRect(kPadding, kPadding - 2 + headHeight(), width() - 2 * kPadding, lineHeight());
    for (std::size_t i = 0; i < m_lines.size(); ++i, line.translate(0, lineHeight())) {
        if (i > 0)
            painter.fillRect(line.x(), line.y(), line.width(), 1, m_theme.color(Color::Border));
        painter.setFont(normal);
        painter.setPen(m_theme.color(Color::Muted));
        painter.drawText(line, start, elide(normal, m_lines[i].label, line.width() / 2));
        painter.setFont(m_lines[i].strong ? strong : normal);
        painter.setPen(m_theme.color(Color::Text));
        painter.drawText(line, end, elide(painter.font(), m_lines[i].value, line.width() / 2));
    }
}

} // namespace gpuledger::widgets
