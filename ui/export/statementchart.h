// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/statementsheet.h"

#include <QTextCursor>
#include <QTextDocument>

namespace gpuledger::ui {

struct DocumentLook;

// The drawings of a statement's document: the square before a line and the chart of its months. They are drawn as
// shapes, not as pixels, so that they print at any size. Reentrant.
void registerStatementObjects(QTextDocument &document, const StatementSheet &sheet, const DocumentLook &look);
// Into a document that knows them. `section` counts as in the sheet.
void insertSwatch(QTextCursor &cursor, StatementSheet::Swatch swatch);
void insertChart(QTextCursor &cursor, int section);

} // namespace gpuledger::ui
