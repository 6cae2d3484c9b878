// SPDX-License-Identifier: GPL-3.0-or-later
// The half of Heatmap that answers mouse, keyboard and the window.
#include "widgets/heatmap/heatmap.h"

#include "widgets/state/hovercard.h"

#include <QAccessible>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QStyleHints>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr qreal kZoomStep = 1.25; // per notch of the wheel or key press

} // namespace

void Heatmap::setHover(int row, int column, int label)
{
    if (row == m_marks.hoverRow && column == m_marks.hoverColumn && label == m_marks.hoverLabel)
        return;
    updateCell(m_marks.hoverRow, m_marks.hoverColumn);
    updateLabel(m_marks.hoverLabel);
    m_marks.hoverRow = row;
    m_marks.hoverColumn = column;
    m_marks.hoverLabel = label;
    updateCell(row, column);
    updateLabel(label);
    viewport()->setCursor(label >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (row >= 0 && column >= 0)
        showCard(row, column);
    else if (label >= 0)
        showLabelCard(label);
    else
        hideCard();
}

void Heatmap::showCard(int row, int column)
{
    if (!m_card)
        m_card = new HoverCard(m_theme, window());
    const QString &when =
        column < m_data.columnTitles.size() ? m_data.columnTitles.at(column) : m_data.columns.at(column);
    std::vector<HoverLine> lines = m_data.details ? m_data.details(row, column) : std::vector<HoverLine>();
    if (lines.empty())
        lines.push_back({m_data.valueName, valueText(row, column), true});
    m_card->setLayoutDirection(layoutDirection());
    m_card->setContent(m_data.rows[static_cast<std::size_t>(row)].label, when, std::move(lines), m_data.source);
    const QRect cell = cellRect(row, column).toAlignedRect();
    m_card->showBeside({viewport()->mapTo(window(), cell.topLeft()), cell.size()});
}

void Heatmap::showLabelCard(int row)
{
    const QString label = m_data.rows[static_cast<std::size_t>(row)].label.simplified();
    if (QFontMetrics(m_theme.font()).horizontalAdvance(label) <= m_geometry.labels().width())
        return hideCard();
    if (!m_card)
        m_card = new HoverCard(m_theme, window());
    m_card->setContent(label, QString(), {});
    const QRect place = m_geometry.rowRect(row, m_geometry.labels());
    m_card->showBeside({viewport()->mapTo(window(), place.topLeft()), place.size()});
}

void Heatmap::hideCard()
{
    if (m_card)
        m_card->hide();
}

void Heatmap::setZoom(qreal zoom, const QPointF &anchor)
{
    zoom = std::clamp(zoom, m_geometry.leastZoom(), m_geometry.mostZoom());
    if (qFuzzyCompare(zoom, m_measures.zoom))
        return;
    // The anchor in cell coordinates.
    const QPointF inCells = anchor - m_geometry.cells().topLeft();
    const qreal fromStart = isRightToLeft() ? m_geometry.cells().width() - inCells.x() : inCells.x();
    const qreal column = (fromStart + horizontalScrollBar()->value()) / m_geometry.columnWidth();
    const qreal row = (inCells.y() + verticalScrollBar()->value()) / m_geometry.rowPitch();
    setHover(-1, -1, -1);
    m_measures.zoom = zoom;
    layOut();
    horizontalScrollBar()->setValue(static_cast<int>(std::lround(column * m_geometry.columnWidth() - fromStart)));
    verticalScrollBar()->setValue(static_cast<int>(std::lround(row * m_geometry.rowPitch() - inCells.y())));
    Q_EMIT zoomChanged();
}

void Heatmap::setZoom(qreal zoom)
{
    setZoom(zoom, QRectF(m_geometry.cells()).center());
}

void Heatmap::zoomToFit()
{
    setZoom(m_geometry.leastZoom());
}

void Heatmap::wheelEvent(QWheelEvent *event)
{
    if (!(event->modifiers() & Qt::ControlModifier))
        return QAbstractScrollArea::wheelEvent(event);
    constexpr qreal kNotch = 120; // in eighths of a degree
    setZoom(m_measures.zoom * std::pow(kZoomStep, event->angleDelta().y() / kNotch), event->position());
    event->accept();
}

bool Heatmap::zoomByKey(const QKeyEvent &event)
{
    if (event.matches(QKeySequence::ZoomIn))
        setZoom(m_measures.zoom * kZoomStep);
    else if (event.matches(QKeySequence::ZoomOut))
        setZoom(m_measures.zoom / kZoomStep);
    else if (event.modifiers() == Qt::ControlModifier && event.key() == Qt::Key_0)
        qFuzzyCompare(m_measures.zoom, 1.0) ? zoomToFit() : setZoom(1);
    else
        return false;
    return true;
}

void Heatmap::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
        const QPoint moved = event->position().toPoint() - m_dragFrom;
        m_dragging = m_dragging || moved.manhattanLength() >= QGuiApplication::styleHints()->startDragDistance();
        if (m_dragging) {
            horizontalScrollBar()->setValue(m_dragScroll.x() + (isRightToLeft() ? moved.x() : -moved.x()));
            verticalScrollBar()->setValue(m_dragScroll.y() - moved.y());
            return;
        }
    }
    int row = -1;
    int column = -1;
    if (cellAt(event->position(), row, column))
        return setHover(row, column, -1);
    const bool label = m_geometry.labels().contains(event->position().toPoint());
    setHover(-1, -1, label ? m_geometry.rowAt(event->position().toPoint().y()) : -1);
}

void Heatmap::mouseReleaseEvent(QMouseEvent *event)
{
    m_dragging = false;
    QAbstractScrollArea::mouseReleaseEvent(event);
}

void Heatmap::mousePressEvent(QMouseEvent *event)
{
    m_dragging = false;
    m_dragFrom = event->position().toPoint();
    m_dragScroll = {horizontalScrollBar()->value(), verticalScrollBar()->value()};
    if (event->button() != Qt::LeftButton)
        return QAbstractScrollArea::mousePressEvent(event);
    int row = -1;
    int column = -1;
    if (cellAt(event->position(), row, column))
        return setCurrent(row, column);
    if (row >= 0 && m_geometry.labels().contains(event->position().toPoint())) {
        setCurrent(row, std::max(0, m_marks.column));
        Q_EMIT activated(row, m_marks.column);
    }
}

void Heatmap::mouseDoubleClickEvent(QMouseEvent *event)
{
    int row = -1;
    int column = -1;
    if (event->button() == Qt::LeftButton && cellAt(event->position(), row, column))
        Q_EMIT activated(row, column);
}

void Heatmap::moveBy(int rows, int columns)
{
    setCurrent(std::max(0, m_marks.row) + rows, std::max(0, m_marks.column) + columns);
    if (m_marks.row >= 0)
        showCard(m_marks.row, m_marks.column);
}

void Heatmap::keyPressEvent(QKeyEvent *event)
{
    const int forward = isRightToLeft() ? -1 : 1;
    const bool control = event->modifiers() & Qt::ControlModifier;
    const int page = std::max(1, static_cast<int>(m_geometry.pageSize().height() / m_geometry.rowPitch()));
    const int all = std::max(m_data.rowCount(), m_data.columnCount());
    if (event->matches(QKeySequence::Copy))
        return copy();
    if (zoomByKey(*event))
        return;
    switch (event->key()) {
    case Qt::Key_Left:
        return moveBy(0, -forward);
    case Qt::Key_Right:
        return moveBy(0, forward);
    case Qt::Key_Up:
        return moveBy(-1, 0);
    case Qt::Key_Down:
        return moveBy(1, 0);
    case Qt::Key_PageUp:
        return moveBy(-page, 0);
    case Qt::Key_PageDown:
        return moveBy(page, 0);
    case Qt::Key_Home:
        return moveBy(control ? -all : 0, -all);
    case Qt::Key_End:
        return moveBy(control ? all : 0, all);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_marks.row >= 0)
            Q_EMIT activated(m_marks.row, m_marks.column);
        return;
    case Qt::Key_Escape:
        if (m_card && m_card->isVisible())
            return hideCard();
        break;
    default:
        break;
    }
    event->ignore(); // Esc and the like are for the page
}

void Heatmap::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    m_marks.focused = true;
    updateCell(m_marks.row, m_marks.column);
    announceCurrent();
}

void Heatmap::announceCurrent()
{
    if (m_marks.row < 0 || !QAccessible::isActive())
        return;
    QAccessibleEvent focus(this, QAccessible::Focus);
    focus.setChild(m_marks.row * m_data.columnCount() + m_marks.column);
    QAccessible::updateAccessibility(&focus);
}

void Heatmap::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    m_marks.focused = false;
    updateCell(m_marks.row, m_marks.column);
    hideCard();
}

void Heatmap::hideEvent(QHideEvent *event)
{
    QAbstractScrollArea::hideEvent(event);
    hideCard();
}

bool Heatmap::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        setHover(-1, -1, -1);
    return QAbstractScrollArea::viewportEvent(event);
}

void Heatmap::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    hideCard();
    layOut();
}

void Heatmap::scrollContentsBy(int, int)
{
    setHover(-1, -1, -1);
    scrollTo();
}

void Heatmap::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LayoutDirectionChange || event->type() == QEvent::LanguageChange)
        rebuild();
    if (event->type() == QEvent::ParentChange && m_card && m_card->parentWidget() != window())
        delete m_card.data();
    QAbstractScrollArea::changeEvent(event);
}

} // namespace gpuledger::widgets
