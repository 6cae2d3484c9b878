// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/savingsviewmodel.h"
#include "widgets/cards/card.h"

#include <vector>

class QGridLayout;
class QLabel;

namespace gpuledger::ui {

class SavingsBar;

// The top of the Savings page: the sum without double counting, split by kind, one line a currency, and what accepted
// proposals really saved. Owned by its parent; theme and view model must outlive it; GUI thread.
class SavingsSummary : public widgets::Card {
    Q_OBJECT
public:
    SavingsSummary(const widgets::Theme &theme, const SavingsViewModel &model, QWidget *parent = nullptr);

    void showSums();
    void showDone();
    const QLabel *doneLabel() const { return m_done; }

private:
    struct Line { // of one currency
        QWidget *sum;
        QLabel *figure, *band;
        SavingsBar *bar;
    };
    Line addLine();

    const widgets::Theme &m_theme;
    const SavingsViewModel &m_model;
    QGridLayout *m_grid;
    QLabel *m_nothing, *m_note; // that no proposal counts; what was left out
    QLabel *m_doneTitle, *m_done;
    std::vector<Line> m_lines;
};

} // namespace gpuledger::ui
