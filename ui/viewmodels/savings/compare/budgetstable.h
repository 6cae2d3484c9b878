// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/spend/cloudbudgets.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QCoreApplication>

#include <memory>
#include <optional>
#include <vector>

namespace gpuledger::ui {

enum class BudgetsColumn { Name, Scope, Account, Period, Limit, Spent, Share, Forecast, Billed, BilledThrough };

// Budgets of clouds beside the bill as rows, grouped by source and cloud. Immutable.
class BudgetsTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::BudgetsTable)
public:
    // `currency`: the only one, for the titles of amounts; empty: there are several, or none.
    static std::vector<TableColumn> columns(const QString &currency = {});
    static QString gapText(services::BudgetGap gap); // why the bill is not beside a budget; one sentence

    explicit BudgetsTable(std::shared_ptr<const services::BudgetsAnswer> answer);

    const QString &currency() const { return m_currency; } // as columns() takes it

    int rowCount() const override { return static_cast<int>(m_answer->rows.size()); }
    QString id(int row) const override;
    TableValue value(int row, int column) const override;
    QString text(int row, int column) const override;
    QString sourceLine(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;
    // Budgets may cover the same costs, so nothing of a group is added up.
    std::vector<TableGroup> groups() const override { return m_groups; }
    int groupOf(int row) const override { return m_groupOf[static_cast<std::size_t>(row)]; }

private:
    const services::BudgetRow &rowAt(int row) const { return m_answer->rows[static_cast<std::size_t>(row)]; }
    QString amountText(const base::Money &amount) const;
    QString told(const services::BudgetRow &row, BudgetsColumn column) const;
    QString unknown(const services::BudgetRow &row, BudgetsColumn column) const; // empty: it is known
    QString above(const services::BudgetRow &row, const std::optional<base::Money> &amount) const;

    std::shared_ptr<const services::BudgetsAnswer> m_answer;
    QString m_currency;
    std::vector<TableGroup> m_groups; // one for each source and cloud
    std::vector<int> m_groupOf; // parallel to the rows
};

} // namespace gpuledger::ui
