// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/tables/tablecolumns.h"

namespace gpuledger::ui::tablecolumns {

TableColumn words(const QString &key, const QString &title, const QString &tip, int stretch)
{
    TableColumn column;
    column.key = key;
    column.title = title;
    column.tip = tip;
    column.stretch = stretch;
    column.isSearched = true;
    return column;
}

TableColumn figure(const QString &key, const QString &title, const QString &tip)
{
    TableColumn column;
    column.key = key;
    column.title = title;
    column.tip = tip;
    column.type = TableValueType::Number;
    column.isFigure = true;
    return column;
}

TableColumn column(const char *key, const QString &title, TableValueType type, const QString &tip)
{
    TableColumn column;
    column.key = QString::fromLatin1(key);
    column.title = title;
    column.type = type;
    column.tip = tip;
    column.isFigure = type == TableValueType::Number || type == TableValueType::Duration;
    return column;
}

} // namespace gpuledger::ui::tablecolumns
