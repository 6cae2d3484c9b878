// SPDX-License-Identifier: GPL-3.0-or-later
// What TableModel answers to views: indexes and roles.
#include "ui/viewmodels/tables/tablemodel.h"

#include <QDateTime>
#include <QFont>
#include <QTimeZone>

#include <cmath>

namespace gpuledger::ui {

namespace {

QVariant variantOf(const TableValue &value)
{
    if (const auto *whole = std::get_if<qint64>(&value))
        return *whole;
    if (const auto *number = std::get_if<double>(&value))
        return std::isnan(*number) ? QVariant() : QVariant(*number);
    const auto *text = std::get_if<QString>(&value);
    return text && !text->isEmpty() ? QVariant(*text) : QVariant();
}

} // namespace

// The internal id of an index is 0 for one without a parent, otherwise 1 + the parent's group.

const std::vector<int> *TableModel::rowsBelow(const QModelIndex &parent) const
{
    if (m_nodes.empty())
        return nullptr;
    if (m_nodes.front().group < 0)
        return parent.isValid() ? nullptr : &m_nodes.front().rows;
    const Node *node = nodeAt(parent);
    return node && parent.column() == 0 ? &node->rows : nullptr;
}

const TableModel::Node *TableModel::nodeAt(const QModelIndex &index) const
{
    const bool heading = index.isValid() && index.internalId() == 0 && isGrouped();
    return heading && index.row() < static_cast<int>(m_nodes.size()) ? &m_nodes[unsignedIndex(index.row())] : nullptr;
}

QModelIndex TableModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const Node *node = nodeAt(parent);
    return createIndex(row, column, node ? static_cast<quintptr>(node->group) + 1 : quintptr{0});
}

QModelIndex TableModel::parent(const QModelIndex &child) const
{
    return child.isValid() && child.internalId() > 0 ? indexOfGroup(static_cast<int>(child.internalId()) - 1, 0)
                                                     : QModelIndex();
}

int TableModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid() && isGrouped())
        return static_cast<int>(m_nodes.size());
    const std::vector<int> *rows = rowsBelow(parent);
    return rows ? static_cast<int>(rows->size()) : 0;
}

int TableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() && !nodeAt(parent) ? 0 : static_cast<int>(m_columns.size());
}

int TableModel::sourceRow(const QModelIndex &index) const
{
    if (!index.isValid() || index.model() != this || nodeAt(index))
        return -1;
    const std::vector<int> *rows = rowsBelow(index.parent());
    return rows && index.row() < static_cast<int>(rows->size()) ? (*rows)[unsignedIndex(index.row())] : -1;
}

std::vector<int> TableModel::rowsBehind(const QModelIndex &index) const
{
    if (const Node *node = nodeAt(index))
        return node->rows;
    const int row = sourceRow(index);
    return row < 0 ? std::vector<int>{} : std::vector<int>{row};
}

QModelIndex TableModel::indexOfGroup(int group, int column) const
{
    const bool shown =
        group >= 0 && group < static_cast<int>(m_groupPlaces.size()) && m_groupPlaces[unsignedIndex(group)] >= 0;
    return shown ? createIndex(m_groupPlaces[unsignedIndex(group)], column, quintptr{0}) : QModelIndex();
}

QModelIndex TableModel::indexOfRow(int row, int column) const
{
    if (row < 0 || row >= static_cast<int>(m_places.size()) || m_places[unsignedIndex(row)] < 0)
        return {};
    const quintptr parent = isGrouped() ? static_cast<quintptr>(m_content.groupOfRow[unsignedIndex(row)]) + 1 : 0;
    return createIndex(m_places[unsignedIndex(row)], column, parent);
}

int TableModel::rowOfId(const QString &id) const
{
    if (m_rowOfId.isEmpty()) {
        m_rowOfId.reserve(totalRows());
        for (int row = 0; row < totalRows(); ++row)
            m_rowOfId.insert(m_content.snapshot->id(row), row);
    }
    return m_rowOfId.value(id, -1);
}

QModelIndex TableModel::indexOf(const QString &rowId, int column) const
{
    return column >= 0 && column < columnCount() ? indexOfRow(rowOfId(rowId), column) : QModelIndex();
}

Qt::ItemFlags TableModel::flags(const QModelIndex &index) const
{
    if (nodeAt(index))
        return Qt::ItemIsEnabled; // not selectable, so that copies and totals contain rows only
    const int row = sourceRow(index);
    if (row < 0)
        return Qt::NoItemFlags;
    const bool ticks = index.column() == 0 && m_content.snapshot->isCheckable(row);
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
        | (ticks ? Qt::ItemIsUserCheckable : Qt::NoItemFlags);
}

QVariant TableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.column() >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::AlignVCenter | (m_columns[unsignedIndex(index.column())].isFigure ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::FontRole) {
        QFont font;
        font.setWeight(QFont::DemiBold);
        return m_columns[unsignedIndex(index.column())].isEmphasized || nodeAt(index) ? QVariant(font) : QVariant();
    }
    if (const Node *node = nodeAt(index))
        return groupData(*node, index.column(), role);
    const int row = sourceRow(index);
    return row < 0 ? QVariant() : rowData(row, index.column(), role);
}

QVariant TableModel::rowData(int row, int column, int role) const
{
    const TableSnapshot &rows = *m_content.snapshot;
    switch (role) {
    case Qt::DisplayRole:
        return rows.text(row, column);
    case Qt::AccessibleTextRole: { // painted content needs a text of its own
        const QVariant words = rows.extra(row, column, role);
        return words.isValid() ? words : rows.text(row, column);
    }
    case Qt::CheckStateRole:
        if (column != 0 || !rows.isCheckable(row))
            return {};
        return static_cast<int>(m_checked.contains(rows.id(row)) ? Qt::Checked : Qt::Unchecked);
    case Qt::AccessibleDescriptionRole:
    case Qt::ToolTipRole:
        return rows.sourceLine(row, column);
    case widgets::kRawValueRole:
        return variantOf(rows.value(row, column));
    case widgets::kExportValueRole:
        return exportValue(row, column);
    case widgets::kRowIdRole:
        return rows.id(row);
    case widgets::kGroupRole:
        return false;
    default:
        return rows.extra(row, column, role);
    }
}

QVariant TableModel::exportValue(int row, int column) const
{
    const QVariant value = variantOf(m_content.snapshot->value(row, column));
    switch (m_columns[unsignedIndex(column)].type) {
    case TableValueType::Number:
    case TableValueType::Duration:
        return value;
    case TableValueType::Time:
        if (!value.isValid())
            return {};
        return QDateTime::fromSecsSinceEpoch(static_cast<qint64>(std::floor(value.toDouble())), QTimeZone::utc())
            .toString(Qt::ISODate);
    case TableValueType::Text:
    case TableValueType::Rank:
        return value.isValid() ? QVariant(m_content.snapshot->text(row, column)) : QVariant();
    }
    return {};
}

QString TableModel::groupText(const Node &node, int column) const
{
    if (node.group >= static_cast<int>(m_content.snapshot->groups().size()))
        return {}; // the rows without a group
    const quint64 key = static_cast<quint64>(node.group) << 16 | static_cast<quint16>(column);
    auto text = m_groupTexts.constFind(key);
    if (text == m_groupTexts.constEnd())
        text = m_groupTexts.insert(key,
                                   column < 0 ? m_content.snapshot->groupDetail(node.group, node.rows)
                                              : m_content.snapshot->groupText(node.group, column, node.rows));
    return *text;
}

QVariant TableModel::groupData(const Node &node, int column, int role) const
{
    const TableGroup &group = m_content.groups[unsignedIndex(node.group)];
    switch (role) {
    case Qt::DisplayRole:
        return column == 0 ? group.title : groupText(node, column);
    case Qt::AccessibleTextRole:
        if (column != 0)
            return groupText(node, column);
        return groupText(node, -1).isEmpty()
            ? group.title
            : tr("%1, %2", "a group: what is in it").arg(group.title, groupText(node, -1));
    case widgets::kRawValueRole:
        return variantOf(m_content.snapshot->groupValue(node.group, column, node.rows));
    case widgets::kRowIdRole:
        return group.id;
    case widgets::kGroupRole:
        return true;
    case widgets::kGroupDetailRole:
        return groupText(node, -1);
    case widgets::kGroupFoldedRole:
        return group.isFolded;
    default:
        return {};
    }
}

QVariant TableModel::total(int column, int role) const
{
    if (!hasTotal() || column < 0 || column >= columnCount())
        return {};
    return role == Qt::DisplayRole ? QVariant(m_content.snapshot->totalText(column))
                                   : m_content.snapshot->totalExtra(column, role);
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const TableColumn &column = m_columns[unsignedIndex(section)];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return column.title;
    case Qt::ToolTipRole:
        return column.tip;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (column.isFigure ? Qt::AlignRight : Qt::AlignLeft));
    case widgets::kColumnKeyRole:
        return column.key;
    case widgets::kExportTitleRole:
        return column.type == TableValueType::Duration ? tr("%1, s", "title of a column in seconds").arg(column.title)
            : column.type == TableValueType::Time      ? tr("%1, UTC", "title of a column of times").arg(column.title)
                                                       : column.title;
    case widgets::kFigureRole:
        return column.isFigure;
    case widgets::kEmphasisRole:
        return column.isEmphasized;
    case widgets::kHiddenAtFirstRole:
        return !column.isVisible;
    case widgets::kWidthRole:
        return column.width;
    case widgets::kStretchRole:
        return column.stretch;
    case widgets::kPriorityRole:
        return column.priority;
    case widgets::kLeastRole:
        return column.least;
    case widgets::kWidestRole:
        return column.widest;
    case widgets::kWholeRole:
        return column.isWhole;
    case widgets::kNoRoomIfEmptyRole:
        return column.hasNoRoomIfEmpty;
    default:
        return {};
    }
}

} // namespace gpuledger::ui
