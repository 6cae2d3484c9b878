// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/seriescolor.h"

#include <QPainter>
#include <QString>

#include <vector>

namespace gpuledger::widgets {

// The name of a series and how it is drawn.
struct LegendEntry {
    QString name;
    SeriesColor color;
    bool hatched = false;
    bool line = false; // a stroke instead of a square
    bool pale = false; // a pale square with an outline
};

// An entry and where it is drawn, in the chart's pixels.
struct LegendPlace {
    QRectF swatch;
    QRectF name;
    QString text; // of the name, truncated to its place
    LegendEntry entry;
};

// The title at the start, and note and legend at the end of the same line; the legend moves below if there is no room.
// The header paints title and note, and says where the legend is. A value computed for one width; GUI thread.
class ChartHeader {
public:
    ChartHeader(const Theme &theme, const QString &title, const QString &note, std::vector<LegendEntry> entries,
                int width);

    int height() const { return m_height; } // 0 if there is nothing to show
    void paint(QPainter &painter, bool mirrored) const;
    std::vector<LegendPlace> legend(bool mirrored) const;

private:
    struct Place {
        QRect rect;
        std::size_t entry;
    };
    int entryWidth(const LegendEntry &entry) const;
    void placeEntries(int titleWidth, int titleHeight);

    const Theme &m_theme;
    QString m_title;
    QString m_note;
    std::vector<LegendEntry> m_entries;
    std::vector<Place> m_places;
    QRect m_titleRect;
    QRect m_noteRect;
    int m_width;
    int m_height = 0;
};

// The rectangle mirrored within `width`, if `mirrored`.
QRectF mirroredRect(const QRectF &rect, qreal width, bool mirrored);

// One line of plain text, elided, in the painter's font, with tabular digits. The alignment is absolute.
void paintText(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text);

} // namespace gpuledger::widgets
