// SPDX-License-Identifier: GPL-3.0-or-later
// The context menus of DataTable; all it can do is in them, for keyboards too.
#include "widgets/table/datatable.h"
#include "widgets/table/tablecolumns.h"
#include "widgets/table/tabletext.h"
#include "widgets/table/tableview.h"

#include <QMenu>

namespace gpuledger::widgets {

namespace {

// A single & would be taken for a mnemonic.
QString literal(const QString &text)
{
    return shownLine(text).replace(QLatin1Char('&'), QLatin1String("&&"));
}

QMenu *newMenu(QWidget *parent)
{
    auto *menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    return menu;
}

} // namespace

void DataTable::openMenu(const QPoint &place)
{
    QMenu *menu = newMenu(this);
    Q_EMIT menuOpening(menu, currentRowId());
    if (!menu->isEmpty())
        menu->addSeparator();
    QAction *copyRows = menu->addAction(tr("Copy rows"), this, [this] { copy(false); });
    copyRows->setShortcut(QKeySequence::Copy);
    copyRows->setEnabled(m_view->selectionModel()->hasSelection());
    menu->addAction(tr("Copy all rows"), this, [this] { copy(true); });
    menu->addAction(tr("Export as CSV…"), this, &DataTable::exportRequested)->setShortcut(kExportKeys);
    menu->addSeparator();
    menu->addAction(tr("Filter rows"), this, &DataTable::openFilter)->setShortcut(QKeySequence::Find);
    addColumnMenus(menu);
    menu->popup(place);
}

void DataTable::openHeaderMenu(const QPoint &place, int column)
{
    QMenu *menu = newMenu(this);
    if (column >= 0 && model().canSort()) {
        menu->addAction(tr("Sort ascending"), this, [this, column] { sortBy(column, Qt::AscendingOrder); });
        menu->addAction(tr("Sort descending"), this, [this, column] { sortBy(column, Qt::DescendingOrder); });
        menu->addSeparator();
    }
    addColumnMenus(menu);
    menu->popup(place);
}

void DataTable::addColumnMenus(QMenu *menu)
{
    QMenu *sorting = model().canSort() ? menu->addMenu(tr("Sort by")) : nullptr;
    QMenu *columns = menu->addMenu(tr("Columns"));
    TableColumns &state = m_view->columns();
    for (int column = 0; column < model().columnCount(); ++column) {
        const QString title = literal(model().headerData(column, Qt::Horizontal).toString());
        if (sorting) {
            QAction *sort = sorting->addAction(title, this, [this, column] { clickTitle(column); });
            sort->setCheckable(true);
            sort->setChecked(column == model().sortColumn());
        }
        QAction *show =
            columns->addAction(title, this, [&state, column] { state.setShown(column, !state.isShown(column)); });
        show->setCheckable(true);
        show->setChecked(state.isShown(column));
        show->setEnabled(column > 0); // the first column names the row
    }
    columns->addSeparator();
    columns->addAction(tr("Reset columns"), this, [&state] { state.reset(); });
}

} // namespace gpuledger::widgets
