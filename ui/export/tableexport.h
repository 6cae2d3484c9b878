// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "ui/viewmodels/shell/taskrunner.h"

#include <QByteArray>
#include <QDate>
#include <QString>

#include <functional>

class QWidget;

namespace gpuledger::ui {

// Handles the export requests of all tables below `page`: asks for a file and writes the shown table to it as CSV on a
// worker thread; reports why if that fails. The suggested name consists of the page's title, the table's name and the
// day. GUI thread; `tasks` must outlive the page.
void offerExports(QWidget &page, const QString &title, const std::function<QDate()> &day, TaskRunner &tasks);

// What makes a file: called on a worker thread, so it must hold all that it needs.
using FileMaker = std::function<base::Result<QByteArray>()>;
// Asks for a file, suggesting `name`, and writes a workbook to it; reports why if that fails. `content` is called once
// the file was chosen. GUI thread; `tasks` must outlive `owner`.
void askForWorkbook(QWidget &owner, const QString &name, const std::function<FileMaker()> &content, TaskRunner &tasks);
// The suffix of its name.
QString workbookSuffix();

} // namespace gpuledger::ui
