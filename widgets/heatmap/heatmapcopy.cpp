// SPDX-License-Identifier: GPL-3.0-or-later
// What Heatmap puts on the clipboard, and the menu that does it.
#include "widgets/heatmap/heatmap.h"
#include "widgets/state/copypicture.h"
#include "widgets/state/copytable.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QPainter>

namespace gpuledger::widgets {

QMimeData *Heatmap::mimeData() const
{
    const QString corner = m_data.legendText.isEmpty() ? m_data.valueName : m_data.legendText;
    CopyTable table;
    table.addHeader(QStringList(corner.isEmpty() ? QStringLiteral("–") : corner) + m_data.columns);
    for (int row = 0; row < m_data.rowCount(); ++row) {
        table.beginRow();
        table.addText(m_data.rows[static_cast<std::size_t>(row)].label);
        for (int column = 0; column < m_data.columnCount(); ++column)
            table.addNumber(m_data.value(row, column));
    }
    return table.mimeData();
}

void Heatmap::copy() const
{
    QGuiApplication::clipboard()->setMimeData(mimeData());
}

QImage Heatmap::picture(qreal devicePixelRatio) const
{
    QImage image((QSizeF(viewport()->size()) * devicePixelRatio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(devicePixelRatio);
    image.fill(m_theme.color(Color::Surface));
    QPainter painter(&image);
    paintWith(painter, viewport()->rect(), HeatmapMarks{});
    return image;
}

void Heatmap::copyPicture() const
{
    QGuiApplication::clipboard()->setMimeData(pictureMimeData(picture()));
}

void Heatmap::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    int row = -1;
    int column = -1;
    if (!byKey && cellAt(viewport()->mapFromGlobal(event->globalPos()), row, column))
        setCurrent(row, column);
    if (m_marks.row < 0)
        return;
    hideCard();
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Open", "what stands behind a row")), &QAction::triggered, this,
            [this] { Q_EMIT activated(m_marks.row, m_marks.column); });
    Q_EMIT menuOpening(menu, m_marks.row, m_marks.column);
    menu->addSeparator();
    const QIcon icon = m_theme.icon(QStringLiteral("copy"));
    connect(menu->addAction(icon, tr("Copy as picture")), &QAction::triggered, this, &Heatmap::copyPicture);
    connect(menu->addAction(icon, tr("Copy as data")), &QAction::triggered, this, &Heatmap::copy);
    const QPoint cell = cellRect(m_marks.row, m_marks.column).center().toPoint();
    menu->popup(byKey ? viewport()->mapToGlobal(cell) : event->globalPos());
}

} // namespace gpuledger::widgets
