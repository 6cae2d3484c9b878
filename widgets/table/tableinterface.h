// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <QStringList>

namespace gpuledger::widgets {

// The roles that a table's cells support besides Qt's own and those of widgets/delegates/roles.h. Display is the
// visible text, ToolTip its source and age (plain text), CheckState the check box of column 0; of Font only the weight
// is used.
enum TableCellRole : int {
    kRawValueRole = Qt::UserRole + 0x300, // the number in the unit of the title, a QString, or invalid: unknown
    kExportValueRole, // the value for a file: a number stays a number, times are ISO 8601, unknown is invalid
    kRowIdRole, // QString: stable across refreshes; for a group, its id
    kGroupRole, // bool: this is the heading of a group
    kGroupDetailRole, // QString, for a group: "5 workloads, 21 GPUs", shown after its title
    kGroupFoldedRole // bool, for a group: initially collapsed
};

// Horizontal headerData() roles.
enum TableHeaderRole : int {
    kColumnKeyRole = Qt::UserRole + 0x380, // QString: stable, used in saved states and never shown
    kExportTitleRole, // QString: the title above kExportValueRole
    kFigureRole, // bool: right-aligned, tabular digits, sorted descending on the first click
    kEmphasisRole, // bool: weight 600
    kHiddenAtFirstRole, // bool
    kWidthRole, // int, initial width in pixels; 0: as wide as its content
    kStretchRole, // int: share of the remaining room; 0: none
    kPriorityRole, // int; 0: always shown. The others are left out if there is too little room, the lowest first
    kLeastRole, // int, pixels below which the content is meaningless; 0: as for its kind
    kWidestRole, // int, pixels beyond which more room would only pull columns apart; 0: as for its kind
    kWholeRole, // bool: the others give way first where there is too little room
    kNoRoomIfEmptyRole // bool: left out while no visible cell of it has a text, unless the user asks for it
};

// A model that sorts, filters and groups by itself, as seen by its view. The view knows nothing about what the rows
// are. GUI thread.
class TableInterface : public QAbstractItemModel {
    Q_OBJECT
public:
    using QAbstractItemModel::QAbstractItemModel;
    ~TableInterface() override;

    // The words that every shown row contains; empty: all rows.
    virtual QString filterText() const = 0;
    virtual void setFilterText(const QString &text) = 0;
    virtual int sortColumn() const = 0; // -1: the order of the source
    virtual Qt::SortOrder sortOrder() const = 0;
    virtual bool isGrouped() const = 0;
    // The kind of the groups, for the first column of an export: "Owner".
    virtual QString groupTitle() const = 0;
    virtual int shownRows() const = 0; // without group headings
    virtual int totalRows() const = 0; // before the filter
    // The row with that id; invalid if it is not shown.
    virtual QModelIndex indexOf(const QString &rowId, int column = 0) const = 0;
    // Whether any row can be checked: the names of all rows then leave room for a check box.
    virtual bool hasTicks() const = 0;
    // A click on a title sorts. False: the order of the rows has a meaning of its own.
    virtual bool canSort() const { return true; }
    // The total below the rows: display text and what the column's delegate needs.
    virtual bool hasTotal() const { return false; }
    virtual QVariant total(int /*column*/, int /*role*/) const { return {}; }
    // Checks or unchecks those of the rows that are checkable, as a single change.
    virtual void setChecked(const QStringList &ids, bool checked) = 0;

Q_SIGNALS:
    void sortChanged();
    void filterChanged();
};

} // namespace gpuledger::widgets
