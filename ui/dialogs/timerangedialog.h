// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/base/time/timezone.h"
#include "widgets/theme/theme.h"

#include <QDialog>

class QDateTimeEdit;
class QLabel;
class QPushButton;

namespace gpuledger::ui {

// Asks for a time range as two local times in a zone. Deletes itself when closed; GUI thread.
class TimeRangeDialog : public QDialog {
    Q_OBJECT
public:
    TimeRangeDialog(const widgets::Theme &theme, const base::TimeZone &zone, base::TimeRange range, QWidget *parent);

    base::TimeRange range() const;

Q_SIGNALS:
    void chosen(base::TimeRange range); // never empty

private:
    QDateTimeEdit *edit(const QString &name, base::UtcTime at);
    void check();

    const base::TimeZone m_zone;
    QDateTimeEdit *m_from;
    QDateTimeEdit *m_to;
    QLabel *m_problem;
    QPushButton *m_apply;
};

} // namespace gpuledger::ui
