// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chart.h"

#include "widgets/charts/chartaccessible.h"
#include "widgets/charts/chartheader.h"
#include "widgets/charts/plot.h"
#include "widgets/state/copypicture.h"

#include <QAccessible>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kPage = 7; // items per Page Up and Page Down: a week of days

}

Chart::Chart(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    installChartAccessibility();
    connect(&theme, &Theme::changed, this, &Chart::relayOut);
}

Chart::~Chart()
{
    delete m_card.data();
}

void Chart::dataChanged(const QString &name, int current)
{
    hideCard();
    m_hover = -1;
    setAccessibleName(name);
    setAccessibleDescription(summary());
    dropChartItems(this);
    const int before = m_current;
    m_current = itemCount() == 0 ? -1 : std::clamp(current, 0, itemCount() - 1);
    if (itemCount() == 0)
        m_drawing.reset();
    else if (!m_drawing)
        m_drawing = std::make_unique<Plot>(m_theme);
    relayOut();
    if (m_current != before)
        Q_EMIT currentChanged(m_current);
}

void Chart::relayOut()
{
    if (m_drawing)
        m_drawing->invalidate();
    if (size().isValid())
        layOut(size());
    update();
}

void Chart::paintPlot(QPainter &painter) const
{
    if (!m_drawing)
        return;
    if (!m_drawing->isBuilt())
        m_drawing->build(plotSpec());
    m_drawing->paint(painter, m_marks); // a picture is drawn only once
}

QPointF Chart::plottedAt(const QPointF &point) const
{
    if (m_drawing && !m_drawing->isBuilt())
        m_drawing->build(plotSpec());
    return m_drawing ? m_drawing->positionOf(point) : QPointF();
}

QString Chart::itemText(int index) const
{
    QStringList parts;
    for (const HoverLine &line : itemLines(index))
        parts << (line.label.isEmpty() ? line.value : line.label + QLatin1Char(' ') + line.value);
    return tr("%1: %2", "item: its figures").arg(itemName(index), parts.join(QStringLiteral(", ")));
}

int Chart::itemAt(const QPointF &position) const
{
    // Items are ordered by x, or by -x when mirrored; a binary search finds the one that contains or touches the
    // position.
    const auto centre = [this](int index) { return itemRect(index).center().x() * (areItemsMirrored() ? -1 : 1); };
    const qreal wanted = position.x() * (areItemsMirrored() ? -1 : 1);
    int low = 0;
    int high = itemCount();
    while (low < high) {
        const int middle = (low + high) / 2;
        if (centre(middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    for (const int index : {low - 1, low}) {
        if (index >= 0 && index < itemCount() && itemRect(index).contains(position))
            return index;
    }
    return -1;
}

void Chart::setCurrentIndex(int index)
{
    if (itemCount() == 0)
        return;
    index = std::clamp(index, 0, itemCount() - 1);
    if (index == m_current)
        return;
    m_current = index;
    update();
    if (hasFocus())
        announceCurrent();
    Q_EMIT currentChanged(index);
}

void Chart::announceCurrent()
{
    if (m_current < 0 || !QAccessible::isActive())
        return;
    QAccessibleEvent focus(this, QAccessible::Focus);
    focus.setChild(m_current);
    QAccessible::updateAccessibility(&focus);
}

QImage Chart::picture(qreal devicePixelRatio) const
{
    QImage image((QSizeF(size()) * devicePixelRatio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(devicePixelRatio);
    image.fill(m_theme.color(Color::Surface));
    QPainter painter(&image);
    m_marks = false;
    paintChart(painter);
    m_marks = true;
    return image;
}

QMimeData *Chart::pictureMimeData() const
{
    return widgets::pictureMimeData(picture());
}

void Chart::copyPicture() const
{
    QGuiApplication::clipboard()->setMimeData(pictureMimeData());
}

void Chart::copyData() const
{
    QGuiApplication::clipboard()->setMimeData(table().mimeData());
}

QSize Chart::sizeHint() const
{
    return {480, 230};
}

QSize Chart::minimumSizeHint() const
{
    return {160, 90};
}

void Chart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintChart(painter);
    if (hasFocus() && m_current >= 0)
        paintFocus(painter);
}

void Chart::paintHoverBand(QPainter &painter, const QRectF &area) const
{
    if (m_marks && m_hover >= 0)
        painter.fillRect(itemRect(m_hover) & area, m_theme.color(Color::Select));
}

void Chart::paintEmpty(QPainter &painter, const QRectF &area) const
{
    painter.setFont(m_theme.font());
    painter.setPen(m_theme.color(Color::Muted));
    paintText(painter, area, Qt::AlignHCenter, tr("No data", "in a chart"));
}

void Chart::paintFocus(QPainter &painter) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const QRectF frame = itemRect(m_current).adjusted(-1, -1, 1, 1) & QRectF(rect()).adjusted(1, 1, -1, -1);
    const int radius = m_theme.radius(Radius::Control);
    painter.setPen(QPen(m_theme.color(Color::Surface), 4)); // visible on bars of any colour
    painter.drawRoundedRect(frame, radius, radius);
    painter.setPen(QPen(m_theme.color(Color::Accent), 2));
    painter.drawRoundedRect(frame, radius, radius);
    painter.restore();
}

void Chart::resizeEvent(QResizeEvent *)
{
    hideCard();
    relayOut();
}

void Chart::setHover(int index)
{
    if (index == m_hover)
        return;
    m_hover = index;
    update();
    if (index >= 0)
        showCard(index);
    else
        hideCard();
}

void Chart::showCard(int index)
{
    if (!m_card)
        m_card = new HoverCard(m_theme, window());
    m_card->setLayoutDirection(layoutDirection());
    m_card->setContent(itemName(index), {}, itemLines(index), cardNote());
    const QRect item = itemRect(index).toAlignedRect();
    m_card->showBeside({mapTo(window(), item.topLeft()), item.size()}, Qt::Horizontal);
}

void Chart::hideCard()
{
    if (m_card)
        m_card->hide();
}

void Chart::moveTo(int index)
{
    if (itemCount() == 0)
        return;
    setCurrentIndex(index);
    showCard(m_current);
}

void Chart::keyPressEvent(QKeyEvent *event)
{
    const int forward = areItemsMirrored() ? -1 : 1;
    if (event->matches(QKeySequence::Copy))
        return copyData();
    switch (event->key()) {
    case Qt::Key_Left:
        return moveTo(m_current - forward);
    case Qt::Key_Right:
        return moveTo(m_current + forward);
    case Qt::Key_PageUp:
        return moveTo(m_current - kPage);
    case Qt::Key_PageDown:
        return moveTo(m_current + kPage);
    case Qt::Key_Home:
        return moveTo(0);
    case Qt::Key_End:
        return moveTo(itemCount() - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current >= 0)
            Q_EMIT activated(m_current);
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

void Chart::mouseMoveEvent(QMouseEvent *event)
{
    setHover(itemAt(event->position()));
}

void Chart::mousePressEvent(QMouseEvent *event)
{
    const int index = event->button() == Qt::LeftButton ? itemAt(event->position()) : -1;
    if (index < 0)
        return QWidget::mousePressEvent(event);
    setCurrentIndex(index);
    Q_EMIT activated(index);
}

void Chart::leaveEvent(QEvent *event)
{
    setHover(-1);
    QWidget::leaveEvent(event);
}

void Chart::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    announceCurrent();
}

void Chart::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    hideCard();
}

void Chart::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    hideCard();
    if (m_drawing)
        m_drawing->dropPixmap();
}

void Chart::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LayoutDirectionChange || event->type() == QEvent::LanguageChange) {
        setAccessibleDescription(summary());
        relayOut();
    }
    if (event->type() == QEvent::ParentChange && m_card && m_card->parentWidget() != window())
        delete m_card.data();
    QWidget::changeEvent(event);
}

void Chart::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard && m_current >= 0;
    if (const int pointed = byKey ? -1 : itemAt(event->pos()); pointed >= 0)
        setCurrentIndex(pointed);
    hideCard();
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    Q_EMIT menuOpening(menu, m_current);
    if (!menu->isEmpty())
        menu->addSeparator();
    const QIcon icon = m_theme.icon(QStringLiteral("copy"));
    connect(menu->addAction(icon, tr("Copy as picture")), &QAction::triggered, this, &Chart::copyPicture);
    connect(menu->addAction(icon, tr("Copy as data")), &QAction::triggered, this, &Chart::copyData);
    menu->popup(byKey ? mapToGlobal(itemRect(m_current).center().toPoint()) : event->globalPos());
}

} // namespace gpuledger::widgets
