// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/statementdocument.h"
#include "widgets/theme/theme.h"

#include <QTextBrowser>

#include <memory>

class QMenu;

namespace gpuledger::ui {

// A statement as it will be printed, in the theme's colours: a centred sheet that scrolls and whose text can be
// selected and copied. Owned by its parent; GUI thread.
class DocumentView : public QTextBrowser {
    Q_OBJECT
public:
    explicit DocumentView(const widgets::Theme &theme, QWidget *parent = nullptr);

    void setSheet(StatementSheet sheet);
    const StatementSheet &sheet() const { return m_sheet; }
    // The row that contains the text cursor, and its position on the screen; the arrow keys move it.
    std::optional<SheetRow> currentRow() const { return sheetRowAt(textCursor()); }
    QPoint currentPlace() const { return viewport()->mapToGlobal(cursorRect().bottomLeft()); }

Q_SIGNALS:
    // Emitted before the context menu opens, with the text cursor at its position, so that the page can add its actions
    // first.
    void menuOpening(QMenu *menu);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void rebuild();

    const widgets::Theme &m_theme;
    StatementSheet m_sheet;
    std::unique_ptr<QTextDocument> m_shown;
    double m_scale = 1; // of the text, in a narrow window
};

} // namespace gpuledger::ui
