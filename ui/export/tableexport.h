// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/taskrunner.h"

#include <QDate>
#include <QString>

#include <functional>

class QWidget;

namespace gpuledger::ui {

// Answers the wish of every table below `page` to be exported: asks for a file and writes there what the table shows,
// as CSV, on a worker; says why where that fails. The offered name has the page's title, the table's name and the day.
// GUI thread; `tasks` outlives the page.
void offerExports(QWidget &page, const QString &title, const std::function<QDate()> &day, TaskRunner &tasks);

} // namespace gpuledger::ui
