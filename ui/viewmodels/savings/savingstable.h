// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/savingssnapshot.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QCoreApplication>
#include <QHash>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ui {

// The columns of the proposals, in their default order.
enum class SavingsColumn { What, Team, Kind, Now, Saves, Range, State, P10, P90, Currency, Id };

enum class SavingsGroup { Open, Accepted, Later, Dismissed, NotCounted };

// The proposals of one kind, or of all kinds, as rows in the order of the list, grouped by what was decided about them;
// what does not count comes last, with the reason. Amounts are per month of 730 hours.
class SavingsTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::SavingsTable)
public:
    // `currency`: the only one, for the titles of amounts; empty: there are several, or none.
    static std::vector<TableColumn> columns(const QString &currency = {});

    // std::nullopt: all kinds.
    SavingsTable(std::shared_ptr<const SavingsSnapshot> snapshot, std::optional<savings::Kind> kind);

    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override;
    TableValue value(int row, int column) const override;
    QString text(int row, int column) const override;
    QString sourceLine(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;
    std::vector<TableGroup> groups() const override { return m_groups; }
    int groupOf(int row) const override;
    QString groupDetail(int group, std::span<const int> rows) const override;
    TableValue groupValue(int group, int column, std::span<const int> rows) const override;
    QString groupText(int group, int column, std::span<const int> rows) const override;

    const savings::Proposal &proposal(int row) const { return *m_rows[unsignedIndex(row)]; }
    int rowOf(const QString &id) const { return m_rowOf.value(id, -1); }
    SavingsGroup state(int row) const;

private:
    struct Scale { // what the range bars of one currency span, in units; starts at or below zero
        double least = 0, most = 0;
    };
    std::optional<base::Money> amount(int row, SavingsColumn column) const; // std::nullopt: unknown, or not counted
    std::optional<base::Money> groupSum(int column, std::span<const int> rows) const; // std::nullopt: none
    QString amountText(const base::Money &amount) const;
    QString stateText(int row) const;
    QVariant share(int row, int role) const;

    std::shared_ptr<const SavingsSnapshot> m_snapshot;
    bool m_isMixed; // several currencies, or none
    std::vector<const savings::Proposal *> m_rows; // of the snapshot
    std::vector<TableGroup> m_groups;
    std::vector<SavingsGroup> m_states; // of the groups
    std::map<std::string, Scale> m_scales; // by currency
    QHash<QString, int> m_rowOf;
};

} // namespace gpuledger::ui
