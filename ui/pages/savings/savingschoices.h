// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/viewmodels/savings/savingsviewmodel.h"

#include <QObject>
#include <QPointer>

class QMenu;

namespace gpuledger::ui {

class ChoiceDialog;
class SavingsButtons;

// What can be done about a proposal: decide with a dialog, take back, or copy it. Says what came of it in a notice.
// Also writes what is listed to a workbook.
// Owned by its page; GUI thread.
class SavingsChoices : public QObject {
    Q_OBJECT
public:
    // `model` must outlive it.
    SavingsChoices(const PageContext &context, SavingsViewModel &model, QWidget *page);

    // Does what these buttons ask for the current proposal. Once.
    void serve(const SavingsButtons &buttons);
    // Opens the dialog of the choice; Open takes back at once. Ignored if nothing can be decided.
    void choose(const QString &proposal, savings::ChoiceState state);
    void copyTicket(const QString &proposal);
    void copyHow(const QString &proposal);
    // The listed proposals of the tab with their assumptions, and what accepted ones saved. Ignored if nothing is
    // known.
    void exportWorkbook();
    void addActions(QMenu &menu, const QString &proposal);
    QPointer<ChoiceDialog> dialog() const { return m_dialog; }

Q_SIGNALS:
    void noticeWanted(const PageNotice &notice);

private:
    void addProposalActions(QMenu &menu, const QString &proposal);
    void tell(const savings::Choice &choice);
    void tellFailure(const base::Error &error);
    void copy(const QString &text, const QString &notice);

    const PageContext m_context;
    SavingsViewModel &m_model;
    QWidget *m_page;
    QPointer<ChoiceDialog> m_dialog;
};

} // namespace gpuledger::ui
