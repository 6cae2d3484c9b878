// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/proposals/choice.h"
#include "widgets/theme/theme.h"

#include <QDate>
#include <QDialog>

#include <string>

class QDateEdit;
class QLabel;
class QLineEdit;
class QPushButton;

namespace gpuledger::ui {

// Asks what belongs to a choice about a proposal: who does it and until when, why it is dismissed, or when to ask
// again. It stores nothing itself: once confirmed, it waits for accept() or showFailure(). Opened without blocking;
// deletes itself when closed. GUI thread.
class ChoiceDialog : public QDialog {
    Q_OBJECT
public:
    // `state` is Accepted, Dismissed or Later; `past` was replayed; `today` is in the zone of the data.
    ChoiceDialog(const widgets::Theme &theme, savings::ChoiceState state, const savings::Proposal &proposal,
                 base::TimeRange past, const QDate &today, QWidget *parent = nullptr);

    const std::string &proposal() const { return m_proposal; }
    // It could not be recorded: what was entered stays, to be changed or confirmed again.
    void showFailure(const QString &problem);

Q_SIGNALS:
    void confirmed(const savings::ChoiceDraft &draft);

private:
    QLineEdit *line();
    QDateEdit *date(const QDate &today, int days);
    savings::ChoiceDraft draft() const;
    void showMissing();
    void setRecording(bool recording);
    QString consequence() const;

    const savings::ChoiceState m_state;
    const std::string m_proposal;
    QLineEdit *m_owner = nullptr, *m_reason = nullptr;
    QDateEdit *m_day = nullptr;
    bool m_isRecording = false;
    QLabel *m_problem;
    QPushButton *m_confirm;
};

// A day as Qt has it, and back.
QDate dateOf(base::Day day);
base::Day dayOf(const QDate &date);

} // namespace gpuledger::ui
