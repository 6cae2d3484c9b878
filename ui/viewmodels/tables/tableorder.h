// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/tables/tablesnapshot.h"

#include <QCollator>
#include <QLocale>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace gpuledger::ui {

// Sorts and filters the rows of one snapshot through an index vector. Keys are computed once per column and cached.
// Owned by a model; one thread.
class TableOrder {
public:
    TableOrder() = default;
    TableOrder(std::shared_ptr<const TableSnapshot> snapshot, std::vector<TableColumn> columns, const QLocale &locale);

    // Rows whose searched columns contain every word of `text`, ignoring case and accents; in snapshot order.
    std::vector<int> filtered(const QString &text);
    // By the column's raw value, text in the locale's collation; unknown values last in both directions; ties by
    // ascending id.
    void sort(std::vector<int> &rows, int column, Qt::SortOrder order);

    // For groups: negative, 0 or positive; unknown values last in both directions.
    int compare(const TableValue &a, const TableValue &b, Qt::SortOrder order) const;

    // Case and accents folded, as for the filter.
    static QString folded(const QString &text);

private:
    struct Keys {
        std::vector<quint64> keys; // compare like the values
        std::vector<quint8> known; // 0 or 1
    };

    const Keys &keysOf(int column);
    Keys numberKeys(int column) const;
    Keys textKeys(int column) const;
    void rankIds();
    void makeHaystack();

    std::shared_ptr<const TableSnapshot> m_snapshot;
    std::vector<TableColumn> m_columns;
    QCollator m_collator;
    std::vector<std::optional<Keys>> m_keys; // by column
    bool m_idsRanked = false;
    std::vector<int> m_rowsById; // rows sorted by id; empty: they already are
    QString m_haystack; // the searched texts of all rows, folded
    std::vector<qsizetype> m_starts; // start of each row in it, and its end
};

} // namespace gpuledger::ui
