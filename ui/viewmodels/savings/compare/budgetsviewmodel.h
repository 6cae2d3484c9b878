// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/compare/budgetstable.h"
#include "ui/viewmodels/savings/compare/comparedviewmodel.h"

namespace gpuledger::services {
class SpendService;
}

namespace gpuledger::ui {

// State of the budgets of clouds beside the bills. Each question reads them at the clouds. Threads: see
// ComparedViewModel.
class BudgetsViewModel : public ComparedViewModel {
    Q_OBJECT
public:
    // All must outlive it.
    BudgetsViewModel(services::SpendService &spend, TaskRunner &tasks, QObject *parent = nullptr);

    // What is not in the table, and why: one sentence or more.
    static QString notesOf(const services::BudgetsAnswer &answer);
    // Set if no budget is there because none of the sources could be read, or some of them.
    static std::optional<base::Error> failureOf(const services::BudgetsAnswer &answer);

    const std::optional<base::Error> &error() const override { return m_error; }
    QString errorText() const override;
    bool isAsking() const override { return m_answer.isAsking(); }
    const std::shared_ptr<const services::BudgetsAnswer> &answer() const { return m_answer.snapshot(); }
    QString noteText() const override { return answer() ? notesOf(*answer()) : QString(); }
    void refresh() override;
    void setActive(bool active) override { m_answer.setActive(active); }

private:
    void take();

    services::SpendService &m_spend;
    LatestQuery<services::BudgetsAnswer> m_answer;
    std::optional<base::Error> m_error;
};

} // namespace gpuledger::ui
