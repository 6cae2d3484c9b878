// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/idle/evidence.h"
#include "app/services/workspace/workspace.h"
#include "ui/viewmodels/idle/idletable.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/shell/scope.h"
#include "ui/viewmodels/tables/tablemodel.h"

#include <QObject>
#include <QString>
#include <QUrlQuery>

namespace gpuledger::ui {

// What some of the items come to. Money is the sum of those that have a price; null: none has.
struct IdleTotals {
    int workloads = 0, unpriced = 0;
    double gpus = 0;
    std::optional<double> perHour, perMonth; // currency units
};

struct IdleEvidence {
    QString id; // of the item
    insight::Evidence evidence;
};

// State and commands of the Idle page: the list at the end of the data, its rows, one current row and the evidence
// behind it. GUI thread; asks the workspace on workers.
class IdleViewModel : public QObject {
    Q_OBJECT
public:
    // Both must outlive it.
    IdleViewModel(services::Workspace &workspace, TaskRunner &tasks, QObject *parent = nullptr);

    PageState state() const { return m_state; }
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const IdleSnapshot> snapshot() const { return m_asker.snapshot(); }
    bool isAsking() const { return m_asker.isAsking() || m_evidence.isAsking(); }
    TableModel &table() { return m_table; }

    IdleGrouping grouping() const { return m_grouping; }
    void setGrouping(IdleGrouping grouping);
    IdleTotals totals() const; // of all that is idle
    IdleTotals checkedTotals() const; // of the ticked rows, shown or filtered away
    std::vector<insight::IdleItem> checkedItems() const; // the same rows
    const insight::IdleItem *idleOf(const QString &id) const; // null: an unknown one or none

    // An id that is not in the list changes nothing. The worst one (most costly) is current until somebody chooses, and
    // again when the chosen one is gone.
    void setCurrent(const QString &id);
    const QString &currentId() const { return m_current; }
    const insight::IdleItem *currentIdle() const; // null: an unknown one or none
    const insight::UnknownItem *currentUnknown() const;
    // Of the current row; null while it is being read or could not be.
    const insight::Evidence *evidence() const;
    const std::optional<base::Error> &evidenceError() const { return m_evidence.error(); }

    // With nothing idle but some unknown: shows them instead of the sentence that nothing is idle.
    void showUnknown();

    const Scope &scope() const { return m_scope; }
    void setScope(const Scope &scope);
    // The same filter narrowed to the workload of the current row (of an unknown one: its devices), for other pages;
    // nothing without a row.
    std::optional<Scope> scopeOfCurrent() const;
    QUrlQuery place() const;
    void restore(const QUrlQuery &place);
    void refresh();
    void setActive(bool active);

Q_SIGNALS:
    void changed(); // state, rows
    void currentChanged(); // another current row, or its evidence came
    void totalsChanged();
    void groupingChanged();

private:
    void take();
    void showRows();
    void chooseCurrent(const QString &wanted);
    void askEvidence();
    int rowOf(const QString &id) const { return m_rows ? m_rows->rowOf(id) : -1; }

    services::Workspace &m_workspace;
    TableModel m_table;
    LatestQuery<IdleSnapshot> m_asker;
    LatestQuery<IdleEvidence> m_evidence;
    std::shared_ptr<const IdleTable> m_rows;
    PageState m_state = PageState::Loading;
    IdleGrouping m_grouping = IdleGrouping::Owner;
    Scope m_scope;
    QString m_current;
    bool m_chosen = false; // by somebody
    bool m_showsUnknown = false;
    QString m_restored; // the row of the last place
};

} // namespace gpuledger::ui
