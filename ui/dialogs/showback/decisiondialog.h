// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/months/decisions.h"
#include "widgets/theme/theme.h"

#include <QDialog>

#include <optional>

class QComboBox;
class QDateEdit;
class QLabel;
class QLineEdit;
class QPushButton;

namespace gpuledger::ui {

// Asks what a meeting decides for a team: the decision, who is responsible, the due date, and the measure it should
// lower. It stores nothing itself. Opened without blocking; deletes itself when closed. GUI thread.
class DecisionDialog : public QDialog {
    Q_OBJECT
public:
    // `draft`: the team, the month and its figures, and the initial values of the fields.
    DecisionDialog(const widgets::Theme &theme, reports::DecisionDraft draft, QWidget *parent = nullptr);

Q_SIGNALS:
    void decided(const reports::DecisionDraft &draft);

private:
    void addFields();
    void check();
    reports::DecisionDraft draft() const;
    std::optional<base::Money> target() const; // std::nullopt: empty, or not a valid amount

    const widgets::Theme &m_theme;
    const reports::DecisionDraft m_draft;
    QLineEdit *m_what, *m_owner, *m_target;
    QDateEdit *m_due;
    QComboBox *m_measure;
    QLabel *m_now, *m_hint;
    QPushButton *m_keep;
};

} // namespace gpuledger::ui
