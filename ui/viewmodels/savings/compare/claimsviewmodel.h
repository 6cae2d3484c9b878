// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/compare/claimstable.h"
#include "ui/viewmodels/savings/compare/comparedviewmodel.h"

namespace gpuledger::services {
class SpendService;
}

namespace gpuledger::ui {

// State of the claimed savings beside the bills. Threads: see ComparedViewModel.
class ClaimsViewModel : public ComparedViewModel {
    Q_OBJECT
public:
    // All must outlive it.
    ClaimsViewModel(services::SpendService &spend, TaskRunner &tasks, QObject *parent = nullptr);

    const std::optional<base::Error> &error() const override { return m_answer.error(); }
    bool isAsking() const override { return m_answer.isAsking(); }
    const std::shared_ptr<const services::ClaimsAnswer> &answer() const { return m_answer.snapshot(); }
    QString noteText() const override;
    void refresh() override;
    void setActive(bool active) override { m_answer.setActive(active); }

private:
    services::SpendService &m_spend;
    LatestQuery<services::ClaimsAnswer> m_answer;
};

} // namespace gpuledger::ui
