// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/tables/tableorder.h"
#include "ui/viewmodels/tables/tablesnapshot.h"
#include "widgets/table/tableinterface.h"

#include <QHash>
#include <QSet>

#include <functional>
#include <memory>
#include <vector>

namespace gpuledger::ui {

// The model of every table: maps one snapshot, sorted and filtered through an index vector, flat or under group
// headings, with check marks that survive new data. A page sets the columns once and a new snapshot whenever the data
// change:
// - with the same rows in the same order: dataChanged only; otherwise one layoutChanged and dataChanged, so that the
//   current row, the selection and expanded groups keep their ids; with other columns: a reset.
// Owned by its view model; GUI thread.
class TableModel : public widgets::TableInterface {
    Q_OBJECT
public:
    explicit TableModel(std::vector<TableColumn> columns, QObject *parent = nullptr);

    // Titles may change (currency, language); other keys are other columns and reset the model.
    void setColumns(std::vector<TableColumn> columns);
    const std::vector<TableColumn> &columns() const { return m_columns; }
    int columnOf(const QString &key) const; // -1: no such column
    void setLocale(const QLocale &locale); // for collation
    // Null: no rows.
    void setSnapshot(std::shared_ptr<const TableSnapshot> snapshot);
    const std::shared_ptr<const TableSnapshot> &snapshot() const { return m_content.snapshot; }

    void setGrouped(bool grouped);
    // For rows whose order has a meaning of its own.
    void setSortable(bool sortable) { m_isSortable = sortable; }
    void setGroupTitle(const QString &title) { m_groupTitle = title; }
    // -1: the order of the snapshot.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    // Checked rows in snapshot order, including those hidden by the filter. A check mark is removed if its row is gone
    // or is no longer checkable.
    std::vector<int> checkedRows() const;
    QStringList checkedIds() const;
    // Rows that are not checkable stay unchecked.
    void setChecked(const QStringList &ids, bool checked) override;
    void clearChecked();

    // The row of the snapshot; -1 for a group heading.
    int sourceRow(const QModelIndex &index) const;
    // The shown rows under a heading, in their order; for a row, the row itself.
    std::vector<int> rowsBehind(const QModelIndex &index) const;

    QString filterText() const override { return m_filter; }
    void setFilterText(const QString &text) override;
    int sortColumn() const override { return m_sortColumn; }
    Qt::SortOrder sortOrder() const override { return m_sortOrder; }
    bool isGrouped() const override { return m_hasHeadings; }
    QString groupTitle() const override { return m_groupTitle; }
    int shownRows() const override { return m_shownRows; }
    int totalRows() const override { return m_content.snapshot ? m_content.snapshot->rowCount() : 0; }
    bool hasTicks() const override { return m_content.hasTicks; }
    bool canSort() const override { return m_isSortable; }
    bool hasTotal() const override { return m_content.snapshot && m_content.snapshot->hasTotal(); }
    QVariant total(int column, int role) const override;
    QModelIndex indexOf(const QString &rowId, int column = 0) const override;

    QModelIndex index(int row, int column, const QModelIndex &parent = QModelIndex()) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = QModelIndex()) const override;
    int columnCount(const QModelIndex &parent = QModelIndex()) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    // Emitted once for every change of the set, whatever caused it.
    void checkedChanged();

private:
    // A snapshot with the data derived from it.
    struct Content {
        std::shared_ptr<const TableSnapshot> snapshot;
        TableOrder order;
        std::vector<TableGroup> groups; // one more than the snapshot's if a row has none
        std::vector<int> groupOfRow;
        bool hasTicks = false;
    };
    struct Node {
        int group = -1;
        std::vector<int> rows; // shown, in order
        bool operator==(const Node &) const = default;
    };
    using Shape = std::vector<Node>; // flat: one node without a heading
    struct Kept { // a persistent index and the row or group it refers to
        QModelIndex from;
        int group = -1;
        int row = -1;
    };
    using Translate = std::function<int(int)>;

    Content contentOf(std::shared_ptr<const TableSnapshot> snapshot) const;
    Shape shapeOf(Content &content) const;
    void sortGroups(Shape &nodes, const Content &content) const;
    bool looksTheSame(const Shape &nodes, const Content &content) const;
    void adopt(Shape nodes);
    bool relayout(); // false: nothing moved
    std::vector<Kept> keep() const;
    void restore(const std::vector<Kept> &kept, const Translate &group, const Translate &row);
    bool pruneChecked();
    void announceAll(const QList<int> &roles = {});
    const std::vector<int> *rowsBelow(const QModelIndex &parent) const;
    const Node *nodeAt(const QModelIndex &index) const;
    QVariant rowData(int row, int column, int role) const;
    QVariant exportValue(int row, int column) const;
    QVariant groupData(const Node &node, int column, int role) const;
    QString groupText(const Node &node, int column) const; // -1: the detail
    QModelIndex indexOfRow(int row, int column) const;
    QModelIndex indexOfGroup(int group, int column) const;
    int rowOfId(const QString &id) const;

    std::vector<TableColumn> m_columns;
    QLocale m_locale;
    Content m_content;
    QString m_groupTitle;
    QString m_filter;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    bool m_isSortable = true;
    bool m_grouped = false; // as requested
    bool m_hasHeadings = false; // as shown
    Shape m_nodes;
    int m_shownRows = 0;
    std::vector<int> m_places; // of each snapshot row under its heading; -1: not shown
    std::vector<int> m_groupPlaces; // of each group; -1: not shown
    mutable QHash<QString, int> m_rowOfId; // created on first use
    mutable QHash<quint64, QString> m_groupTexts; // sums are computed once
    QSet<QString> m_checked;
};

} // namespace gpuledger::ui
