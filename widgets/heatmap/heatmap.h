// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmapdata.h"
#include "widgets/heatmap/heatmapgeometry.h"
#include "widgets/heatmap/heatmappainter.h"
#include "widgets/theme/theme.h"

#include <QAbstractScrollArea>
#include <QPointer>

class QMenu;
class QMimeData;

namespace gpuledger::widgets {

class HoverCard;

// A matrix of values as colours, with labels, means, bars, legend and a card that explains a cell. Keyboard: arrows,
// Page Up and Down, Home, End (with Ctrl: first and last cell), Enter opens the row, Ctrl+C copies, Esc closes the
// card, Ctrl+Plus and Ctrl+Minus zoom, Ctrl+0 toggles between the readable size and all cells at once. Mouse: the wheel
// scrolls, or zooms with Ctrl; dragging pans. Owned by its parent; GUI thread. Call installHeatmapAccessibility() once
// for screen readers.
class Heatmap : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit Heatmap(const Theme &theme, QWidget *parent = nullptr);
    ~Heatmap() override;

    // Keeps the current row (by key) and column (by name) if they still exist; otherwise starts at firstRow and
    // firstColumn. A row opened to show what is behind it therefore keeps the column.
    void setData(HeatmapData data);
    const HeatmapData &data() const { return m_data; }

    int currentRow() const { return m_marks.row; }
    int currentColumn() const { return m_marks.column; }
    // Clamped to the matrix; scrolls the cell into view. Emits currentChanged() on a change.
    void setCurrent(int row, int column);

    // 1 is readable; lower values show more cells, down to all of them, higher values larger ones. Clamped.
    qreal zoom() const { return m_measures.zoom; }
    // Keeps the cell at `anchor` (viewport() coordinates) in place.
    void setZoom(qreal zoom, const QPointF &anchor);
    void setZoom(qreal zoom); // around the centre
    void zoomToFit();
    // Whether there is anything to zoom out to.
    bool isLargerThanView() const { return m_geometry.leastZoom() < 1; }

    // Positions in viewport() coordinates.
    const HeatmapGeometry &geometryOfCells() const { return m_geometry; }
    QRectF cellRect(int row, int column) const { return m_geometry.cellRect(row, column); }
    // Returns false between and outside the cells.
    bool cellAt(const QPointF &position, int &row, int &column) const;

    QString valueText(int row, int column) const; // "17.3 %", "not observed" or "17.3 %, observed in part: 40 %"
    QString cellText(int row, int column) const; // "research, Sat 10:00: 17.3 %"
    // The whole matrix as tab-separated text and as an HTML table; owned by the caller.
    QMimeData *mimeData() const;
    void copy() const;
    // The visible part, without focus and pointer marks, on the surface colour.
    QImage picture(qreal devicePixelRatio = 2) const;
    void copyPicture() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void currentChanged(int row, int column);
    void activated(int row, int column); // Enter, double click on a cell, click on a row's label
    // Emitted before the context menu opens, with the current cell; the page's actions go after "Open".
    void menuOpening(QMenu *menu, int row, int column);
    void zoomChanged(); // also if a matrix with another zoom range is set

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    QString plainValueText(int row, int column) const;
    void paintWith(QPainter &painter, const QRegion &region, const HeatmapMarks &marks) const;
    void rebuild();
    void layOut();
    void scrollTo();
    void measureTexts();
    void setHover(int row, int column, int label);
    void showCard(int row, int column);
    void showLabelCard(int row);
    void hideCard();
    void moveBy(int rows, int columns);
    void ensureVisible(int row, int column);
    void updateCell(int row, int column);
    void updateLabel(int row);
    void announceCurrent();
    bool zoomByKey(const QKeyEvent &event);
    void restoreCurrent(const QString &key, const QString &column);

    const Theme &m_theme;
    HeatmapData m_data;
    HeatmapMeasures m_measures; // of texts and data; layOut() adds those of the window
    HeatmapBars m_bars;
    HeatmapGeometry m_geometry;
    HeatmapMarks m_marks;
    std::shared_ptr<const HeatmapLevels> m_levels; // of the data
    QPoint m_dragFrom; // start of the drag: mouse in viewport() coordinates, and scroll position of the cells
    QPoint m_dragScroll;
    bool m_dragging = false;
    bool m_larger = false; // last reported isLargerThanView()
    QPointer<HoverCard> m_card; // a child of the window, which may be destroyed first
    int m_preferredHeight = 0;
};

} // namespace gpuledger::widgets
