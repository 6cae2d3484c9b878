// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/queue/waiting.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QCoreApplication>

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::ui {

// The jobs waiting for GPUs, with the additional information on the page. Immutable.
struct WaitingSnapshot {
    insight::WaitingList list;
    base::TimeZone zone;
    base::Currency currency;
};

enum class WaitingColumn { What, Gpus, Waits, PerMonth, Lost, Owner, Node, Servers, Kind, Cluster, NameSpace, Since };

// The waiting jobs as rows, oldest first, grouped by what keeps them waiting. The cost of a group counts each idle GPU
// once; while the filter hides some of its rows it has none.
class WaitingTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::WaitingTable)
public:
    static std::vector<TableColumn> columns(base::Currency currency);

    explicit WaitingTable(std::shared_ptr<const WaitingSnapshot> snapshot);

    int rowCount() const override { return static_cast<int>(m_snapshot->list.items.size()); }
    QString id(int row) const override;
    TableValue value(int row, int column) const override;
    QString text(int row, int column) const override;
    QString sourceLine(int row, int column) const override;
    std::vector<TableGroup> groups() const override { return m_groups; }
    int groupOf(int row) const override;
    QString groupDetail(int group, std::span<const int> rows) const override;
    TableValue groupValue(int group, int column, std::span<const int> rows) const override;
    QString groupText(int group, int column, std::span<const int> rows) const override;

    const insight::WaitingItem &item(int row) const { return m_snapshot->list.items[static_cast<std::size_t>(row)]; }

private:
    base::Seconds waited(const insight::WaitingItem &one) const; // for an item with a known start of waiting

    std::shared_ptr<const WaitingSnapshot> m_snapshot;
    std::vector<TableGroup> m_groups;
    std::vector<insight::Blocker> m_blockers; // one per group
};

} // namespace gpuledger::ui
