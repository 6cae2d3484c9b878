// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/spend/plannedmachines.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QCoreApplication>

#include <memory>
#include <vector>

namespace gpuledger::ui {

enum class PlannedColumn {
    Resource,
    Machine,
    Gpus,
    Terms,
    Machines,
    Planned,
    Before,
    PaidPerHour,
    AtPaidPrice,
    Running
};

// Planned machines with GPUs as rows, grouped by plan. Immutable.
class PlannedTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::PlannedTable)
public:
    static std::vector<TableColumn> columns();

    explicit PlannedTable(std::shared_ptr<const services::PlannedAnswer> answer);

    int rowCount() const override { return static_cast<int>(m_answer->rows.size()); }
    QString id(int row) const override;
    TableValue value(int row, int column) const override;
    QString text(int row, int column) const override;
    QString sourceLine(int row, int column) const override;
    std::vector<TableGroup> groups() const override { return m_groups; }
    int groupOf(int row) const override { return static_cast<int>(rowAt(row).plan); }
    TableValue groupValue(int group, int column, std::span<const int> rows) const override;
    QString groupText(int group, int column, std::span<const int> rows) const override;

private:
    const services::PlannedRow &rowAt(int row) const { return m_answer->rows[static_cast<std::size_t>(row)]; }
    std::optional<base::Money> sumOf(int group, int column) const;

    std::shared_ptr<const services::PlannedAnswer> m_answer;
    std::vector<TableGroup> m_groups; // one for each plan
};

} // namespace gpuledger::ui
