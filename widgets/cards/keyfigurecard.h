// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/sparkline.h"

#include <QAbstractButton>

namespace gpuledger::widgets {

// The content of a KeyFigureCard; all texts are plain, formatted and translated.
struct KeyFigure {
    enum class Direction { None, Up, Down, Same }; // None: no arrow
    enum class Meaning { Neutral, Good, Bad }; // a rise in utilization is good, a rise in spend is bad

    QString title; // "Spend, November"
    QString shortTitle; // shown where the title has no room; empty: the title is elided
    QString value; // "$394,120"; empty: unknown, shown as a dash
    QString change; // "12.0 %" without a sign, which the arrow shows; empty: no change is shown
    QString changeWord; // expresses the colour in a word; empty: "better" or "worse" beside an arrow
    Direction direction = Direction::None;
    Meaning meaning = Meaning::Neutral;
    QString detail; // "forecast $521k ± 18k of $480k budget"; at most two lines with the change
    SparklineData trend;
    QString source; // "prometheus-prod, opencost", for the tooltip
    QString age; // "as of 14:02, 2 min ago", for the tooltip

    bool operator==(const KeyFigure &) const = default;
};

// A card with a figure, its change, a line of explanation and a sparkline. It is a button: click, Enter and Space emit
// clicked(), which opens the rows behind the figure. Its height does not depend on the texts, so nothing jumps when
// they arrive. The tooltip, below the card, contains what may be truncated, the source and the age. Owned by its
// parent; GUI thread.
class KeyFigureCard : public QAbstractButton {
    Q_OBJECT
public:
    explicit KeyFigureCard(const Theme &theme, QWidget *parent = nullptr);

    void setFigure(KeyFigure figure);
    const KeyFigure &figure() const { return m_figure; }

    // How the figure and its sparkline share the line. Single: each card decides by its own room.
    // The last three have no sparkline, and figures like Large, like Small, and smaller.
    enum class Look { Single, Large, Small, NoTrend, SmallNoTrend, SmallestNoTrend };
    void setLook(Look look);
    // Whether the figure fits in that look, with the sparkline if it has one.
    bool fits(Look look) const;

    // "up 12.0 %, worse"; empty without a change.
    QString changeText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QRect content() const;
    QFont fontOf(Look look) const;
    bool hasTrend(Look look) const;
    QFont figureFont(int width) const;
    bool isCut() const;
    QString changeWord() const;
    Color changeColor() const;
    void paintFigure(QPainter &painter, const QRect &area) const;
    int paintChange(QPainter &painter, const QRect &area) const; // returns its width
    void paintDetail(QPainter &painter, const QRect &area, int indent) const;
    void describe();

    const Theme &m_theme;
    KeyFigure m_figure;
    Look m_look = Look::Single;
};

} // namespace gpuledger::widgets
