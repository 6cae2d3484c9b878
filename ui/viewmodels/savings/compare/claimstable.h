// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/spend/claimedsavings.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QCoreApplication>

#include <memory>
#include <vector>

namespace gpuledger::ui {

enum class ClaimsColumn { What, Scope, Days, Claimed, Before, Since, Fell, HoursBefore, HoursSince };

// Claimed savings beside the bill as rows, grouped by tool. Immutable.
class ClaimsTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::ClaimsTable)
public:
    static std::vector<TableColumn> columns();
    static QString gapText(services::ClaimGap gap); // why a claim is not compared; one sentence

    explicit ClaimsTable(std::shared_ptr<const services::ClaimsAnswer> answer);

    int rowCount() const override { return static_cast<int>(m_answer->rows.size()); }
    QString id(int row) const override;
    TableValue value(int row, int column) const override;
    QString text(int row, int column) const override;
    QString sourceLine(int row, int column) const override;
    std::vector<TableGroup> groups() const override { return m_groups; }
    int groupOf(int row) const override { return m_groupOf[static_cast<std::size_t>(row)]; }
    TableValue groupValue(int group, int column, std::span<const int> rows) const override;
    QString groupText(int group, int column, std::span<const int> rows) const override;

private:
    const services::ClaimRow &rowAt(int row) const { return m_answer->rows[static_cast<std::size_t>(row)]; }
    std::optional<base::Money> claimedBy(std::span<const int> rows) const; // empty: in several currencies
    std::optional<base::Money> amountIn(const services::ClaimRow &row, ClaimsColumn column) const;

    std::shared_ptr<const services::ClaimsAnswer> m_answer;
    std::vector<TableGroup> m_groups; // one for each tool
    std::vector<int> m_groupOf; // parallel to the rows
};

} // namespace gpuledger::ui
