// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/statementexport.h"
#include "ui/pages/statepage.h"
#include "ui/viewmodels/showback/showbackviewmodel.h"
#include "ui/viewmodels/tables/tablemodel.h"

class QAction;
class QPushButton;

namespace gpuledger::widgets {
class ChoiceButton;
class DataTable;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class DocumentView;
class ReconcileCard;

// The statement of a month, team by team, as it will be printed, and the ways to distribute it. Layout and bindings
// only: the state is in the view model.
class ShowbackPage : public StatePage {
    Q_OBJECT
public:
    ShowbackPage(const PageContext &context, QWidget *parent = nullptr);

    void setScope(const Scope &scope) override { m_model.setView(scope.cost); }
    bool usesScope() const override { return false; } // a statement covers a month
    bool usesCostView() const override { return true; }
    QUrlQuery place() const override { return m_model.place(); }
    void restore(const QUrlQuery &place) override;
    bool goBack() override; // from a team to all teams
    bool perform(PageAction action) override;
    bool settled() const override;
    void refresh() override { m_model.refresh(); }
    void setActive(bool active) override { m_model.setActive(active); }

private:
    QWidget *side();
    QWidget *bar();
    QWidget *sheet();
    QMenu *exportMenu();
    void bind();
    void bindExport();
    PageState state() const override { return m_model.state(); }
    void showData() override;
    void showEmpty() override;
    void showError() override;
    static QString choiceText(const reports::MonthStatus &status);
    void showTeam();
    void askToClose();
    void offerProofs();
    void openLens();
    void openSharing();
    void present();
    std::optional<StatementExport::What> what() const;

    ShowbackViewModel m_model;
    TableModel m_teams;
    StatementExport *m_export;
    widgets::ChoiceButton *m_month = nullptr;
    QPushButton *m_all = nullptr;
    widgets::DataTable *m_table = nullptr;
    ReconcileCard *m_reconcile = nullptr;
    DocumentView *m_document = nullptr;
    QAction *m_print = nullptr, *m_withSavings = nullptr; // the latter is kept while the page exists
    QPushButton *m_lens = nullptr, *m_present = nullptr;
    QPushButton *m_save = nullptr, *m_review = nullptr, *m_close = nullptr;
    bool m_showing = false, m_restoring = false;
};

} // namespace gpuledger::ui
