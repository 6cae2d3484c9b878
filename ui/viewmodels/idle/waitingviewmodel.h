// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace/workspace.h"
#include "ui/viewmodels/idle/waitingtable.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/shell/scope.h"
#include "ui/viewmodels/tables/tablemodel.h"

#include <QObject>
#include <QString>
#include <QStringList>

namespace gpuledger::ui {

// Who waits for what is idle, asked of the sources themselves: only once somebody wants to see it. GUI thread; asks on
// workers.
class WaitingViewModel : public QObject {
    Q_OBJECT
public:
    // Both must outlive it.
    WaitingViewModel(services::Workspace &workspace, TaskRunner &tasks, QObject *parent = nullptr);

    // Data with a list that is not known is an empty page, too: isKnown() tells them apart.
    PageState state() const { return m_state; }
    bool isKnown() const;
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const WaitingSnapshot> snapshot() const { return m_asker.snapshot(); }
    bool isAsking() const { return m_asker.isAsking(); }
    TableModel &table() { return m_table; }

    void setFilter(const insight::Filter &filter); // asks anew where it is another one
    void refresh();
    void setActive(bool active); // at first it is not

    const insight::WaitingItem *itemOf(const QString &row) const; // null: there is none
    // Ids of the idle workloads that would serve this row, or all rows.
    QStringList serversOf(const QString &row) const;
    QStringList servers() const;
    // "10 jobs wait for GPUs", and what stopping would bring.
    QString title() const;
    QString summary() const;
    QString reason(const QString &row) const; // of one row, a sentence; empty: no row
    QStringList gaps() const; // what sources can't tell, one sentence each

Q_SIGNALS:
    void changed();

private:
    void take();

    services::Workspace &m_workspace;
    TableModel m_table;
    LatestQuery<WaitingSnapshot> m_asker;
    std::shared_ptr<const WaitingTable> m_rows;
    PageState m_state = PageState::Loading;
    insight::Filter m_filter;
};

} // namespace gpuledger::ui
