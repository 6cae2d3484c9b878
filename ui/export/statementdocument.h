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

// Colours and font of a document, as values, so that a worker can draw with them.
struct DocumentLook {
    QFont font; // of the body; the sizes of titles follow from it
    double unit = 1; // pixels of the device for one of 1/96 inch
    QColor text, muted, line, fill, paper, dearer, cheaper;
    std::array<QColor, 6> swatches; // in the order of StatementSheet::Swatch

    static DocumentLook onScreen(const widgets::Theme &theme);
    // On paper: the light theme, sizes in points. `dotsPerInch` of the device. GUI thread.
    static DocumentLook onPaper(int dotsPerInch);
};

// Set on blocks that are headings: they belong on the page of what follows.
inline constexpr int kHeadingProperty = QTextFormat::UserProperty + 16;
// Set on the cells of a table: which row of the sheet they show.
struct SheetRow {
    enum Table { Line, Team, Workload };
    Table table = Line;
    std::size_t section = 0, row = 0; // in that list of the section
};
// Nothing beside those tables.
std::optional<SheetRow> sheetRowAt(const QTextCursor &place);

// The statement as a document: title and total, lines, teams, a year's months as a chart, workloads, notes. Not yet of
// any width. Foreign text is text. Reentrant.
std::unique_ptr<QTextDocument> statementDocument(const StatementSheet &sheet, const DocumentLook &look);

} // namespace gpuledger::ui
