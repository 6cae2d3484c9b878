// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/services/commitments/cloudcommitments.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QCoreApplication>

#include <memory>
#include <optional>
#include <vector>

namespace gpuledger::ui {

enum class CommitmentsColumn { Name, Machine, Terms, Account, Region, PerHour, Ends, Used, Billed, Unused, Days };

// Commitments at clouds beside the bill as rows, grouped by source and cloud. Immutable.
class CommitmentsTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::CommitmentsTable)
public:
    // `currency`: the only one, for the titles of amounts; empty: there are several, or none.
    static std::vector<TableColumn> columns(const QString &currency = {});
    // "11/1/26 – 11/30/26", both included, or one day.
    static QString daysText(base::Day first, base::Day last);
    // "87.5 %"; never rounded to nothing or to all of it.
    static QString shareText(double share);

    // Ends of commitments are shown as days of the zone.
    CommitmentsTable(std::shared_ptr<const services::CommitmentsAnswer> answer, base::TimeZone zone);

    const QString &currency() const { return m_currency; } // as columns() takes it

    int rowCount() const override { return static_cast<int>(m_answer->rows.size()); }
    QString id(int row) const override { return m_ids[static_cast<std::size_t>(row)]; }
    TableValue value(int row, int column) const override;
    QString text(int row, int column) const override;
    QString sourceLine(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;
    // What a commitment has unused may be in days of its own, so nothing of a group is added up.
    std::vector<TableGroup> groups() const override { return m_groups; }
    int groupOf(int row) const override { return m_groupOf[static_cast<std::size_t>(row)]; }

private:
    enum class Ending { Later, Soon, Past };
    struct Days {
        base::Day first, last;
        bool isCloud; // those of the cloud's figures; else those of the bill
    };
    const services::CommitmentRow &rowAt(int row) const { return m_answer->rows[static_cast<std::size_t>(row)]; }
    void addGroups();
    void addIds();
    int daysLeft(base::UtcTime end) const; // in the calendar of the zone
    Ending ending(base::UtcTime end) const;
    QString leftText(base::UtcTime end) const; // "in 12 days"
    QString amountText(const base::Money &amount, int decimals) const;
    QString unknown(const services::CommitmentRow &row, CommitmentsColumn column) const; // empty: it is known
    QString noBill(const services::CommitmentRow &row) const;
    QString told(const services::CommitmentRow &row, CommitmentsColumn column) const;
    QString endLine(const services::CommitmentRow &row) const;
    static std::optional<Days> daysOf(const services::CommitmentRow &row);

    std::shared_ptr<const services::CommitmentsAnswer> m_answer;
    base::TimeZone m_zone;
    QString m_currency;
    std::vector<TableGroup> m_groups; // one for each source and cloud
    std::vector<int> m_groupOf; // parallel to the rows
    std::vector<QString> m_ids; // parallel to the rows
};

} // namespace gpuledger::ui
