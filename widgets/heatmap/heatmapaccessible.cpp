// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmapaccessible.h"

#include "widgets/heatmap/heatmap.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

#include <map>

namespace gpuledger::widgets {

namespace {

class Cell : public QAccessibleInterface, public QAccessibleTableCellInterface {
public:
    Cell(Heatmap *map, int row, int column)
        : m_map(map)
        , m_row(row)
        , m_column(column)
    {
    }

    bool isValid() const override
    {
        return m_map && m_row < m_map->data().rowCount() && m_column < m_map->data().columnCount();
    }
    QObject *object() const override { return nullptr; }
    QAccessibleInterface *parent() const override
    {
        return m_map ? QAccessible::queryAccessibleInterface(m_map) : nullptr;
    }
    QAccessibleInterface *child(int) const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    void setText(QAccessible::Text, const QString &) override { }
    QAccessible::Role role() const override { return QAccessible::Cell; }

    QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        if (kind == QAccessible::Name)
            return m_map->cellText(m_row, m_column);
        return kind == QAccessible::Value ? m_map->valueText(m_row, m_column) : QString();
    }

    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect cell = m_map->cellRect(m_row, m_column).toAlignedRect();
        return {m_map->viewport()->mapToGlobal(cell.topLeft()), cell.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        if (state.invalid)
            return state;
        state.focusable = true;
        state.selectable = true;
        state.selected = isSelected();
        state.focused = isSelected() && m_map->hasFocus();
        state.readOnly = true;
        state.invisible = !m_map->isVisible();
        state.offscreen =
            !m_map->geometryOfCells().cells().intersects(m_map->cellRect(m_row, m_column).toAlignedRect());
        return state;
    }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface *>(this) : nullptr;
    }

    bool isSelected() const override
    {
        return isValid() && m_map->currentRow() == m_row && m_map->currentColumn() == m_column;
    }
    QList<QAccessibleInterface *> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface *> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return m_column; }
    int rowIndex() const override { return m_row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface *table() const override { return parent(); }

private:
    QPointer<Heatmap> m_map;
    int m_row;
    int m_column;
};

// Cells are created on demand and kept by id until the data change: a table may have half a million of them.
class Table : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    explicit Table(Heatmap *map)
        : QAccessibleWidget(map, QAccessible::Table)
    {
    }
    ~Table() override { drop(); }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TableInterface)
            return static_cast<QAccessibleTableInterface *>(this);
        return QAccessibleWidget::interface_cast(type);
    }

    int childCount() const override { return rowCount() * columnCount(); }
    QAccessibleInterface *child(int index) const override
    {
        return index < 0 || index >= childCount() ? nullptr : cellAt(index / columnCount(), index % columnCount());
    }
    int indexOfChild(const QAccessibleInterface *child) const override
    {
        auto *cell = child ? const_cast<QAccessibleInterface *>(child)->tableCellInterface() : nullptr;
        return cell ? cell->rowIndex() * columnCount() + cell->columnIndex() : -1;
    }
    QAccessibleInterface *childAt(int x, int y) const override
    {
        int row = -1;
        int column = -1;
        return map()->cellAt(map()->viewport()->mapFromGlobal(QPoint(x, y)), row, column) ? cellAt(row, column)
                                                                                          : nullptr;
    }
    QAccessibleInterface *focusChild() const override { return map()->hasFocus() ? current() : nullptr; }

    QAccessibleInterface *caption() const override { return nullptr; }
    QAccessibleInterface *summary() const override { return nullptr; }
    QAccessibleInterface *cellAt(int row, int column) const override
    {
        if (row < 0 || column < 0 || row >= rowCount() || column >= columnCount())
            return nullptr;
        const std::pair key(row, column);
        const auto known = m_ids.find(key);
        if (known != m_ids.end())
            return QAccessible::accessibleInterface(known->second);
        auto *cell = new Cell(map(), row, column);
        m_ids.emplace(key, QAccessible::registerAccessibleInterface(cell));
        return cell;
    }
    int selectedCellCount() const override { return current() ? 1 : 0; }
    QList<QAccessibleInterface *> selectedCells() const override
    {
        QAccessibleInterface *cell = current();
        return cell ? QList<QAccessibleInterface *>{cell} : QList<QAccessibleInterface *>{};
    }
    QString columnDescription(int column) const override { return map()->data().columns.value(column); }
    QString rowDescription(int row) const override
    {
        if (row < 0 || row >= rowCount())
            return {};
        // Everything in the row besides its cells.
        const HeatmapData &data = map()->data();
        const HeatmapData::Row &one = data.rows[static_cast<std::size_t>(row)];
        QStringList parts{one.label};
        if (!one.meanText.isEmpty())
            parts << data.meanTitle + QLatin1Char(' ') + one.meanText;
        if (!one.sideText.isEmpty())
            parts << data.sideTitle + QLatin1Char(' ') + one.sideText;
        return parts.join(QStringLiteral("; "));
    }
    int rowCount() const override { return map()->data().rowCount(); }
    int columnCount() const override { return map()->data().columnCount(); }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent *) override { drop(); }

private:
    Heatmap *map() const { return static_cast<Heatmap *>(widget()); }
    QAccessibleInterface *current() const { return cellAt(map()->currentRow(), map()->currentColumn()); }
    void drop() const
    {
        for (const auto &[key, id] : m_ids)
            QAccessible::deleteAccessibleInterface(id);
        m_ids.clear();
    }

    mutable std::map<std::pair<int, int>, QAccessible::Id> m_ids;
};

QAccessibleInterface *makeInterface(const QString &className, QObject *object)
{
    if (className != QLatin1String(Heatmap::staticMetaObject.className()))
        return nullptr;
    auto *map = qobject_cast<Heatmap *>(object);
    return map ? new Table(map) : nullptr;
}

} // namespace

void installHeatmapAccessibility()
{
    QAccessible::removeFactory(makeInterface);
    QAccessible::installFactory(makeInterface);
}

} // namespace gpuledger::widgets
