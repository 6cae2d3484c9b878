// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/taskrunner.h"

#include <QDate>
#include <QString>

#include <functional>

class QWidget;

namespace gpuledger::ui {

// Handles the export requests of all tables below `page`: asks for a file and writes the shown table to it as CSV on a
// worker thread; reports why if that fails. The suggested name consists of the page's title, the table's name and the
// day. GUI thread; `tasks` must outlive the page.
void offerExports(QWidget &page, const QString &title, const std::function<QDate()> &day, TaskRunner &tasks);

} // namespace gpuledger::ui
