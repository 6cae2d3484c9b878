// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/seriescolor.h"
#include "widgets/state/copytable.h"
#include "widgets/state/hovercard.h"

#include <QImage>
#include <QPointer>
#include <QWidget>

#include <memory>

class QMenu;
class QMimeData;

namespace gpuledger::widgets {

class Plot;
struct PlotSpec;

// Base class of the charts: items (bars, steps, points in time) with a current one, a hover card, keyboard, context
// menu, copying as picture and as data, and accessibility as a chart whose children are the items. Plot, axes and
// legend are drawn by Qt Charts, the rest here. Keyboard: Left and
// Right move, Home and End, Page Up and Down by seven, Enter emits activated(), Ctrl+C copies the data, Esc closes the
// card. Painted with theme tokens, so it follows the theme. Owned by its parent; GUI thread.
class Chart : public QWidget {
    Q_OBJECT
public:
    ~Chart() override;

    virtual int itemCount() const = 0;
    // The item's rectangle, over the whole height of the plot. `index` must exist.
    virtual QRectF itemRect(int index) const = 0;
    virtual QString itemName(int index) const = 0; // "22 Oct"
    virtual std::vector<HoverLine> itemLines(int index) const = 0; // exact figures
    // Footer of the hover card: the source of the figures and their age.
    virtual QString cardNote() const { return {}; }
    // The whole chart in a sentence or two, for users who do not see it.
    virtual QString summary() const = 0;
    virtual CopyTable table() const = 0;

    QString itemText(int index) const; // "22 Oct: total 12,010 USD, active 8,000 USD"
    int itemAt(const QPointF &position) const; // -1 outside the items

    int currentIndex() const { return m_current; } // -1 without items
    void setCurrentIndex(int index); // clamped; emits currentChanged() on a change

    // The chart without focus and pointer marks, on the surface colour.
    QImage picture(qreal devicePixelRatio = 2) const;
    // PNG and image; owned by the caller.
    QMimeData *pictureMimeData() const;
    void copyPicture() const;
    void copyData() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void currentChanged(int index);
    void activated(int index); // Enter, or a click on an item
    // Emitted before the context menu opens, so that the page can add its actions first. `index` is the item that was
    // clicked; -1 if none.
    void menuOpening(QMenu *menu, int index);

protected:
    explicit Chart(const Theme &theme, QWidget *parent);

    const Theme &theme() const { return m_theme; }
    int hoverIndex() const { return m_hover; }
    bool isMirrored() const { return isRightToLeft(); }
    // Items along a time axis are not mirrored: time always runs from left to right.
    virtual bool areItemsMirrored() const { return isMirrored(); }
    // Call after new data: the current item becomes `current` (-1: the first), and name and summary are published
    // again.
    void dataChanged(const QString &name, int current);

    // Computes the layout for a size in logical pixels; called before painting if something has changed.
    virtual void layOut(const QSize &size) = 0;
    // What Qt Charts draws of that layout; called by paintPlot() if something has changed.
    virtual PlotSpec plotSpec() const = 0;
    virtual void paintChart(QPainter &painter) const = 0;
    void paintPlot(QPainter &painter) const;
    // Where Qt Charts draws a point of the plot's coordinates. For tests.
    QPointF plottedAt(const QPointF &point) const;
    // Drawn around the current item, on top of everything; not called for pictures.
    virtual void paintFocus(QPainter &painter) const;
    // Drawn behind the bars, under the pointer; paints nothing for pictures.
    void paintHoverBand(QPainter &painter, const QRectF &area) const;
    void paintEmpty(QPainter &painter, const QRectF &area) const; // states that there is no data
    bool showsMarks() const { return m_marks; }

    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void relayOut();
    void moveTo(int index);
    void setHover(int index);
    void showCard(int index);
    void hideCard();
    void announceCurrent();

    const Theme &m_theme;
    int m_current = -1;
    int m_hover = -1;
    mutable bool m_marks = true;
    std::unique_ptr<Plot> m_drawing; // set when there are data
    QPointer<HoverCard> m_card; // a child of the window, which may be destroyed first
};

} // namespace gpuledger::widgets
