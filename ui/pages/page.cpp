// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page.h"

#include "widgets/table/datatable.h"

namespace gpuledger::ui {

void Page::rememberTable(const QString &key, widgets::DataTable *table)
{
    m_tables.push_back({key, table});
    connect(table, &widgets::DataTable::stateChanged, this, [this] {
        if (!m_restoringTables)
            Q_EMIT tablesChanged();
    });
}

void Page::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    setActive(true);
}

void Page::hideEvent(QHideEvent *event)
{
    setActive(false);
    QWidget::hideEvent(event);
}

bool Page::exportTable()
{
    widgets::DataTable *first = nullptr;
    for (widgets::DataTable *table : findChildren<widgets::DataTable *>()) {
        if (!table->isVisible())
            continue;
        const QWidget *focus = window()->focusWidget();
        if (focus && table->isAncestorOf(focus)) {
            first = table;
            break;
        }
        first = first ? first : table;
    }
    if (first)
        Q_EMIT first->exportRequested();
    return first != nullptr;
}

QJsonObject Page::tables() const
{
    QJsonObject all;
    for (const Remembered &one : m_tables)
        all.insert(one.key, one.table->saveState());
    return all;
}

void Page::restoreTables(const QJsonObject &tables)
{
    m_restoringTables = true;
    for (const Remembered &one : m_tables)
        one.table->restoreState(tables.value(one.key).toObject());
    m_restoringTables = false;
}

} // namespace gpuledger::ui
