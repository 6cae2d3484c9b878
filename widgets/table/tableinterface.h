// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <QStringList>

namespace gpuledger::widgets {

// What a table's cells answer besides Qt's own roles and those of widgets/delegates/roles.h. Display is what people
// read, ToolTip where it is from and how old (plain text), CheckState the tick of column 0, Font only its weight.
enum TableCellRole : int {
    kRawValueRole = Qt::UserRole + 0x300, // the number in the unit of the title, a QString, or invalid: unknown
    kExportValueRole, // what a file gets: a number stays one, times are ISO 8601, unknown is invalid
    kRowIdRole, // QString: stable over refreshes; of a group: the group's id
    kGroupRole, // bool: this is the heading of a group
    kGroupDetailRole, // QString, of a group: "5 workloads, 21 GPUs", said after its title
    kGroupFoldedRole // bool, of a group: closed when it appears for the first time
};

// What headerData() answers, horizontally.
enum TableHeaderRole : int {
    kColumnKeyRole = Qt::UserRole + 0x380, // QString: stable, in saved states and never shown
    kExportTitleRole, // QString: the title above kExportValueRole
    kFigureRole, // bool: right-aligned, tabular digits, sorts downwards at the first click
    kEmphasisRole, // bool: weight 600
    kHiddenAtFirstRole, // bool
    kWidthRole, // int, pixels at first; 0: as wide as its content
    kStretchRole // int: share of the room that is left; 0: none
};

// A table that sorts, filters and groups by itself, seen from its view. The view never knows what the rows are.
// GUI thread.
class TableInterface : public QAbstractItemModel {
    Q_OBJECT
public:
    using QAbstractItemModel::QAbstractItemModel;
    ~TableInterface() override;

    // The words that every shown row has; empty: all rows.
    virtual QString filterText() const = 0;
    virtual void setFilterText(const QString &text) = 0;
    virtual int sortColumn() const = 0; // -1: the order of the source
    virtual Qt::SortOrder sortOrder() const = 0;
    virtual bool isGrouped() const = 0;
    // What the groups are, for the column that an export puts first: "Owner".
    virtual QString groupTitle() const = 0;
    virtual int shownRows() const = 0; // without group headings
    virtual int totalRows() const = 0; // before the filter
    // The row with that id, invalid when it is not shown.
    virtual QModelIndex indexOf(const QString &rowId, int column = 0) const = 0;
    // Whether any row can be ticked: the names of all rows then keep room for it.
    virtual bool hasTicks() const = 0;
    // Ticks or unticks rows, those that can be; one change.
    virtual void setChecked(const QStringList &ids, bool checked) = 0;

Q_SIGNALS:
    void sortChanged();
    void filterChanged();
};

} // namespace gpuledger::widgets
