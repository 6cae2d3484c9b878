// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QString>

// The usual kinds of table columns.
namespace gpuledger::ui::tablecolumns {

// Text, searched by the filter.
TableColumn words(const QString &key, const QString &title, const QString &tip = {}, int stretch = 0);
// A number to be compared down the column.
TableColumn figure(const QString &key, const QString &title, const QString &tip = {});
// Numbers and durations are figures.
TableColumn column(const char *key, const QString &title, TableValueType type, const QString &tip);

} // namespace gpuledger::ui::tablecolumns
