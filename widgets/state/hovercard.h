// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

namespace gpuledger::widgets {

// A line of the card. With a valid `swatch` it starts with a square of that colour, as in the legend.
struct HoverLine {
    QString label;
    QString value;
    bool strong = false;
    QColor swatch = {};
    bool hatched = false; // the square is hatched instead
};

// A card that explains a cell, a bar or a point: title, subtitle, lines with name and value, and a note below them, all
// plain text. A child of the window that is transparent to the mouse, so that it never blocks what it explains. Owned
// by its parent; GUI thread.
class HoverCard : public QWidget {
    Q_OBJECT
public:
    HoverCard(const Theme &theme, QWidget *parent);

    void setContent(const QString &title, const QString &subtitle, std::vector<HoverLine> lines,
                    const QString &note = {});
    // Shows the card inside the parent and next to the rectangle (in the parent's coordinates), without covering it if
    // there is room: below or above it, or, for tall anchors, after or before it.
    void showBeside(const QRect &anchor, Qt::Orientation direction = Qt::Vertical);

    QSize sizeHint() const override;
    QString title() const { return m_title; }
    const std::vector<HoverLine> &lines() const { return m_lines; }
    QString note() const { return m_note; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int lineHeight() const;
    int headHeight() const;
    int noteHeight() const;
    void paintSwatch(QPainter &painter, const QRect &line, const HoverLine &content, bool mirrored) const;

    const Theme &m_theme;
    QString m_title;
    QString m_subtitle;
    std::vector<HoverLine> m_lines;
    QString m_note;
};

} // namespace gpuledger::widgets
