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
#include <numeric>

namespace gpuledger::widgets {

namespace {

constexpr int kRowsLookedAt = 60;
constexpr int kWidestText = 320; // of a text column before it gets the remaining room
constexpr int kLeastText = 72;
constexpr int kWidestTitle = 160; // a longer title may be truncated before a name is
constexpr int kLeastName = 140; // of column 0
constexpr int kWidestDragged = 4000;
constexpr int kAllRoom = 100'000; // a trend gets all room there is
constexpr int kTextSlack = 160; // more room after its content would only pull the columns apart
constexpr int kEasyName = 200, kEasyText = 120, kEasyContent = 110; // widths with which a column is read with ease

// What no column may have for itself is shared by all of them, so that none is far from the next.
void shareRest(std::vector<int> &widths, const std::vector<ColumnWish> &wishes, int room)
{
    const auto isFree = [](const ColumnWish &wish) { return wish.most > wish.wanted || wish.least < wish.wanted; };
    const int used = std::accumulate(widths.begin(), widths.end(), 0);
    if (used >= room || std::none_of(wishes.begin(), wishes.end(), [](const auto &wish) { return wish.stretch > 0; }))
        return;
    int others = 0;
    for (const ColumnWish &wish : wishes)
        others += isFree(wish) ? 1 : 0;
    int rest = room - used;
    for (std::size_t i = 0; i < widths.size() && others > 0; ++i) {
        if (!isFree(wishes[i]))
            continue;
        const int part = rest / others--;
        widths[i] += part;
        rest -= part;
    }
}

} // namespace

TableColumns::TableColumns(TableView &view, TableHeader &header)
    : QObject(&view)
    , m_view(view)
    , m_header(header)
{
    m_measureLater.setSingleShot(true);
    connect(&m_measureLater, &QTimer::timeout, this, &TableColumns::measure);
    m_lookLater.setSingleShot(true);
    connect(&m_lookLater, &QTimer::timeout, this, [this] {
        if (findEmpty())
            measure();
    });
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
    const auto look = [this] { m_lookLater.start(0); };
    connect(model, &QAbstractItemModel::layoutChanged, this, look); // other rows or groups
    for (const auto folding : {&QTreeView::expanded, &QTreeView::collapsed})
        connect(&view, folding, this, look);
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
    m_hidden.clear();
    m_pinned.clear();
    for (int column = 0; column < m_header.count(); ++column) {
        m_header.moveSection(m_header.visualIndex(column), column);
        const bool hidden =
            column > 0 && m_view.table().headerData(column, Qt::Horizontal, kHiddenAtFirstRole).toBool();
        m_header.setSectionHidden(column, hidden);
        if (hidden)
            m_hidden.insert(keyOf(column));
    }
}

QList<int> TableColumns::chosen() const
{
    QList<int> columns;
    for (int place = 0; place < m_header.count(); ++place) {
        const int column = m_header.logicalIndex(place);
        if (!m_hidden.contains(keyOf(column)))
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
    const QString key = keyOf(column);
    if (shown) {
        m_hidden.remove(key);
        m_pinned.insert(key);
    } else {
        m_hidden.insert(key);
        m_pinned.remove(key);
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

bool TableColumns::isEmpty(int column) const
{
    const TableInterface &model = m_view.table();
    const auto hasText = [&](const QModelIndex &index) { return !index.data().toString().isEmpty(); };
    for (int i = 0; i < model.rowCount(); ++i) {
        const QModelIndex top = model.index(i, 0);
        if (hasText(top.siblingAtColumn(column)))
            return false;
        for (int j = 0; m_view.isExpanded(top) && j < model.rowCount(top); ++j) {
            if (hasText(model.index(j, column, top)))
                return false;
        }
    }
    return true;
}

// Few rows, those that a filter finds, don't make a column empty.
bool TableColumns::findEmpty()
{
    const TableInterface &model = m_view.table();
    const QSet<QString> before = m_empty;
    const bool isWhole = model.filterText().isEmpty() && model.rowCount() > 0;
    for (int column = 1; column < m_header.count(); ++column) {
        const bool mayBeLeftOut = model.headerData(column, Qt::Horizontal, kNoRoomIfEmptyRole).toBool();
        if (!mayBeLeftOut || !isEmpty(column))
            m_empty.remove(keyOf(column));
        else if (isWhole)
            m_empty.insert(keyOf(column));
    }
    return m_empty != before;
}

void TableColumns::measure()
{
    m_measureLater.stop();
    findEmpty();
    for (const int column : chosen()) {
        // Without rows the last widths are kept, so that a filter does not move columns.
        int &wanted = m_wanted[keyOf(column)];
        wanted = m_view.table().rowCount() > 0 ? wantedWidth(column) : std::max(wanted, m_header.titleWidth(column));
    }
    fit();
}

int TableColumns::number(int column, int role) const
{
    return m_view.table().headerData(column, Qt::Horizontal, role).toInt();
}

int TableColumns::leastWidth(int column) const
{
    const int wanted = m_wanted.value(keyOf(column), m_header.minimumSectionSize());
    if (m_view.table().headerData(column, Qt::Horizontal, kFigureRole).toBool())
        return wanted;
    const int title = std::min(m_header.titleWidth(column), kWidestTitle);
    return std::max({title, number(column, kLeastRole), column == 0 ? kLeastName : kLeastText});
}

int TableColumns::comfortableWidth(int column) const
{
    if (const auto dragged = m_dragged.constFind(keyOf(column)); dragged != m_dragged.constEnd())
        return *dragged;
    const int easy = column == 0 ? kEasyName : number(column, kWidthRole) > 0 ? kEasyContent : kEasyText;
    const int wanted = m_wanted.value(keyOf(column), m_header.minimumSectionSize());
    return std::min(wanted, std::max(leastWidth(column), easy));
}

// The chosen columns without those that are empty and those for which there is no room: the lowest priority gives way
// first, of equal ones the last. Before the view is shown, its size says nothing.
QList<int> TableColumns::fitting(int room) const
{
    QList<int> columns = chosen();
    columns.removeIf([this](int column) {
        const QString key = keyOf(column);
        return m_empty.contains(key) && !m_pinned.contains(key);
    });
    int sum = 0;
    for (const int column : columns)
        sum += comfortableWidth(column);
    while (sum > room && m_view.isVisible()) {
        int least = -1;
        for (int i = 0; i < columns.size(); ++i) {
            const int priority = number(columns[i], kPriorityRole);
            const QString key = keyOf(columns[i]);
            if (priority > 0 && !m_pinned.contains(key) && !m_dragged.contains(key)
                && (least < 0 || priority <= number(columns[least], kPriorityRole)))
                least = i;
        }
        if (least < 0)
            break;
        sum -= comfortableWidth(columns[least]);
        columns.removeAt(least);
    }
    return columns;
}

void TableColumns::fit()
{
    const TableInterface &model = m_view.table();
    const int room = m_view.viewport()->width();
    const QList<int> columns = fitting(room);
    const QScopedValueRollback ours(m_ours, true);
    for (int column = 0; column < m_header.count(); ++column)
        m_header.setSectionHidden(column, !columns.contains(column));
    std::vector<ColumnWish> wishes;
    bool anyStretch = false;
    for (const int column : columns)
        anyStretch = anyStretch || number(column, kStretchRole) > 0;
    for (const int column : columns) {
        const auto dragged = m_dragged.constFind(keyOf(column));
        if (dragged != m_dragged.constEnd()) {
            wishes.push_back({*dragged, *dragged, *dragged, 0, false});
            continue;
        }
        const int wanted = m_wanted.value(keyOf(column), m_header.minimumSectionSize());
        const bool figure = model.headerData(column, Qt::Horizontal, kFigureRole).toBool();
        const int stretch = anyStretch ? number(column, kStretchRole) : figure ? 0 : 1;
        const int widest = number(column, kWidestRole);
        const bool isTrend = column > 0 && number(column, kWidthRole) > 0;
        const int most = widest > 0 ? widest : isTrend ? kAllRoom : wanted + kTextSlack;
        wishes.push_back(
            {wanted, leastWidth(column), most, stretch, model.headerData(column, Qt::Horizontal, kWholeRole).toBool()});
    }
    std::vector<int> widths = fitColumns(wishes, room);
    shareRest(widths, wishes, room);
    for (std::size_t i = 0; i < widths.size(); ++i)
        m_header.resizeSection(columns[static_cast<qsizetype>(i)], widths[i]);
}

QJsonArray TableColumns::state() const
{
    QJsonArray state;
    for (int place = 0; place < m_header.count(); ++place) {
        const int column = m_header.logicalIndex(place);
        QJsonObject one{{QStringLiteral("key"), keyOf(column)},
                        {QStringLiteral("shown"), !m_hidden.contains(keyOf(column))}};
        if (const auto dragged = m_dragged.constFind(keyOf(column)); dragged != m_dragged.constEnd())
            one.insert(QStringLiteral("width"), *dragged);
        if (m_pinned.contains(keyOf(column)))
            one.insert(QStringLiteral("pinned"), true);
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
        if (!one.value(QLatin1String("shown")).toBool(true))
            m_hidden.insert(key);
        else
            m_hidden.remove(key);
        if (one.value(QLatin1String("pinned")).toBool())
            m_pinned.insert(key);
    }
    measure();
}

} // namespace gpuledger::widgets
