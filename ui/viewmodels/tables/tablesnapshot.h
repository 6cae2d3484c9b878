// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariant>

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

namespace gpuledger::ui {

// Qt counts rows and columns by int, the standard library by size_t; never of a negative index.
inline std::size_t unsignedIndex(int index)
{
    return static_cast<std::size_t>(index);
}

// A cell's own value: unknown, a number in the unit of the column's title, or text. Empty text and NaN are unknown.
using TableValue = std::variant<std::monostate, qint64, double, QString>;

enum class TableValueType {
    Text,
    Number, // qint64 or double
    Rank, // a number that only orders; people and files read the text: high, medium, low
    Duration, // seconds
    Time // seconds since 1970, UTC
};

struct TableColumn {
    QString key; // stable: part of saved layouts
    QString title; // with the unit: "Per month, USD"
    TableValueType type = TableValueType::Text;
    QString tip = {}; // what the column means, on hover of its title
    bool isFigure = false; // right-aligned, tabular digits, sorted downwards first
    bool isEmphasized = false; // the column that names the row
    bool isSearched = false; // by the filter line
    bool isVisible = true; // until people choose
    int width = 0; // pixels until people choose; 0: as wide as its content
    int stretch = 0; // share of the room that is left
};

struct TableGroup {
    QString id; // stable
    QString title;
    bool isFolded = false; // at first
    bool isLast = false; // below the others, however they are sorted
};

// The rows of a table at one moment; `column` counts as in the model's columns. Immutable once it is given to a model,
// shared with it; all functions are pure.
class TableSnapshot {
public:
    virtual ~TableSnapshot() = default;

    virtual int rowCount() const = 0;
    // Unique and stable over refreshes. Ties of a sort are broken by it (quickest when rows come in its order).
    virtual QString id(int row) const = 0;
    virtual TableValue value(int row, int column) const = 0;
    // As people read it; unknown is a dash.
    virtual QString text(int row, int column) const = 0;
    // Where the figure is from and how old it is.
    virtual QString sourceLine(int /*row*/, int /*column*/) const { return {}; }
    virtual bool isCheckable(int /*row*/) const { return false; }
    // Anything else that a delegate asks for: bar, sparkline, badge.
    virtual QVariant extra(int /*row*/, int /*column*/, int /*role*/) const { return {}; }

    // None: the table can't be grouped.
    virtual std::vector<TableGroup> groups() const { return {}; }
    virtual int groupOf(int /*row*/) const { return -1; }
    // Headings tell about the rows of the group that are shown.
    virtual QString groupDetail(int /*group*/, std::span<const int> /*rows*/) const { return {}; }
    virtual TableValue groupValue(int /*group*/, int /*column*/, std::span<const int> /*rows*/) const { return {}; }
    virtual QString groupText(int /*group*/, int /*column*/, std::span<const int> /*rows*/) const { return {}; }
};

} // namespace gpuledger::ui
