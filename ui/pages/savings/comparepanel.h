// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/compare/compareviewmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace gpuledger::widgets {
class ChoiceButton;
class DataTable;
class SegmentedSwitch;
class StackedBarChart;
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class ComparedPanel;

// The Compare tab of the Savings page: offers of the same GPUs as a table, and the cheapest of each provider as bars;
// or, if sources tell them, planned machines, claimed savings, budgets and commitments at clouds beside the bills.
// Owned by its parent; the view model must outlive it; GUI thread.
class ComparePanel : public QWidget {
    Q_OBJECT
public:
    ComparePanel(const widgets::Theme &theme, CompareViewModel &model, QWidget *parent = nullptr);

    widgets::DataTable *table() const { return m_table; }
    ComparedPanel *planned() const { return m_planned; }
    ComparedPanel *claims() const { return m_claims; }
    ComparedPanel *budgets() const { return m_budgets; }
    ComparedPanel *commitments() const { return m_commitments; }

private:
    QWidget *choices();
    QWidget *offers();
    void addCompared();
    void showHalves();
    QWidget *filters();
    QPushButton *filesButton(QWidget *bar);
    void showFiles();
    void addModels();
    void chooseFile(bool catalogue);
    void showState();
    void showChart();
    void showOwned();
    QStringList notes() const;

    const widgets::Theme &m_theme;
    CompareViewModel &m_model;
    widgets::ChoiceButton *m_models = nullptr, *m_gpus = nullptr, *m_terms = nullptr;
    QPushButton *m_files = nullptr; // its menu adds and removes price lists
    widgets::StatePanel *m_panel = nullptr;
    widgets::DataTable *m_table = nullptr;
    widgets::StackedBarChart *m_chart = nullptr;
    widgets::SegmentedSwitch *m_halves = nullptr; // hidden if there are only offers
    QWidget *m_filters = nullptr;
    QStackedWidget *m_stack = nullptr; // the offers, or what others say
    ComparedPanel *m_planned = nullptr, *m_claims = nullptr, *m_budgets = nullptr, *m_commitments = nullptr;
    QLabel *m_owned = nullptr; // own or rent
    QLabel *m_note = nullptr;
    QStringList m_listed; // models that the button offers
};

} // namespace gpuledger::ui
