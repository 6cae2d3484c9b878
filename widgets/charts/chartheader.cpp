// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chartheader.h"

#include "widgets/state/plaintext.h"
#include "widgets/theme/tabular.h"

#include <QFontMetrics>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr int kSwatch = 10;
constexpr int kSwatchGap = 5;
constexpr int kEntryGap = 12;
constexpr int kBelow = 10; // between header and plot
constexpr int kLongestName = 120;

} // namespace

QRectF mirroredRect(const QRectF &rect, qreal width, bool mirrored)
{
    return mirrored ? QRectF(width - rect.right(), rect.top(), rect.width(), rect.height()) : rect;
}

void paintText(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text)
{
    const QString line = plainLine(text);
    if (tabularWidth(painter.font(), line) <= rect.width() + 1)
        return drawTabular(painter, rect, alignment, line);
    const QString cut =
        painter.fontMetrics().elidedText(line, Qt::ElideRight, static_cast<int>(std::floor(rect.width())));
    painter.drawText(rect, static_cast<int>(alignment | Qt::AlignVCenter | Qt::AlignAbsolute) | Qt::TextSingleLine,
                     cut);
}

ChartHeader::ChartHeader(const Theme &theme, const QString &title, const QString &note,
                         std::vector<LegendEntry> entries, int width)
    : m_theme(theme)
    , m_title(plainLine(title))
    , m_note(plainLine(note))
    , m_entries(std::move(entries))
    , m_width(width)
{
    const QFontMetrics section(theme.font(TextSize::Section, QFont::DemiBold));
    const QFontMetrics caption(theme.font(TextSize::Caption));
    const int height = m_title.isEmpty() ? caption.height() : section.height();
    int used = m_title.isEmpty() ? 0 : section.horizontalAdvance(m_title) + 1;
    if (!m_note.isEmpty()) {
        const int room = std::max(0, width - std::min(used, width * 2 / 3) - kEntryGap);
        const int noteWidth = std::min(room, caption.horizontalAdvance(m_note) + 1);
        m_noteRect = QRect(width - noteWidth, 0, noteWidth, height);
        used = std::min(used, width - noteWidth - kEntryGap);
    }
    m_titleRect = QRect(0, 0, std::min(used, width), height);
    placeEntries(used, height);
    const bool anything = !m_title.isEmpty() || !m_note.isEmpty() || !m_entries.empty();
    const int bottom = m_places.empty() ? height : std::max(height, m_places.back().rect.bottom() + 1);
    m_height = anything ? bottom + kBelow : 0;
}

int ChartHeader::entryWidth(const LegendEntry &entry) const
{
    const QFontMetrics metrics(m_theme.font(TextSize::Caption));
    return kSwatch + kSwatchGap + metrics.horizontalAdvance(plainLine(entry.name, kLongestName)) + 2;
}

void ChartHeader::placeEntries(int titleWidth, int titleHeight)
{
    int all = 0;
    for (const LegendEntry &entry : m_entries)
        all += entryWidth(entry) + kEntryGap;
    const int height = QFontMetrics(m_theme.font(TextSize::Caption)).height() + 2;
    const bool beside = m_note.isEmpty() && titleWidth + kEntryGap + all <= m_width;
    int x = beside ? m_width - all + kEntryGap : 0;
    // Long names are truncated so that two of them fit side by side.
    const int widest = m_entries.size() > 1 ? (m_width - kEntryGap) / 2 : m_width;
    int y = beside || m_title.isEmpty() ? (titleHeight - height) / 2 : titleHeight + 2;
    y = std::max(0, y);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const int width = std::min(entryWidth(m_entries[i]), widest);
        if (x > 0 && x + width > m_width) {
            x = 0;
            y += height;
        }
        m_places.push_back({QRect(x, y, width, height), i});
        x += width + kEntryGap;
    }
}

void ChartHeader::paint(QPainter &painter, bool mirrored) const
{
    const Qt::Alignment start = mirrored ? Qt::AlignRight : Qt::AlignLeft;
    painter.setPen(m_theme.color(Color::Text));
    painter.setFont(m_theme.font(TextSize::Section, QFont::DemiBold));
    if (!m_title.isEmpty())
        paintText(painter, mirroredRect(m_titleRect, m_width, mirrored), start, m_title);
    painter.setPen(m_theme.color(Color::Muted));
    painter.setFont(m_theme.font(TextSize::Caption));
    if (!m_note.isEmpty())
        paintText(painter, mirroredRect(m_noteRect, m_width, mirrored), mirrored ? Qt::AlignLeft : Qt::AlignRight,
                  m_note);
}

std::vector<LegendPlace> ChartHeader::legend(bool mirrored) const
{
    const QFontMetricsF metrics(m_theme.font(TextSize::Caption));
    std::vector<LegendPlace> places;
    for (const Place &place : m_places) {
        const LegendEntry &entry = m_entries[place.entry];
        const qreal middle = place.rect.top() + place.rect.height() / 2.0;
        const QRectF swatch(place.rect.left(), std::round(middle - kSwatch / 2.0), kSwatch, kSwatch);
        const QRectF name = QRectF(place.rect).adjusted(kSwatch + kSwatchGap, 0, 0, 0);
        places.push_back({mirroredRect(swatch, m_width, mirrored), mirroredRect(name, m_width, mirrored),
                          metrics.elidedText(plainLine(entry.name, kLongestName), Qt::ElideRight, name.width()),
                          entry});
    }
    return places;
}

} // namespace gpuledger::widgets
