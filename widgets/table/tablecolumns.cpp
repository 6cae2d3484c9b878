// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/tablecolumns.h"

#include "widgets/table/columnfit.h"
#include "widgets/table/tableheader.h"
#include "widgets/table/tableinterface.h"
#include "widgets/table/tableview.h"

#include <QJsonObject>
#include <QScopedValueRollback>
#include <QStyleOptionViewItem>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kRowsLookedAt = 60;
constexpr int kWidestText = 320; // of a text column before it gets the remaining room
constexpr int kLeastText = 72;
constexpr int kWidestTitle = 160; // a longer title may be truncated before a name is
constexpr int kLeastName = 140; // of column 0
constexpr int kWidestDragged = 4000;
constexpr int kAllRoom = 100'000; // columns that stretch fill the table, however wide it is

} // namespace

TableColumns::TableColumns(TableView &view, TableHeader &header)
    : QObject(&view)
    , m_view(view)
    , m_header(header)
{
    m_measureLater.setSingleShot(true);
    connect(&m_measureLater, &QTimer::timeout, this, &TableColumns::measure);
    connect(&header, &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        if (m_ours || width == 0)
            return;
        m_dragged.insert(keyOf(column), width);
        Q_EMIT changed();
    });
    connect(&header, &QHeaderView::sectionMoved, this, [this] {
        if (!m_ours)
            Q_EMIT changed();
    });
    const TableInterface *model = &view.table();
    const auto later = [this] { m_measureLater.start(0); };
    connect(model, &QAbstractItemModel::modelReset, this, [this] {
        begin();
        measure();
    });
    connect(model, &QAbstractItemModel::headerDataChanged, this, later);
    connect(model, &QAbstractItemModel::dataChanged, this,
            [later](const QModelIndex &, const QModelIndex &, const QList<int> &roles) {
                if (roles.isEmpty())
                    later();
            });
    begin();
}

QString TableColumns::keyOf(int column) const
{
    return m_view.table().headerData(column, Qt::Horizontal, kColumnKeyRole).toString();
}

void TableColumns::begin()
{
    const QScopedValueRollback ours(m_ours, true);
    for (int column = 0; column < m_header.count(); ++column) {
        m_header.moveSection(m_header.visualIndex(column), column);
        m_header.setSectionHidden(
            column, column > 0 && m_view.table().headerData(column, Qt::Horizontal, kHiddenAtFirstRole).toBool());
    }
}

QList<int> TableColumns::shown() const
{
    QList<int> columns;
    for (int place = 0; place < m_header.count(); ++place) {
        const int column = m_header.logicalIndex(place);
        if (!m_header.isSectionHidden(column))
            columns.push_back(column);
    }
    return columns;
}

bool TableColumns::isShown(int column) const
{
    return !m_header.isSectionHidden(column);
}

void TableColumns::setShown(int column, bool shown)
{
    if (column <= 0 || column >= m_header.count() || isShown(column) == shown)
        return;
    {
        const QScopedValueRollback ours(m_ours, true);
        m_header.setSectionHidden(column, !shown);
    }
    measure();
    Q_EMIT changed();
}

void TableColumns::reset()
{
    m_dragged.clear();
    begin();
    measure();
    Q_EMIT changed();
}

int TableColumns::wantedWidth(int column) const
{
    const TableInterface &model = m_view.table();
    int wanted = m_header.titleWidth(column);
    const int given = model.headerData(column, Qt::Horizontal, kWidthRole).toInt();
    if (given > 0)
        return std::max(wanted, given);
    const bool figure = model.headerData(column, Qt::Horizontal, kFigureRole).toBool();
    const QAbstractItemDelegate *delegate = m_view.itemDelegateForIndex(model.index(0, column));
    QStyleOptionViewItem option;
    option.initFrom(&m_view);
    int looked = 0;
    const auto look = [&](const QModelIndex &index) {
        const int width = delegate ? delegate->sizeHint(option, index).width() : 0;
        wanted = std::max(wanted, figure ? width : std::min(width, kWidestText));
    };
    for (int i = 0; i < model.rowCount() && looked < kRowsLookedAt; ++i, ++looked) {
        const QModelIndex top = model.index(i, column);
        if (column > 0 || !model.isGrouped()) // the text of a group heading spans several columns
            look(top);
        for (int j = 0; j < model.rowCount(top.siblingAtColumn(0)) && looked < kRowsLookedAt; ++j, ++looked)
            look(model.index(j, column, top.siblingAtColumn(0)));
    }
    return wanted;
}

void TableColumns::measure()
{
    m_measureLater.stop();
    for (int column = 0; column < m_header.count(); ++column) {
        if (!isShown(column))
            continue;
        // Without rows the last widths are kept, so that a filter does not move columns.
        int &wanted = m_wanted[keyOf(column)];
        wanted = m_view.table().rowCount() > 0 ? wantedWidth(column) : std::max(wanted, m_header.titleWidth(column));
    }
    fit();
}

void TableColumns::fit()
{
    const TableInterface &model = m_view.table();
    const QList<int> columns = shown();
    std::vector<ColumnWish> wishes;
    bool anyStretch = false;
    for (const int column : columns)
        anyStretch = anyStretch || model.headerData(column, Qt::Horizontal, kStretchRole).toInt() > 0;
    for (const int column : columns) {
        const auto dragged = m_dragged.constFind(keyOf(column));
        if (dragged != m_dragged.constEnd()) {
            wishes.push_back({*dragged, *dragged, *dragged, 0, false});
            continue;
        }
        const int wanted = m_wanted.value(keyOf(column), m_header.minimumSectionSize());
        const bool figure = model.headerData(column, Qt::Horizontal, kFigureRole).toBool();
        const int stretch = anyStretch ? model.headerData(column, Qt::Horizontal, kStretchRole).toInt()
            : figure                   ? 0
                                       : 1;
        const int title = std::min(m_header.titleWidth(column), kWidestTitle);
        const int least = figure ? wanted : std::max(title, column == 0 ? kLeastName : kLeastText);
        wishes.push_back(
            {wanted, least, kAllRoom, stretch, model.headerData(column, Qt::Horizontal, kWholeRole).toBool()});
    }
    const QScopedValueRollback ours(m_ours, true);
    const std::vector<int> widths = fitColumns(wishes, m_view.viewport()->width());
    for (std::size_t i = 0; i < widths.size(); ++i)
        m_header.resizeSection(columns[static_cast<qsizetype>(i)], widths[i]);
}

QJsonArray TableColumns::state() const
{
    QJsonArray state;
    for (int place = 0; place < m_header.count(); ++place) {
        const int column = m_header.logicalIndex(place);
        QJsonObject one{{QStringLiteral("key"), keyOf(column)}, {QStringLiteral("shown"), isShown(column)}};
        if (const auto dragged = m_dragged.constFind(keyOf(column)); dragged != m_dragged.constEnd())
            one.insert(QStringLiteral("width"), *dragged);
        state.push_back(one);
    }
    return state;
}

void TableColumns::restore(const QJsonArray &state)
{
    QHash<QString, int> columns;
    for (int column = 0; column < m_header.count(); ++column)
        columns.insert(keyOf(column), column);
    m_dragged.clear();
    begin();
    const QScopedValueRollback ours(m_ours, true);
    int place = 1;
    for (const QJsonValue &value : state) {
        const QJsonObject one = value.toObject();
        const QString key = one.value(QLatin1String("key")).toString();
        if (!columns.contains(key))
            continue;
        const int column = columns.take(key); // duplicate keys count once
        const int width = one.value(QLatin1String("width")).toInt();
        if (width > 0)
            m_dragged.insert(key, std::clamp(width, m_header.minimumSectionSize(), kWidestDragged));
        if (column == 0)
            continue;
        m_header.moveSection(m_header.visualIndex(column), place++);
        m_header.setSectionHidden(column, !one.value(QLatin1String("shown")).toBool(true));
    }
    measure();
}

} // namespace gpuledger::widgets
