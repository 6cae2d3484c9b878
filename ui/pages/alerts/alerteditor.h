// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/alerts/alertsviewmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;

namespace gpuledger::widgets {
class ChoiceButton;
class DataTable;
} // namespace gpuledger::widgets

namespace gpuledger::ui {
class TargetChoice;

// The current rule as a sentence with choices, the other fields of it, and below when it would have fired. Owned by its
// parent; the view model must outlive it; GUI thread.
class AlertEditor : public QWidget {
    Q_OBJECT
public:
    AlertEditor(const widgets::Theme &theme, AlertsViewModel &model, QWidget *parent = nullptr);

    widgets::DataTable *trialTable() const { return m_trialTable; }
    // To the first choice of the sentence.
    void focusSentence();

private:
    QLayout *header();
    QLayout *sentence();
    QLayout *fields();
    QLayout *trial();
    void bind();
    void bindFields();
    void showRule(); // another one, or the file changed
    void showFields();
    void showYear();
    void showProblems();
    void showButtons();
    void showTrial();
    QString trialText(const services::AlertReplay &replay) const;
    // Applies a change to the current rule.
    template <typename Change> void change(Change apply);

    const widgets::Theme &m_theme;
    AlertsViewModel &m_model;
    QLabel *m_title = nullptr, *m_direction = nullptr;
    widgets::ChoiceButton *m_metric = nullptr, *m_per = nullptr, *m_length = nullptr;
    widgets::ChoiceButton *m_severity = nullptr, *m_hysteresis = nullptr;
    QLineEdit *m_bound = nullptr, *m_name = nullptr, *m_hours = nullptr;
    TargetChoice *m_targets = nullptr;
    QPushButton *m_year = nullptr;
    QFormLayout *m_form = nullptr;
    QLabel *m_boundProblem = nullptr, *m_nameProblem = nullptr, *m_hoursProblem = nullptr;
    QPushButton *m_save = nullptr, *m_discard = nullptr, *m_delete = nullptr, *m_reload = nullptr;
    QLabel *m_failure = nullptr, *m_note = nullptr, *m_trialNote = nullptr;
    widgets::DataTable *m_trialTable = nullptr;
};

} // namespace gpuledger::ui
