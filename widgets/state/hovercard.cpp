// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/hovercard.h"

#include "widgets/state/plaintext.h"

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
constexpr int kNoteGap = 4; // above the note
constexpr int kDistance = 8; // distance from the anchor
constexpr int kLongest = 200; // characters; more would never fit
constexpr int kSwatch = 10;
constexpr int kSwatchGap = 6;

int swatchWidth(const HoverLine &line)
{
    return line.swatch.isValid() ? kSwatch + kSwatchGap : 0;
}

} // namespace

HoverCard::HoverCard(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

int HoverCard::lineHeight() const
{
    return QFontMetrics(m_theme.font()).height() + 7;
}

int HoverCard::headHeight() const
{
    return m_title.isEmpty() && m_subtitle.isEmpty() ? 0 : QFontMetrics(m_theme.font()).height() + 4;
}

int HoverCard::noteHeight() const
{
    return m_note.isEmpty() ? 0 : QFontMetrics(m_theme.font(TextSize::Caption)).height() + kNoteGap;
}

void HoverCard::setContent(const QString &title, const QString &subtitle, std::vector<HoverLine> lines,
                           const QString &note)
{
    m_title = plainLine(title, kLongest);
    m_subtitle = plainLine(subtitle, kLongest);
    m_lines = std::move(lines);
    m_note = plainLine(note, kLongest);
    resize(sizeHint());
    update();
}

QSize HoverCard::sizeHint() const
{
    const QFontMetrics normal(m_theme.font());
    const QFontMetrics strong(m_theme.font(TextSize::Body, QFont::DemiBold));
    int width = strong.horizontalAdvance(m_title) + kTitleGap + normal.horizontalAdvance(m_subtitle);
    for (const HoverLine &line : m_lines)
        width = std::max(width,
                         swatchWidth(line) + normal.horizontalAdvance(line.label.left(kLongest)) + kColumnGap
                             + strong.horizontalAdvance(line.value.left(kLongest)));
    width = std::max(width, QFontMetrics(m_theme.font(TextSize::Caption)).horizontalAdvance(m_note));
    const int height =
        2 * (kPadding - 2) + headHeight() + static_cast<int>(m_lines.size()) * lineHeight() + noteHeight();
    return {std::clamp(width + 2 * kPadding, m_lines.empty() ? 0 : kMinWidth, kMaxWidth), height};
}

void HoverCard::showBeside(const QRect &anchor, Qt::Orientation direction)
{
    const QRect room = parentWidget()->rect().adjusted(4, 4, -4, -4);
    QRect place(QPoint(anchor.center().x() - width() / 2, anchor.bottom() + kDistance), size());
    if (direction == Qt::Horizontal) {
        place.moveTopLeft({anchor.right() + kDistance, anchor.top()});
        const bool roomBefore = anchor.left() - kDistance - width() >= room.left();
        const bool roomAfter = place.right() <= room.right();
        if (roomBefore && (!roomAfter || layoutDirection() == Qt::RightToLeft))
            place.moveRight(anchor.left() - kDistance);
    } else if (place.bottom() > room.bottom() && anchor.top() - kDistance - height() >= room.top()) {
        place.moveBottom(anchor.top() - kDistance);
    }
    place.moveLeft(std::max(room.left(), std::min(place.left(), room.right() - width())));
    place.moveTop(std::max(room.top(), std::min(place.top(), room.bottom() - height())));
    move(place.topLeft());
    raise();
    show();
}

void HoverCard::paintSwatch(QPainter &painter, const QRect &line, const HoverLine &content, bool mirrored) const
{
    const int x = mirrored ? line.right() + 1 - kSwatch : line.left();
    const QRect square(x, line.center().y() - kSwatch / 2, kSwatch, kSwatch);
    painter.fillRect(square, content.hatched ? m_theme.hatch(devicePixelRatioF()) : QBrush(content.swatch));
}

void HoverCard::paintEvent(QPaintEvent *)
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
        return QFontMetrics(font).elidedText(plainLine(text, kLongest), Qt::ElideRight, width);
    };

    QRect line(kPadding, kPadding - 2, width() - 2 * kPadding, QFontMetrics(normal).height());
    const int subtitleWidth = m_subtitle.isEmpty() ? 0 : QFontMetrics(normal).horizontalAdvance(m_subtitle);
    const QString title = elide(strong, m_title, std::max(line.width() / 3, line.width() - subtitleWidth - kTitleGap));
    painter.setPen(m_theme.color(Color::Text));
    painter.setFont(strong);
    painter.drawText(line, start, title);
    const int used = QFontMetrics(strong).horizontalAdvance(title) + kTitleGap;
    const QRect beside = line.adjusted(mirrored ? 0 : used, 0, mirrored ? -used : 0, 0);
    painter.setFont(normal);
    painter.drawText(beside, start, elide(normal, m_subtitle, beside.width()));

    line = QRect(kPadding, kPadding - 2 + headHeight(), width() - 2 * kPadding, lineHeight());
    for (std::size_t i = 0; i < m_lines.size(); ++i, line.translate(0, lineHeight())) {
        if (i > 0)
            painter.fillRect(line.x(), line.y(), line.width(), 1, m_theme.color(Color::Border));
        const int shift = swatchWidth(m_lines[i]);
        if (shift > 0)
            paintSwatch(painter, line, m_lines[i], mirrored);
        const QRect rest = line.adjusted(mirrored ? 0 : shift, 0, mirrored ? -shift : 0, 0);
        const QString value = elide(m_lines[i].strong ? strong : normal, m_lines[i].value, line.width() * 2 / 3);
        const int left = rest.width() - QFontMetrics(strong).horizontalAdvance(value) - kTitleGap;
        painter.setFont(normal);
        painter.setPen(m_theme.color(Color::Muted));
        painter.drawText(rest, start, elide(normal, m_lines[i].label, left));
        painter.setFont(m_lines[i].strong ? strong : normal);
        painter.setPen(m_theme.color(Color::Text));
        painter.drawText(line, end, value);
    }
    if (m_note.isEmpty())
        return;
    const QFont small = m_theme.font(TextSize::Caption);
    painter.fillRect(line.x(), line.y(), line.width(), 1, m_theme.color(Color::Border));
    painter.setFont(small);
    painter.setPen(m_theme.color(Color::Muted));
    painter.drawText(QRect(line.x(), line.y() + kNoteGap, line.width(), noteHeight() - kNoteGap), start,
                     elide(small, m_note, line.width()));
}

} // namespace gpuledger::widgets
