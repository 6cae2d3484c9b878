// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement/monthstatus.h"
#include "widgets/theme/theme.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace gpuledger::ui {

// Asks whether to close a month: what that means, the reasons against it, and a justification if there are any. It
// closes nothing itself. Opened without blocking; deletes itself when closed. GUI thread.
class CloseMonthDialog : public QDialog {
    Q_OBJECT
public:
    // `total`: the formatted cost of the month.
    CloseMonthDialog(const widgets::Theme &theme, const reports::MonthStatus &status, const QString &total,
                     QWidget *parent = nullptr);

Q_SIGNALS:
    void confirmed(const QString &reason); // may be empty if there are no reasons against it

private:
    void addObjections(QVBoxLayout &layout);
    void showWhetherItCan();

    const widgets::Theme &m_theme;
    const reports::MonthStatus m_status;
    QPlainTextEdit *m_reason;
    QLabel *m_hint;
    QPushButton *m_close;
};

} // namespace gpuledger::ui
