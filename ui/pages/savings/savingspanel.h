// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/savingsacts.h"
#include "ui/viewmodels/savings/savingsviewmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace gpuledger::ui {

class SavingsChart;

// The right side of the Savings page: what the current proposal would save, what that depends on, its evidence, what
// argues against it, what it rests on and how to do it, and the buttons that decide about it. Owned by its parent;
// theme and view model must outlive it; GUI thread.
class SavingsPanel : public QWidget {
    Q_OBJECT
public:
    SavingsPanel(const widgets::Theme &theme, const SavingsViewModel &model, QWidget *parent = nullptr);

    void showCurrent();
    void showCurve();
    void showButtons();
    // What can be stopped for the current proposal, and what was.
    void showAct(const ActOffer &offer);
    // To the first button that can be pressed.
    void focusDetails();

Q_SIGNALS:
    void chooseRequested(savings::ChoiceState state); // Open: takes back
    void ticketRequested();
    void howRequested(); // to the clipboard
    void stopRequested(); // only opens the dialog that asks
    void markRequested();
    void undoRequested();

private:
    void addLine(QVBoxLayout &to, const QString &text, widgets::Color color = widgets::Color::Muted);
    void addHeading(const QString &text);
    void addParts(const savings::Proposal &proposal, const base::TimeZone &zone);
    void showHow(const savings::Proposal *proposal);
    void addActRow(QGridLayout &buttons);

    const widgets::Theme &m_theme;
    const SavingsViewModel &m_model;
    QVBoxLayout *m_head, *m_lines, *m_assumptions; // before the chart, before and after how to do it
    SavingsChart *m_chart;
    QScrollArea *m_area = nullptr;
    QString m_shownId;
    QLabel *m_howTitle;
    QPlainTextEdit *m_how;
    QPushButton *m_copyHow, *m_accept, *m_dismiss, *m_later, *m_takeBack, *m_ticket;
    QLabel *m_stopped;
    QPushButton *m_stop, *m_mark, *m_undo;
};

} // namespace gpuledger::ui
