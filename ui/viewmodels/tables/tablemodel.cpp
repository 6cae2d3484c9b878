// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/tables/tablemodel.h"

#include <algorithm>

namespace gpuledger::ui {

namespace {

} // namespace

TableModel::TableModel(std::vector<TableColumn> columns, QObject *parent)
    : widgets::TableInterface(parent)
    , m_columns(std::move(columns))
{
    m_content = contentOf(nullptr);
    adopt({});
}

void TableModel::setColumns(std::vector<TableColumn> columns)
{
    const bool same = std::equal(columns.begin(), columns.end(), m_columns.begin(), m_columns.end(),
                                 [](const TableColumn &a, const TableColumn &b) {
                                     return a.key == b.key && a.type == b.type && a.isSearched == b.isSearched;
                                 });
    if (same) {
        m_columns = std::move(columns);
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
        return;
    }
    beginResetModel();
    const QString sorted = m_sortColumn >= 0 ? m_columns[unsignedIndex(m_sortColumn)].key : QString();
    m_columns = std::move(columns);
    m_sortColumn = columnOf(sorted);
    m_content = contentOf(m_content.snapshot);
    adopt(shapeOf(m_content));
    endResetModel();
    Q_EMIT sortChanged();
}

int TableModel::columnOf(const QString &key) const
{
    const auto found =
        std::find_if(m_columns.begin(), m_columns.end(), [&](const TableColumn &c) { return c.key == key; });
    return found == m_columns.end() ? -1 : static_cast<int>(found - m_columns.begin());
}

void TableModel::setLocale(const QLocale &locale)
{
    if (locale == m_locale)
        return;
    m_locale = locale;
    m_content = contentOf(m_content.snapshot);
    relayout();
}

TableModel::Content TableModel::contentOf(std::shared_ptr<const TableSnapshot> snapshot) const
{
    Content content{snapshot, TableOrder(snapshot, m_columns, m_locale), {}, {}, false};
    if (!snapshot)
        return content;
    for (int row = 0; row < snapshot->rowCount() && !content.hasTicks; ++row)
        content.hasTicks = snapshot->isCheckable(row);
    content.groups = snapshot->groups();
    if (content.groups.empty())
        return content;
    const int known = static_cast<int>(content.groups.size());
    bool anyWithout = false;
    for (int row = 0; row < snapshot->rowCount(); ++row) {
        const int group = snapshot->groupOf(row);
        const bool without = group < 0 || group >= known;
        anyWithout = anyWithout || without;
        content.groupOfRow.push_back(without ? known : group);
    }
    if (anyWithout)
        content.groups.push_back({QString(), tr("Other", "heading of the rows that are in no group"), false, true});
    return content;
}

TableModel::Shape TableModel::shapeOf(Content &content) const
{
    if (!content.snapshot)
        return {};
    std::vector<int> rows = content.order.filtered(m_filter);
    if (m_sortColumn >= 0)
        content.order.sort(rows, m_sortColumn, m_sortOrder);
    if (!m_grouped || content.groups.empty())
        return {Node{-1, std::move(rows)}};
    Shape nodes(content.groups.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i].group = static_cast<int>(i);
    for (const int row : rows)
        nodes[unsignedIndex(content.groupOfRow[unsignedIndex(row)])].rows.push_back(row);
    std::erase_if(nodes, [](const Node &node) { return node.rows.empty(); });
    sortGroups(nodes, content);
    return nodes;
}

void TableModel::sortGroups(Shape &nodes, const Content &content) const
{
    const int ofSnapshot = static_cast<int>(content.snapshot->groups().size());
    std::vector<TableValue> values(content.groups.size());
    for (const Node &node : nodes) {
        if (m_sortColumn >= 0 && node.group < ofSnapshot)
            values[unsignedIndex(node.group)] = content.snapshot->groupValue(node.group, m_sortColumn, node.rows);
        if (m_sortColumn == 0 && std::holds_alternative<std::monostate>(values[unsignedIndex(node.group)]))
            values[unsignedIndex(node.group)] = content.groups[unsignedIndex(node.group)].title;
    }
    std::stable_sort(nodes.begin(), nodes.end(), [&](const Node &a, const Node &b) {
        const TableGroup &left = content.groups[unsignedIndex(a.group)];
        const TableGroup &right = content.groups[unsignedIndex(b.group)];
        if (left.isLast != right.isLast)
            return right.isLast;
        if (m_sortColumn < 0)
            return a.group < b.group;
        const int order =
            content.order.compare(values[unsignedIndex(a.group)], values[unsignedIndex(b.group)], m_sortOrder);
        return order != 0 ? order < 0 : left.id < right.id;
    });
}

void TableModel::adopt(Shape nodes)
{
    m_nodes = std::move(nodes);
    m_hasHeadings = m_grouped && !m_content.groups.empty();
    m_groupTexts.clear();
    m_places.assign(unsignedIndex(totalRows()), -1);
    m_groupPlaces.assign(m_content.groups.size(), -1);
    m_shownRows = 0;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        if (m_nodes[i].group >= 0)
            m_groupPlaces[unsignedIndex(m_nodes[i].group)] = static_cast<int>(i);
        int place = 0;
        for (const int row : m_nodes[i].rows)
            m_places[unsignedIndex(row)] = place++;
        m_shownRows += place;
    }
}

bool TableModel::looksTheSame(const Shape &nodes, const Content &content) const
{
    if (nodes.size() != m_nodes.size() || !content.snapshot || !m_content.snapshot)
        return false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const int group = nodes[i].group;
        if (group != m_nodes[i].group
            || (group >= 0 && content.groups[unsignedIndex(group)].id != m_content.groups[unsignedIndex(group)].id)
            || !std::equal(nodes[i].rows.begin(), nodes[i].rows.end(), m_nodes[i].rows.begin(), m_nodes[i].rows.end(),
                           [&](int a, int b) { return content.snapshot->id(a) == m_content.snapshot->id(b); }))
            return false;
    }
    return true;
}

void TableModel::setSnapshot(std::shared_ptr<const TableSnapshot> snapshot)
{
    if (snapshot == m_content.snapshot)
        return;
    Content content = contentOf(std::move(snapshot));
    Shape nodes = shapeOf(content);
    const auto take = [&] {
        std::swap(m_content, content); // the old one is kept until indexes have been moved
        m_rowOfId.clear();
        adopt(std::move(nodes));
    };
    if (looksTheSame(nodes, content)) {
        take();
    } else {
        Q_EMIT layoutAboutToBeChanged();
        const std::vector<Kept> kept = keep();
        take();
        const auto group = [&](int old) {
            const auto found = std::find_if(m_content.groups.begin(), m_content.groups.end(), [&](const TableGroup &g) {
                return g.id == content.groups[unsignedIndex(old)].id;
            });
            return found == m_content.groups.end() ? -1 : static_cast<int>(found - m_content.groups.begin());
        };
        restore(kept, group, [&](int old) { return rowOfId(content.snapshot->id(old)); });
        Q_EMIT layoutChanged();
    }
    const bool lost = pruneChecked();
    announceAll();
    if (lost)
        Q_EMIT checkedChanged();
}

bool TableModel::relayout()
{
    Shape nodes = shapeOf(m_content);
    if (nodes == m_nodes)
        return false;
    Q_EMIT layoutAboutToBeChanged();
    const std::vector<Kept> kept = keep();
    adopt(std::move(nodes));
    const auto same = [](int old) { return old; };
    restore(kept, same, same);
    Q_EMIT layoutChanged();
    return true;
}

std::vector<TableModel::Kept> TableModel::keep() const
{
    std::vector<Kept> kept;
    const QModelIndexList indexes = persistentIndexList();
    kept.reserve(static_cast<std::size_t>(indexes.size()));
    for (const QModelIndex &index : indexes) {
        const Node *node = nodeAt(index);
        kept.push_back({index, node ? node->group : -1, sourceRow(index)});
    }
    return kept;
}

void TableModel::restore(const std::vector<Kept> &kept, const Translate &group, const Translate &row)
{
    QModelIndexList from;
    QModelIndexList to;
    for (const Kept &one : kept) {
        from.push_back(one.from);
        if (one.group >= 0)
            to.push_back(indexOfGroup(group(one.group), one.from.column()));
        else
            to.push_back(one.row >= 0 ? indexOfRow(row(one.row), one.from.column()) : QModelIndex());
    }
    changePersistentIndexList(from, to);
}

void TableModel::announceAll(const QList<int> &roles)
{
    if (const int top = rowCount(); top > 0)
        Q_EMIT dataChanged(index(0, 0), index(top - 1, columnCount() - 1), roles);
    if (!isGrouped())
        return;
    for (int i = 0; i < rowCount(); ++i) {
        const QModelIndex heading = index(i, 0);
        Q_EMIT dataChanged(index(0, 0, heading), index(rowCount(heading) - 1, columnCount() - 1, heading), roles);
    }
}

void TableModel::setGrouped(bool grouped)
{
    if (grouped == m_grouped)
        return;
    m_grouped = grouped;
    relayout();
}

void TableModel::sort(int column, Qt::SortOrder order)
{
    if (column >= columnCount() || (column >= 0 && !m_isSortable) || (column == m_sortColumn && order == m_sortOrder))
        return;
    m_sortColumn = std::max(column, -1);
    m_sortOrder = order;
    relayout();
    Q_EMIT sortChanged();
}

void TableModel::setFilterText(const QString &text)
{
    if (text == m_filter)
        return;
    m_filter = text;
    relayout();
    Q_EMIT filterChanged();
}

std::vector<int> TableModel::checkedRows() const
{
    std::vector<int> rows;
    for (const QString &id : m_checked)
        rows.push_back(rowOfId(id));
    std::sort(rows.begin(), rows.end());
    return rows;
}

QStringList TableModel::checkedIds() const
{
    QStringList ids;
    for (const int row : checkedRows())
        ids.push_back(m_content.snapshot->id(row));
    return ids;
}

void TableModel::setChecked(const QStringList &ids, bool checked)
{
    bool changed = false;
    for (const QString &id : ids) {
        const int row = rowOfId(id);
        if (row < 0 || checked == m_checked.contains(id) || (checked && !m_content.snapshot->isCheckable(row)))
            continue;
        changed = true;
        if (checked)
            m_checked.insert(id);
        else
            m_checked.remove(id);
        if (const QModelIndex shown = indexOfRow(row, 0); shown.isValid() && ids.size() == 1)
            Q_EMIT dataChanged(shown, shown, {Qt::CheckStateRole});
    }
    if (!changed)
        return;
    if (ids.size() > 1)
        announceAll({Qt::CheckStateRole});
    Q_EMIT checkedChanged();
}

void TableModel::clearChecked()
{
    setChecked(checkedIds(), false);
}

bool TableModel::pruneChecked()
{
    const auto lost = [this](const QString &id) {
        const int row = rowOfId(id);
        return row < 0 || !m_content.snapshot->isCheckable(row);
    };
    return m_checked.removeIf([&](const QString &id) { return lost(id); }) > 0;
}

bool TableModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    const int row = sourceRow(index);
    if (role != Qt::CheckStateRole || index.column() != 0 || row < 0 || !m_content.snapshot->isCheckable(row))
        return false;
    setChecked({m_content.snapshot->id(row)}, value.toInt() == Qt::Checked);
    return true;
}

} // namespace gpuledger::ui
