// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/sources/sourcetest.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QPlainTextEdit;
class QPushButton;

namespace gpuledger::ui {

// Shows the programs that a source would run to log in, in full and exactly as they would be started, and the button
// that agrees to them and repeats the test. Visible while the test waits for consent; no key agrees unless the button
// has the focus. Owned by its parent; the test must outlive it; GUI thread.
class CommandConsentPanel : public QWidget {
    Q_OBJECT
public:
    CommandConsentPanel(const widgets::Theme &theme, SourceTest &test, QWidget *parent = nullptr);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void showCommands();
    void makeRoom();

    SourceTest &m_test;
    QPlainTextEdit *m_commands;
    QPushButton *m_agree;
};

} // namespace gpuledger::ui
