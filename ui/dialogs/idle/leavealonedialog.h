// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/actionrecord.h"
#include "widgets/theme/theme.h"

#include <QDialog>

#include <optional>
#include <string>

class QComboBox;
class QDateEdit;
class QLabel;
class QLineEdit;

namespace gpuledger::ui {

// Asks to leave a workload alone: not shown as idle for some time, not stopped until a day, or never stopped. It stores
// nothing itself. Opened without blocking; deletes itself when closed. GUI thread.
class LeaveAloneDialog : public QDialog {
    Q_OBJECT
public:
    struct Request {
        model::Lease::Kind kind{};
        std::optional<base::UtcTime> until; // the end of that day
        std::string reason;
    };
    // `kind` is chosen at first.
    LeaveAloneDialog(const widgets::Theme &theme, const QString &workload, base::UtcTime now, model::Lease::Kind kind,
                     QWidget *parent = nullptr);

Q_SIGNALS:
    void confirmed(const Request &wish);

private:
    void showMeaning();
    model::Lease::Kind kind() const;

    QComboBox *m_kind;
    QDateEdit *m_until;
    QLineEdit *m_reason;
    QLabel *m_meaning;
};

} // namespace gpuledger::ui
