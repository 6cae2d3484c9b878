// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/idle/waitingtable.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/shell/scope.h"
#include "ui/viewmodels/tables/tablemodel.h"

#include <QObject>
#include <QString>
#include <QStringList>

namespace gpuledger::services {
class ConfigService;
class QueueService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// State and commands of the list of waiting jobs, queried from the sources themselves and only once the user wants to
// see it. GUI thread; queries on worker threads.
class WaitingViewModel : public QObject {
    Q_OBJECT
public:
    // All must outlive it.
    WaitingViewModel(const services::ConfigService &config, services::QueueService &queue, TaskRunner &tasks,
                     QObject *parent = nullptr);

    // Data with an unknown list is an empty page too: isKnown() distinguishes them.
    PageState state() const { return m_state; }
    bool isKnown() const;
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const WaitingSnapshot> snapshot() const { return m_asker.snapshot(); }
    bool isAsking() const { return m_asker.isAsking(); }
    TableModel &table() { return m_table; }

    void setScope(const insight::Filter &filter, model::CostView cost); // queries again on a change
    void refresh();
    void setActive(bool active); // initially inactive

    const insight::WaitingItem *itemOf(const QString &row) const; // null: none
    // Ids of the idle workloads whose GPUs would serve this row, or all rows.
    QStringList serversOf(const QString &row) const;
    QStringList servers() const;
    // "10 jobs waiting for GPUs", and how much a stop would free.
    QString title() const;
    QString summary() const;
    QString reason(const QString &row) const; // for one row, as a sentence; empty: no row
    QStringList gaps() const; // what sources cannot report, one sentence each

Q_SIGNALS:
    void changed();

private:
    void take();

    const services::ConfigService &m_config;
    services::QueueService &m_queue;
    TableModel m_table;
    LatestQuery<WaitingSnapshot> m_asker;
    std::shared_ptr<const WaitingTable> m_rows;
    PageState m_state = PageState::Loading;
    insight::Filter m_filter;
    model::CostView m_cost = model::CostView::Effective;
};

} // namespace gpuledger::ui
