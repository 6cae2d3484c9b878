// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/statementsheet.h"
#include "widgets/theme/theme.h"

#include <QTextBrowser>

#include <memory>

namespace gpuledger::ui {

// A statement as it will print, in the colours of the theme: a sheet in the middle that scrolls, whose text can be
// marked and copied. Owned by its parent; GUI thread.
class DocumentView : public QTextBrowser {
    Q_OBJECT
public:
    explicit DocumentView(const widgets::Theme &theme, QWidget *parent = nullptr);

    void setSheet(StatementSheet sheet);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void rebuild();

    const widgets::Theme &m_theme;
    StatementSheet m_sheet;
    std::unique_ptr<QTextDocument> m_shown;
};

} // namespace gpuledger::ui
