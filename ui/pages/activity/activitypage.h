// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/standing.h"
#include "ui/pages/page.h"
#include "ui/viewmodels/activity/actioncontroller.h"
#include "ui/viewmodels/activity/activitytable.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/tables/tablemodel.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace gpuledger::widgets {
class DataTable;
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// What people did and what became of it; each line opens its evidence, and what was stopped can be brought back.
class ActivityPage : public Page {
    Q_OBJECT
public:
    ActivityPage(const PageContext &context, QWidget *parent = nullptr);

    void setScope(const Scope &) override { } // what was done was done, whatever is looked at
    bool usesScope() const override { return false; }
    bool settled() const override { return !m_asker.isAsking() && !m_standing.isAsking(); }
    void refresh() override;
    void setActive(bool active) override;

private:
    QWidget *listCard();
    QWidget *evidenceCard();
    void showAnswer();
    void showEvidence();
    void askStanding();
    QString standingText() const;
    void addLines(const QString &title, const std::vector<std::pair<QString, QString>> &lines);
    void undo();
    void tellRun();

    const PageContext m_context;
    TableModel m_rows;
    LatestQuery<ActivitySnapshot> m_asker;
    LatestQuery<actions::Standing> m_standing; // of the object of the current line
    QString m_standingRow; // the line that it was asked for
    ActionController m_actions;
    widgets::DataTable *m_table = nullptr;
    widgets::StatePanel *m_panel = nullptr;
    QLabel *m_count = nullptr, *m_note = nullptr, *m_title = nullptr;
    QGridLayout *m_lines = nullptr;
    int m_nextLine = 0; // a grid never has fewer rows again
    QPushButton *m_undo = nullptr;
};

} // namespace gpuledger::ui
