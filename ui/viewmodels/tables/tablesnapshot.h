// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariant>

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

namespace gpuledger::ui {

// Qt counts rows and columns in int, the standard library in size_t; the index must not be negative.
inline std::size_t unsignedIndex(int index)
{
    return static_cast<std::size_t>(index);
}

// The raw value of a cell: unknown, a number in the unit of the column's title, or text. Empty text and NaN are
// unknown.
using TableValue = std::variant<std::monostate, qint64, double, QString>;

// How the values of a column are compared and exported.
enum class TableValueType {
    Text,
    Number, // qint64 or double
    Rank, // a number used only for sorting; users and files get the text: high, medium, low
    Duration, // seconds
    Time // seconds since 1970, UTC
};

// The description of one column of a table.
struct TableColumn {
    QString key; // stable: stored in saved layouts
    QString title; // with the unit: "Per month, USD"
    TableValueType type = TableValueType::Text;
    QString tip = {}; // the meaning of the column, shown when hovering over its title
    bool isFigure = false; // right-aligned, tabular digits, sorted descending first
    bool isEmphasized = false; // the column that names the row
    bool isSearched = false; // by the filter
    bool isWhole = false; // the others give way first where there is too little room
    bool isVisible = true; // until the user chooses
    bool hasNoRoomIfEmpty = false; // left out while no visible cell of it has a text
    int width = 0; // pixels, until the user chooses; 0: as wide as its content
    int stretch = 0; // share of the remaining room
    int priority = 0; // 0: always shown; the others are left out if there is too little room, the lowest first
    int least = 0; // pixels below which its content is meaningless; 0: as for its kind
    int widest = 0; // pixels beyond which it gets no more room; 0: as for its kind
};

// A group of rows under one heading.
struct TableGroup {
    QString id; // stable
    QString title;
    bool isFolded = false; // initially
    bool isLast = false; // below the others in every sort order
};

// The rows of a table at one point in time; `column` is an index into the model's columns. Immutable once passed to a
// model, which shares it; all functions are pure.
class TableSnapshot {
public:
    virtual ~TableSnapshot() = default;

    virtual int rowCount() const = 0;
    // Unique and stable across refreshes. Breaks ties when sorting (fastest if rows are already in its order).
    virtual QString id(int row) const = 0;
    virtual TableValue value(int row, int column) const = 0;
    // The displayed text; unknown is a dash.
    virtual QString text(int row, int column) const = 0;
    // The source of the figure and its age.
    virtual QString sourceLine(int /*row*/, int /*column*/) const { return {}; }
    virtual bool isCheckable(int /*row*/) const { return false; }
    // Anything else that a delegate needs: bar, sparkline, badge.
    virtual QVariant extra(int /*row*/, int /*column*/, int /*role*/) const { return {}; }

    // A total of all rows, shown below them; it is not sorted, filtered or exported.
    virtual bool hasTotal() const { return false; }
    virtual QString totalText(int /*column*/) const { return {}; }
    virtual QVariant totalExtra(int /*column*/, int /*role*/) const { return {}; }

    // Empty: the table cannot be grouped.
    virtual std::vector<TableGroup> groups() const { return {}; }
    virtual int groupOf(int /*row*/) const { return -1; }
    // For a heading, computed from the shown rows of the group.
    virtual QString groupDetail(int /*group*/, std::span<const int> /*rows*/) const { return {}; }
    virtual TableValue groupValue(int /*group*/, int /*column*/, std::span<const int> /*rows*/) const { return {}; }
    virtual QString groupText(int /*group*/, int /*column*/, std::span<const int> /*rows*/) const { return {}; }
};

} // namespace gpuledger::ui
