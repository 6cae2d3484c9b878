// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/table/tableinterface.h"

#include <QByteArray>
#include <QList>

class QMimeData;

// Converts table content for clipboard and files. External text cannot become a formula; our own figures stay numbers.
namespace gpuledger::widgets {

// Any text as one line for display: control characters and bidirectional marks become spaces, and everything after 400
// characters is cut off.
QString shownLine(const QString &text);

// The same for a tooltip: short lines, because a plain text tooltip does not wrap.
QString tipLines(const QString &text);

// RFC 4180: quoted if needed; text that a spreadsheet would take for a formula is prefixed with ' and quoted.
QByteArray csvField(const QString &text);

// Rows of `model` as CSV (UTF-8, CRLF, figures with a decimal point), with the titles of `columns` in that order. A
// grouped table has its groups in the first column and includes the rows of collapsed groups. Empty `rows`: all shown
// rows.
QByteArray tableCsv(const TableInterface &model, const QList<int> &columns, const QModelIndexList &rows = {});

// The same for the clipboard: TSV in the user's number format, and HTML below 100,000 cells. Owned by the caller.
QMimeData *tableMimeData(const TableInterface &model, const QList<int> &columns, const QModelIndexList &rows = {});

} // namespace gpuledger::widgets
