// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/environment/standing.h"
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

// The users' actions and their results; each line opens its evidence, and a stop can be undone here.
class ActivityPage : public Page {
    Q_OBJECT
public:
    ActivityPage(const PageContext &context, QWidget *parent = nullptr);

    void setScope(const Scope &) override { } // past actions do not depend on the scope
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
    LatestQuery<actions::Standing> m_standing; // the current state of the object on the current line
    QString m_standingRow; // the line that it was requested for
    ActionController m_actions;
    widgets::DataTable *m_table = nullptr;
    widgets::StatePanel *m_panel = nullptr;
    QLabel *m_count = nullptr, *m_note = nullptr, *m_title = nullptr;
    QGridLayout *m_lines = nullptr;
    int m_nextLine = 0; // a grid never loses rows
    QPushButton *m_undo = nullptr;
};

} // namespace gpuledger::ui
