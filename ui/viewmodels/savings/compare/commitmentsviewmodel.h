// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/compare/commitmentstable.h"
#include "ui/viewmodels/savings/compare/comparedviewmodel.h"

namespace gpuledger::services {
class ConfigService;
class SpendService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// State of the commitments at clouds beside the bills, as the last syncs kept them. Threads: see ComparedViewModel.
class CommitmentsViewModel : public ComparedViewModel {
    Q_OBJECT
public:
    // All must outlive it.
    CommitmentsViewModel(const services::ConfigService &config, services::SpendService &spend, TaskRunner &tasks,
                         QObject *parent = nullptr);

    // How much of the use of GPU machines commitments cover, when each source was read, and what is missing and why:
    // a line for each of these, without those that have nothing to say.
    static QString notesOf(const services::CommitmentsAnswer &answer, const base::TimeZone &zone);
    // There are sources, and none of them was read so far.
    static bool isUnread(const services::CommitmentsAnswer &answer);

    const std::optional<base::Error> &error() const override { return m_answer.error(); }
    bool isAsking() const override { return m_answer.isAsking(); }
    const std::shared_ptr<const services::CommitmentsAnswer> &answer() const { return m_answer.snapshot(); }
    QString noteText() const override;
    QString emptyTitle() const override;
    QString emptyText() const override;
    void refresh() override;
    void setActive(bool active) override { m_answer.setActive(active); }

private:
    void take();

    const services::ConfigService &m_config;
    services::SpendService &m_spend;
    LatestQuery<services::CommitmentsAnswer> m_answer;
};

} // namespace gpuledger::ui
