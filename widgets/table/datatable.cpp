// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/datatable.h"

#include "widgets/state/plaintext.h"
#include "widgets/table/tablecolumns.h"
#include "widgets/table/tabledelegate.h"
#include "widgets/table/tablefooter.h"
#include "widgets/table/tableheader.h"
#include "widgets/table/tabletext.h"
#include "widgets/table/tableview.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QFocusEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr qsizetype kQuotedLetters = 60; // characters of a filter quoted in the message that nothing matches
constexpr int kFieldWidth = 280;
constexpr int kStateVersion = 1;

// Keys of a saved state.
constexpr QLatin1String kVersion("version");
constexpr QLatin1String kColumns("columns");
constexpr QLatin1String kFolded("folded");
constexpr QLatin1String kSort("sort");
constexpr QLatin1String kDescending("descending");

} // namespace

DataTable::DataTable(const Theme &theme, const QString &name, TableInterface &model, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_name(name)
    , m_view(new TableView(theme, model, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeFilterBar());
    layout->addWidget(m_view, 1);
    m_footer = new TableFooter(theme, *m_view, this);
    layout->addWidget(m_footer);
    makeEmptyMessage();
    QHeaderView *header = m_view->header();
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::sectionClicked, this, &DataTable::clickTitle);
    connect(header, &QWidget::customContextMenuRequested, this, [this, header](const QPoint &place) {
        openHeaderMenu(header->viewport()->mapToGlobal(place), header->logicalIndexAt(place));
    });
    connect(m_view, &TableView::rowActivated, this, &DataTable::rowActivated);
    connect(m_view, &TableView::currentIdChanged, this, &DataTable::currentRowChanged);
    connect(m_view, &TableView::copyRequested, this, [this] { copy(false); });
    connect(m_view, &TableView::escapePressed, this, &DataTable::closeFilter);
    connect(m_view, &TableView::menuRequested, this, &DataTable::openMenu);
    connect(m_view, &TableView::foldingChanged, this, &DataTable::stateChanged);
    connect(&m_view->columns(), &TableColumns::changed, this, &DataTable::stateChanged);
    connect(&model, &TableInterface::sortChanged, this, &DataTable::showSort);
    connect(&model, &TableInterface::sortChanged, this, &DataTable::stateChanged);
    connect(&model, &TableInterface::filterChanged, this, &DataTable::showFilterResult);
    connect(&model, &QAbstractItemModel::layoutChanged, this, &DataTable::showFilterResult);
    connect(&model, &QAbstractItemModel::modelReset, this, &DataTable::showFilterResult);
    connect(&model, &QAbstractItemModel::modelReset, this, &DataTable::placeDelegates);
    auto *find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, &DataTable::openFilter);
    auto *save = new QShortcut(kExportKeys, this);
    save->setContext(Qt::WidgetWithChildrenShortcut);
    connect(save, &QShortcut::activated, this, &DataTable::exportRequested);
    retranslate();
    showSort();
    showFilterResult();
}

QWidget *DataTable::makeFilterBar()
{
    m_filterBar = new QWidget(this);
    auto *layout = new QHBoxLayout(m_filterBar);
    layout->setContentsMargins(TableDelegate::kPadding, m_theme.space(Space::Tiny), TableDelegate::kPadding,
                               m_theme.space(Space::Tiny));
    layout->setSpacing(m_theme.space(Space::Small));
    m_filterField = new QLineEdit(m_filterBar);
    m_filterField->setMaximumWidth(kFieldWidth);
    m_filterField->setMaxLength(1000);
    const QIcon glass = m_theme.icon(QStringLiteral("search"));
    m_filterField->addAction(glass, QLineEdit::LeadingPosition);
    m_filterCount = plainLabel(m_theme, QString(), TextSize::Caption, Color::Muted, QFont::Normal, m_filterBar);
    m_filterClose = new QPushButton(m_filterBar);
    m_filterClose->setIcon(m_theme.icon(QStringLiteral("close")));
    m_filterClose->setFlat(true);
    m_filterClose->setAutoDefault(false);
    layout->addWidget(m_filterField, 1);
    layout->addWidget(m_filterCount);
    layout->addStretch(1);
    layout->addWidget(m_filterClose);
    m_filterBar->hide();
    setTabOrder(m_filterField, m_filterClose);
    setTabOrder(m_filterClose, m_view);
    connect(m_filterField, &QLineEdit::textChanged, this, [this](const QString &text) { model().setFilterText(text); });
    connect(m_filterField, &QLineEdit::returnPressed, this, [this] { m_view->setFocus(Qt::OtherFocusReason); });
    connect(m_filterClose, &QPushButton::clicked, this, &DataTable::closeFilter);
    const auto addKey = [this](int key, const auto &action) {
        auto *shortcut = new QShortcut(QKeySequence(key), m_filterBar);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    addKey(Qt::Key_Escape, [this] { closeFilter(); });
    addKey(Qt::Key_Down, [this] { m_view->setFocus(Qt::OtherFocusReason); });
    return m_filterBar;
}

void DataTable::makeEmptyMessage()
{
    m_emptyMessage = new QWidget(m_view->viewport());
    auto *layout = new QVBoxLayout(m_emptyMessage);
    m_emptyText = plainLabel(m_theme, QString(), TextSize::Body, Color::Muted, QFont::Normal, m_emptyMessage);
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);
    m_emptyText->setForegroundRole(QPalette::WindowText); // children of a viewport would use Text
    m_emptyClear = new QPushButton(m_emptyMessage);
    m_emptyClear->setAutoDefault(false);
    connect(m_emptyClear, &QPushButton::clicked, this, &DataTable::closeFilter);
    layout->addStretch();
    layout->addWidget(m_emptyText);
    layout->addWidget(m_emptyClear, 0, Qt::AlignCenter);
    layout->addStretch();
    m_emptyMessage->hide();
}

void DataTable::retranslate()
{
    m_view->setAccessibleName(m_name);
    m_filterField->setPlaceholderText(tr("Filter rows"));
    m_filterField->setAccessibleName(tr("Filter %1", "name of a table").arg(m_name));
    m_filterClose->setAccessibleName(tr("Close filter"));
    m_filterClose->setToolTip(tr("Close filter"));
    m_emptyClear->setText(tr("Clear filter"));
    showFilterResult();
}

TableInterface &DataTable::model() const
{
    return m_view->table();
}

QTreeView *DataTable::view() const
{
    return m_view;
}

void DataTable::setDelegate(const QString &columnKey, QAbstractItemDelegate *delegate)
{
    m_delegates.insert(columnKey, delegate);
    placeDelegates();
    m_view->columns().measure();
}

// A view knows delegates by the place of a column, which changes with the model's columns.
void DataTable::placeDelegates()
{
    for (int column = 0; column < model().columnCount(); ++column) {
        const QString key = model().headerData(column, Qt::Horizontal, kColumnKeyRole).toString();
        m_view->setItemDelegateForColumn(column, m_delegates.value(key, nullptr));
    }
}

void DataTable::setRowHeight(int pixels)
{
    m_view->textDelegate().setRowHeight(pixels);
    m_view->doItemsLayout();
}

int DataTable::heightFor(int rows) const
{
    const int total = m_footer->isHidden() ? 0 : m_footer->sizeHint().height();
    return m_view->header()->sizeHint().height() + rows * rowHeight() + total + 2 * m_view->frameWidth() + 2;
}

// A column of bars or sparklines may need higher rows than text.
int DataTable::rowHeight() const
{
    return std::max(m_view->textDelegate().rowHeight(), m_view->sizeHintForRow(0));
}

void DataTable::showWholeRows()
{
    m_wholeRows = true;
    const auto snap = [this] { snapHeight(); };
    connect(m_footer, &TableFooter::shownChanged, this, snap);
    connect(m_view, &TableView::foldingChanged, this, snap);
    connect(&model(), &TableInterface::filterChanged, this, snap);
    connect(&model(), &QAbstractItemModel::layoutChanged, this, snap);
    connect(&model(), &QAbstractItemModel::modelReset, this, snap);
    snapHeight();
}

int DataTable::rowsInView() const
{
    int rows = model().rowCount();
    for (int i = 0; model().isGrouped() && i < model().rowCount(); ++i) {
        const QModelIndex heading = model().index(i, 0);
        rows += m_view->isExpanded(heading) ? model().rowCount(heading) : 0;
    }
    return rows;
}

void DataTable::snapHeight()
{
    if (!m_wholeRows)
        return;
    int room = height() - m_view->header()->sizeHint().height() - 2 * m_view->frameWidth();
    for (const QWidget *other : {m_filterBar, static_cast<QWidget *>(m_footer)})
        room -= other->isHidden() ? 0 : other->sizeHint().height();
    if (m_view->horizontalScrollBar()->isVisible())
        room -= m_view->horizontalScrollBar()->height();
    const bool fits = room <= 0 || rowsInView() * rowHeight() <= room;
    layout()->setContentsMargins(0, 0, 0, fits ? 0 : room % rowHeight());
}

QString DataTable::currentRowId() const
{
    return m_view->currentId();
}

bool DataTable::setCurrentRow(const QString &rowId)
{
    const QModelIndex index = model().indexOf(rowId);
    if (!index.isValid())
        return false;
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index);
    return true;
}

QStringList DataTable::selectedRowIds() const
{
    QModelIndexList rows = m_view->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const QModelIndex &a, const QModelIndex &b) {
        return a.parent().row() != b.parent().row() ? a.parent().row() < b.parent().row() : a.row() < b.row();
    });
    QStringList ids;
    for (const QModelIndex &row : rows)
        ids.push_back(row.data(kRowIdRole).toString());
    return ids;
}

void DataTable::openFilter()
{
    m_filterBar->show();
    m_filterField->setFocus(Qt::ShortcutFocusReason);
    m_filterField->selectAll();
}

void DataTable::closeFilter()
{
    const bool hadFocus = m_filterBar->isAncestorOf(focusWidget()) || m_emptyMessage->isAncestorOf(focusWidget());
    m_filterField->clear();
    m_filterBar->hide();
    if (hadFocus)
        m_view->setFocus(Qt::OtherFocusReason);
}

bool DataTable::isFilterOpen() const
{
    return !m_filterBar->isHidden();
}

void DataTable::showFilterResult()
{
    const QString filter = model().filterText();
    if (m_filterField->text() != filter)
        m_filterField->setText(filter);
    if (!filter.isEmpty())
        m_filterBar->show();
    const QLocale locale;
    m_filterCount->setText(filter.isEmpty()
                               ? QString()
                               : tr("%1 of %2", "rows shown, of all")
                                     .arg(locale.toString(model().shownRows()), locale.toString(model().totalRows())));
    const bool nothing = !filter.isEmpty() && model().shownRows() == 0 && model().totalRows() > 0;
    const QString quoted = filter.size() > kQuotedLetters ? filter.left(kQuotedLetters) + QChar(0x2026) : filter;
    m_emptyText->setText(nothing ? tr("Nothing matches “%1”").arg(shownLine(quoted)) : QString());
    m_view->setAccessibleDescription(m_emptyText->text());
    m_emptyMessage->setVisible(nothing);
    m_emptyMessage->setGeometry(m_view->viewport()->rect());
}

void DataTable::clickTitle(int column)
{
    if (!model().canSort())
        return;
    const bool again = column == model().sortColumn();
    const bool figure = model().headerData(column, Qt::Horizontal, kFigureRole).toBool();
    const bool down = again ? model().sortOrder() == Qt::AscendingOrder : figure;
    sortBy(column, down ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void DataTable::sortBy(int column, Qt::SortOrder order)
{
    model().sort(column, order);
    m_view->scrollTo(m_view->currentIndex());
}

void DataTable::showSort()
{
    static_cast<TableHeader *>(m_view->header())->setMark(model().sortColumn(), model().sortOrder());
}

void DataTable::copy(bool all)
{
    QModelIndexList rows = all ? QModelIndexList() : m_view->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const QModelIndex &a, const QModelIndex &b) {
        return a.parent().row() != b.parent().row() ? a.parent().row() < b.parent().row() : a.row() < b.row();
    });
    QGuiApplication::clipboard()->setMimeData(tableMimeData(model(), m_view->columns().chosen(), rows));
}

QByteArray DataTable::csv() const
{
    return tableCsv(model(), m_view->columns().chosen());
}

QJsonObject DataTable::saveState() const
{
    QJsonObject state{{kVersion, kStateVersion},
                      {kColumns, m_view->columns().state()},
                      {kFolded, QJsonArray::fromStringList(m_view->foldedGroups())}};
    if (const int column = model().sortColumn(); column >= 0) {
        state.insert(kSort, model().headerData(column, Qt::Horizontal, kColumnKeyRole).toString());
        state.insert(kDescending, model().sortOrder() == Qt::DescendingOrder);
    }
    return state;
}

void DataTable::restoreState(const QJsonObject &state)
{
    if (state.value(kVersion).toInt() != kStateVersion)
        return;
    m_view->columns().restore(state.value(kColumns).toArray());
    QStringList folded;
    for (const QJsonValue &id : state.value(kFolded).toArray())
        folded.push_back(id.toString());
    m_view->setFoldedGroups(folded);
    const QString sorted = state.value(kSort).toString();
    for (int column = 0; !sorted.isEmpty() && column < model().columnCount(); ++column) {
        if (model().headerData(column, Qt::Horizontal, kColumnKeyRole).toString() == sorted)
            model().sort(column, state.value(kDescending).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
    }
}

void DataTable::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    snapHeight();
    m_emptyMessage->setGeometry(m_view->viewport()->rect());
}

// Not a focus proxy: Tab would skip the filter.
void DataTable::focusInEvent(QFocusEvent *event)
{
    m_view->setFocus(event->reason());
}

void DataTable::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace gpuledger::widgets
