// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/owners/ownerrulesviewmodel.h"
#include "widgets/theme/theme.h"

#include <QDialog>

#include <map>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace gpuledger::widgets {
class ChoiceButton;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// One owner rule: what it matches, which team it names, and what it claims while it is being typed. The rule is in the
// view model's rows from the first valid moment on; cancelling restores the rows. Opened without blocking; deletes
// itself when closed. GUI thread.
class OwnerRuleDialog : public QDialog {
    Q_OBJECT
public:
    // Edits the row with that id; 0: adds one before row `place`, with these initial values. Both must outlive it.
    OwnerRuleDialog(const widgets::Theme &theme, OwnerRulesViewModel &model, int id, int place,
                    const OwnerRuleFields &fields, QWidget *parent = nullptr);

    int ruleId() const { return m_id; } // 0: not valid so far
    void done(int result) override;

private:
    void makeForm();
    QLineEdit *field(OwnerRuleFields::Field which, const QString &label, const QString &example);
    void fill(const OwnerRuleFields &fields);
    void read();
    void offerComparisons();
    void showFields();
    void showProblem(bool tried);
    void makeRoom();
    void showClaim();

    const widgets::Theme &m_theme;
    OwnerRulesViewModel &m_model;
    const std::vector<OwnerRulesViewModel::Row> m_before;
    int m_id;
    const int m_place;
    OwnerRuleFields m_fields;
    bool m_tried = false;
    QFormLayout *m_form;
    widgets::ChoiceButton *m_kind, *m_compare;
    std::map<OwnerRuleFields::Field, QLineEdit *> m_edits;
    std::map<OwnerRuleFields::Field, QLabel *> m_problems;
    std::map<OwnerRuleFields::Field, QString> m_help;
    QLabel *m_remark, *m_claim, *m_coverage;
    QPushButton *m_ok;
};

} // namespace gpuledger::ui
