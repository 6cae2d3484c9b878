// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/base/time/timezone.h"
#include "widgets/theme/theme.h"

#include <QDialog>

#include <string>

class QLabel;
class QLineEdit;
class QSpinBox;

namespace gpuledger::ui {

// Asks after how many hours the watch stops a workload unless a user objects, and why. It stores nothing itself. Opened
// without blocking; deletes itself when closed. GUI thread.
class MarkDialog : public QDialog {
    Q_OBJECT
public:
    struct Request {
        base::Seconds after{};
        std::string reason;
    };
    MarkDialog(const widgets::Theme &theme, const QString &workload, base::UtcTime now, const base::TimeZone &zone,
               QWidget *parent = nullptr);

    // The time that is set at first, in whole hours, rounded up.
    void suggest(base::Seconds after);

Q_SIGNALS:
    void confirmed(const Request &wish);

private:
    base::Seconds after() const;
    void showMeaning();

    const base::UtcTime m_now;
    const base::TimeZone m_zone;
    QSpinBox *m_hours;
    QLineEdit *m_reason;
    QLabel *m_meaning;
};

} // namespace gpuledger::ui
