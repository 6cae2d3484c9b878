// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/idle/idlesnapshot.h"
#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QCoreApplication>
#include <QHash>

#include <memory>
#include <vector>

namespace gpuledger::ui {

enum class IdleGrouping { Owner, Flat };

// The columns of the idle list, in their default order.
enum class IdleColumn {
    What,
    Gpus,
    Note,
    IdleFor,
    Rate,
    Wasted,
    PerMonth,
    Avoidable,
    Confidence,
    Owner,
    Cluster,
    NameSpace,
    Node,
    Model,
    Since,
    Observed,
    Sunk
};

// The list as rows: the idle ones in list order, then the partly idle, the unknown and the blocked ones. Stopped,
// snoozed, partly idle, unknown and blocked items are collapsed groups of their own after the others, in either
// grouping.
class IdleTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::IdleTable)
public:
    static std::vector<TableColumn> columns(base::Currency currency);

    IdleTable(std::shared_ptr<const IdleSnapshot> snapshot, IdleGrouping grouping);

    int rowCount() const override;
    QString id(int row) const override;
    TableValue value(int row, int column) const override;
    QString text(int row, int column) const override;
    QString sourceLine(int row, int column) const override;
    bool isCheckable(int row) const override { return idle(row) && !isStopped(row); }
    QVariant extra(int row, int column, int role) const override;
    std::vector<TableGroup> groups() const override { return m_groups; }
    int groupOf(int row) const override;
    QString groupDetail(int group, std::span<const int> rows) const override;
    TableValue groupValue(int group, int column, std::span<const int> rows) const override;
    QString groupText(int group, int column, std::span<const int> rows) const override;

    const insight::IdleItem *idle(int row) const; // null: anything else
    const insight::IdleItem *partly(int row) const; // null: anything else
    const insight::UnknownItem *unknown(int row) const; // null: anything else
    const insight::BlockedItem *blocked(int row) const; // null: anything else
    int rowOf(const QString &id) const { return m_rowOf.value(id, -1); }
    static QString partlyGroup();
    static QString unknownGroup(); // id of the group; never an owner's name
    static QString blockedGroup();
    static QString snoozedGroup();
    static QString stoppedGroup();
    bool isStopped(int row) const; // already; it costs nothing any more

private:
    TableValue idleValue(const insight::IdleItem &item, IdleColumn column) const;
    QString idleText(const insight::IdleItem &item, IdleColumn column) const;
    QString noteOf(const insight::IdleItem &item) const;
    QString noteTip(const insight::IdleItem &item) const;
    const insight::IdleItem *priced(int row) const; // idle or partly; null: unknown
    TableValue partlyValue(const insight::IdleItem &item, IdleColumn column) const;
    QString partlyText(const insight::IdleItem &item, IdleColumn column) const;
    QString partlyDetail(std::span<const int> rows) const;
    TableValue unknownValue(const insight::UnknownItem &item, IdleColumn column) const;
    QString unknownText(const insight::UnknownItem &item, IdleColumn column) const;
    static TableValue blockedValue(const insight::BlockedItem &item, IdleColumn column);
    static QString blockedText(const insight::BlockedItem &item, IdleColumn column);
    QString blockedDetail(const std::vector<const insight::BlockedItem *> &items) const;

    std::shared_ptr<const IdleSnapshot> m_snapshot;
    std::vector<TableGroup> m_groups;
    std::vector<int> m_groupOf; // of the idle items
    int m_partlyGroup = -1, m_unknownGroup = -1, m_blockedGroup = -1;
    QHash<QString, int> m_rowOf;
};

} // namespace gpuledger::ui
