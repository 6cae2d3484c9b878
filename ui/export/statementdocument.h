// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/showback/statementsheet.h"
#include "widgets/theme/theme.h"

#include <QColor>
#include <QFont>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFormat>

#include <array>
#include <memory>
#include <optional>

namespace gpuledger::ui {

// Colours and font of a document, as values, so that a worker thread can draw with them.
struct DocumentLook {
    QFont font; // of the body; the sizes of titles are derived from it
    double unit = 1; // device pixels per 1/96 inch
    bool hasPlainMinus = false; // writes a negative amount with a hyphen-minus
    QColor text, muted, line, fill, paper, dearer, cheaper;
    std::array<QColor, 6> swatches; // in the order of StatementSheet::Swatch

    static DocumentLook onScreen(const widgets::Theme &theme);
    // For paper: the light theme, sizes in points. `dotsPerInch` is the resolution of the device. GUI thread.
    static DocumentLook onPaper(int dotsPerInch);
};

// Set on heading blocks, which are kept on the same page as the following block.
inline constexpr int kHeadingProperty = QTextFormat::UserProperty + 16;
// Set on table cells: the row of the sheet that they show.
struct SheetRow {
    enum Table { Line, Team, Workload };
    Table table = Line;
    std::size_t section = 0, row = 0; // in that list of the section
};
// std::nullopt outside those tables.
std::optional<SheetRow> sheetRowAt(const QTextCursor &place);

// The statement as a document: title and total, lines, teams, a chart of a year's months, workloads, notes. The width
// is not set yet. External text is inserted as plain text. Reentrant.
std::unique_ptr<QTextDocument> statementDocument(const StatementSheet &sheet, const DocumentLook &look);

} // namespace gpuledger::ui
