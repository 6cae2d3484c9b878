// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/sources/sourcedraft.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QWidget>

#include <functional>
#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;

namespace gpuledger::ui {

// The step of SourceDialog that asks how a source lets us in: by nothing, a credential that is kept elsewhere, or a
// client certificate. The draft outlives it; GUI thread.
class AccessStep : public QWidget {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::SourceDialog)
public:
    // `edited`: the user changed something. Called before the rows follow a choice, so that the draft has it.
    AccessStep(const widgets::Theme &theme, SourceDraft &draft, std::function<void()> edited);

    // The ways in, their names and examples, for this kind.
    void showKind(const ports::SourceKind &kind);
    void fill(const SourceFields &fields);
    void read(SourceFields &fields) const;
    // The rows and examples of the access that the draft has.
    void showChoice();
    void focusFirst();

private:
    struct Row {
        QWidget *field;
        std::vector<SourceFields::Access> shownFor;
    };
    void showAccessChoices();
    static std::vector<widgets::ChoiceButton::Choice> keeperChoices();
    QLineEdit *field(const QString &label, const QString &example, const QString &help = {});
    void addRow(const QString &label, QWidget *edit, std::vector<SourceFields::Access> shownFor);

    SourceDraft &m_draft;
    const std::function<void()> m_edited;
    QFormLayout *m_form;
    std::vector<Row> m_rows;
    QString m_withoutLogin; // what no login means for the kind; empty: that none is needed
    QString m_userExample, m_keptExample;
    bool m_hasOther = false; // the file has a form of authentication that the dialog can't edit
    bool m_hasAuthority = true;
    const ports::SourceKind *m_kind = nullptr; // null: not known yet
    QLabel *m_help = nullptr;
    widgets::ChoiceButton *m_access = nullptr, *m_keeper = nullptr;
    QLineEdit *m_user = nullptr, *m_kept = nullptr, *m_certificate = nullptr, *m_key = nullptr, *m_authority = nullptr;
};

} // namespace gpuledger::ui
