// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/table/tableinterface.h"

#include <QByteArray>
#include <QList>

class QMimeData;

// What leaves a table: clipboard and files. Foreign text can't become a formula; figures of ours stay figures.
namespace gpuledger::widgets {

// Any text as one line for the screen: control characters and marks that turn the direction of text are spaces, and
// what nobody reads (above 400 characters) is cut.
QString shownLine(const QString &text);

// The same for a tool tip: short lines, because a tool tip of plain text does not break any.
QString tipLines(const QString &text);

// RFC 4180: quoted where needed; what a spreadsheet would take for a formula gets a ' in front and is quoted.
QByteArray csvField(const QString &text);

// Rows of `model` as CSV (UTF-8, CRLF, figures with a decimal point), with the titles of `columns` in that order. A
// grouped table has its groups in the first column; rows of folded groups are part of it. Empty `rows`: all shown rows.
QByteArray tableCsv(const TableInterface &model, const QList<int> &columns, const QModelIndexList &rows = {});

// The same for the clipboard: TSV in the person's number format, and HTML below 100,000 cells. The caller owns it.
QMimeData *tableMimeData(const TableInterface &model, const QList<int> &columns, const QModelIndexList &rows = {});

} // namespace gpuledger::widgets
