// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/compare/comparedviewmodel.h"
#include "ui/viewmodels/savings/compare/plannedtable.h"

namespace gpuledger::services {
class SpendService;
}

namespace gpuledger::ui {

// State of the planned machines beside the bills. Threads: see ComparedViewModel.
class PlannedViewModel : public ComparedViewModel {
    Q_OBJECT
public:
    // All must outlive it.
    PlannedViewModel(services::SpendService &spend, TaskRunner &tasks, QObject *parent = nullptr);

    const std::optional<base::Error> &error() const override { return m_answer.error(); }
    bool isAsking() const override { return m_answer.isAsking(); }
    const std::shared_ptr<const services::PlannedAnswer> &answer() const { return m_answer.snapshot(); }
    QString noteText() const override;
    void refresh() override;
    void setActive(bool active) override { m_answer.setActive(active); }

private:
    services::SpendService &m_spend;
    LatestQuery<services::PlannedAnswer> m_answer;
};

} // namespace gpuledger::ui
