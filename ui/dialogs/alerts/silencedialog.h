// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "widgets/theme/theme.h"

#include <QDialog>

class QComboBox;
class QLineEdit;

namespace gpuledger::ui {

// Asks for how long an alert is to be silent, and why. It stores nothing itself. Opened without blocking; deletes
// itself when closed. GUI thread.
class SilenceDialog : public QDialog {
    Q_OBJECT
public:
    SilenceDialog(const widgets::Theme &theme, const QString &alert, QWidget *parent = nullptr);

Q_SIGNALS:
    void confirmed(gpuledger::base::Seconds length, const QString &reason);

private:
    QComboBox *m_length;
    QLineEdit *m_reason;
};

} // namespace gpuledger::ui
