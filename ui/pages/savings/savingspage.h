// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/statepage.h"
#include "ui/viewmodels/savings/compare/compareviewmodel.h"
#include "ui/viewmodels/savings/savingsacts.h"
#include "ui/viewmodels/savings/savingsviewmodel.h"
#include "ui/viewmodels/savings/scenariosviewmodel.h"

class QLabel;
class QStackedWidget;

namespace gpuledger::widgets {
class DataTable;
class SegmentedSwitch;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class ComparePanel;
class SavingsActing;
class SavingsAssumptions;
class SavingsChoices;
class SavingsPanel;
class SavingsSummary;

// What could be saved per month and how sure that is, by kind, with the assumptions behind it and what was decided.
// Layout and bindings only: the state is in the view model.
class SavingsPage : public StatePage {
    Q_OBJECT
public:
    SavingsPage(const PageContext &context, QWidget *parent = nullptr);
    // With other answers than the workspace's, for tests.
    SavingsPage(const PageContext &context, SavingsDesk desk, QWidget *parent = nullptr);

    void setScope(const Scope &scope) override;
    QUrlQuery place() const override;
    void restore(const QUrlQuery &place) override;
    bool settled() const override;
    void refresh() override;
    void setActive(bool active) override;

    SavingsChoices *choices() const { return m_choices; }
    SavingsActing *acting() const { return m_acting; }

private:
    QWidget *tabs();
    QWidget *proposals();
    QWidget *comparison();
    void chooseTab(const QString &key);
    void compare(bool on);
    QWidget *tableCard();
    QWidget *panelCard();
    void bind();
    void bindActing();
    void showAct();
    void bindScenarios();
    void showTabs();
    void showHead();
    static QString shownFigures(const SavingsSnapshot &snapshot, const savings::Assumptions &wanted);
    void showAssumptions();
    void showRow();
    PageState state() const override { return m_model.state(); }
    void showData() override;
    void showEmpty() override;
    void showError() override;
    void stateShown() override;

    SavingsActs::Ask m_askActs; // before the desk moves on
    SavingsViewModel m_model;
    ScenariosViewModel m_scenarios;
    CompareViewModel m_offers;
    SavingsChoices *m_choices = nullptr;
    SavingsActing *m_acting = nullptr;
    SavingsSummary *m_summary = nullptr;
    QWidget *m_tabBar = nullptr;
    widgets::SegmentedSwitch *m_tabs = nullptr;
    SavingsAssumptions *m_assumptions = nullptr;
    QLabel *m_filterNote = nullptr;
    widgets::DataTable *m_table = nullptr;
    SavingsPanel *m_details = nullptr;
    QStackedWidget *m_stack = nullptr; // the proposals, or the offers
    ComparePanel *m_comparison = nullptr;
    bool m_isActive = false;
    bool m_restoring = false;
    bool m_isPlaceDue = false; // once the editor of an assumption is closed
};

} // namespace gpuledger::ui
