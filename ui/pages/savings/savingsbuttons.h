// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/proposals/choice.h"
#include "ui/viewmodels/savings/savingsacts.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;

namespace gpuledger::ui {

class SavingsViewModel;

// What can be done about the current proposal, in one row: stop it or undo the stop, accept it or take that back, and
// a menu with the rest. Above it, when it was stopped. The entries of the menu work by their own keys, too. Owned by
// its parent; the view model must outlive it; GUI thread.
class SavingsButtons : public QWidget {
    Q_OBJECT
public:
    SavingsButtons(const widgets::Theme &theme, const SavingsViewModel &model, QWidget *parent = nullptr);

    void showChoices();
    // What can be stopped for the current proposal, and what was.
    void showAct(const ActOffer &offer);
    // To the first button that decides about the proposal, or else the menu.
    void focusFirst();

Q_SIGNALS:
    void chooseRequested(savings::ChoiceState state); // Open: takes back
    void ticketRequested();
    void exportRequested();
    void stopRequested(); // only opens the dialog that asks
    void markRequested();
    void undoRequested();

private:
    void fillMenu();
    // `name` is that of the object, for tests.
    QAction *addEntry(const QString &text, QLatin1String name, void (SavingsButtons::*signal)());
    QAction *addChoice(const QString &text, QLatin1String name, savings::ChoiceState state);

    const SavingsViewModel &m_model;
    QLabel *m_stopped;
    QPushButton *m_stop, *m_undo, *m_accept, *m_takeBack, *m_more;
    QAction *m_mark = nullptr, *m_undoToo = nullptr; // undoes what was stopped while more can be
    QAction *m_dismiss = nullptr, *m_later = nullptr, *m_ticket = nullptr, *m_export = nullptr;
};

} // namespace gpuledger::ui
