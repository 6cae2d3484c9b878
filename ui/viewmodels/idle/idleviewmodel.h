// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/idle/evidence.h"
#include "ui/viewmodels/idle/idletable.h"
#include "ui/viewmodels/idle/idletext.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/shell/scope.h"
#include "ui/viewmodels/tables/tablemodel.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUrlQuery>

namespace gpuledger::services {
class ActionService;
class ConfigService;
class FleetService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// Totals of some of the items, without those that were stopped already.
struct IdleTotals {
    int workloads = 0;
    double gpus = 0;
    IdleSaving saving; // by a stop of all of them
};

// The evidence for one item of the list.
struct IdleEvidence {
    QString id; // of the item
    insight::Evidence evidence;
};

// State and commands of the Idle page: the list at the end of the data, its rows, a current row and its evidence. GUI
// thread; queries on worker threads.
class IdleViewModel : public QObject {
    Q_OBJECT
public:
    // All must outlive it.
    IdleViewModel(const services::ConfigService &config, services::FleetService &fleet,
                  services::ActionService &actions, TaskRunner &tasks, QObject *parent = nullptr);

    PageState state() const { return m_state; }
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const IdleSnapshot> snapshot() const { return m_asker.snapshot(); }
    bool isAsking() const { return m_asker.isAsking() || m_evidence.isAsking(); }
    TableModel &table() { return m_table; }

    IdleGrouping grouping() const { return m_grouping; }
    void setGrouping(IdleGrouping grouping);
    IdleTotals totals() const; // of all idle items
    IdleTotals checkedTotals() const; // of the checked rows, including those hidden by the filter
    std::vector<insight::IdleItem> checkedItems() const; // the same rows
    const insight::IdleItem *idleOf(const QString &id) const; // null: a partly idle or unknown item or none

    // Ignores an id that is not in the list. The first row of the table is current until the user chooses or ticks one,
    // and again when the chosen one is gone.
    void setCurrent(const QString &id);
    const QString &currentId() const { return m_current; }
    const insight::IdleItem *currentIdle() const; // null: a partly idle or unknown item or none
    const insight::IdleItem *currentPartly() const; // null: anything else
    const insight::UnknownItem *currentUnknown() const;
    const insight::BlockedItem *currentBlocked() const; // null: anything else
    // The evidence for the current row; null while it is loading or if it could not be read.
    const insight::Evidence *evidence() const;
    const std::optional<base::Error> &evidenceError() const { return m_evidence.error(); }

    // Shows the unknown items when nothing is idle, replacing the message that nothing is idle.
    void showUnknown();

    const Scope &scope() const { return m_scope; }
    void setScope(const Scope &scope);
    // The same filter narrowed to the workload of the current row (for an unknown one to its devices, for a blocked one
    // to its node), for other pages; std::nullopt without a row.
    std::optional<Scope> scopeOfCurrent() const;
    QUrlQuery place() const;
    void restore(const QUrlQuery &place);
    void refresh();
    void setActive(bool active);

Q_SIGNALS:
    void changed(); // state or rows
    void currentChanged(); // another current row, or its evidence arrived
    void totalsChanged();
    void groupingChanged();

private:
    void take();
    void showRows();
    void chooseCurrent(const QString &wanted);
    QString firstShown() const; // empty: there is no row
    void followTicks();
    void askEvidence();
    int rowOf(const QString &id) const { return m_rows ? m_rows->rowOf(id) : -1; }

    const services::ConfigService &m_config;
    services::FleetService &m_fleet;
    services::ActionService &m_actions;
    TableModel m_table;
    LatestQuery<IdleSnapshot> m_asker;
    LatestQuery<IdleEvidence> m_evidence;
    std::shared_ptr<const IdleTable> m_rows;
    PageState m_state = PageState::Loading;
    IdleGrouping m_grouping = IdleGrouping::Owner;
    Scope m_scope;
    QString m_current;
    bool m_chosen = false; // by the user
    QStringList m_ticked; // as last seen
    bool m_showsUnknown = false;
    QString m_restored; // the row of the restored place
};

} // namespace gpuledger::ui
