// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/costview.h"
#include "ui/viewmodels/savings/plannedtable.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/tables/tablemodel.h"

#include <QObject>

namespace gpuledger::services {
class SpendService;
}

namespace gpuledger::ui {

// State of the planned machines beside the bills. Changes nothing. GUI thread; queries on worker threads.
class PlannedViewModel : public QObject {
    Q_OBJECT
public:
    // All must outlive it.
    PlannedViewModel(services::SpendService &spend, TaskRunner &tasks, QObject *parent = nullptr);

    // FirstRun: no source tells plans.
    PageState state() const { return m_state; }
    const std::optional<base::Error> &error() const { return m_answer.error(); }
    bool isAsking() const { return m_answer.isAsking(); }
    const std::shared_ptr<const services::PlannedAnswer> &answer() const { return m_answer.snapshot(); }
    TableModel &table() { return m_table; }
    QString noteText() const; // what is not compared, and why

    void setCost(model::CostView cost); // of the next question
    void refresh();
    void setActive(bool active) { m_answer.setActive(active); }

Q_SIGNALS:
    void changed();

private:
    void take();

    services::SpendService &m_spend;
    TableModel m_table;
    LatestQuery<services::PlannedAnswer> m_answer;
    PageState m_state = PageState::Loading;
    model::CostView m_cost = model::CostView::Effective;
};

} // namespace gpuledger::ui
