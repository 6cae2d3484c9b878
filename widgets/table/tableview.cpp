// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/tableview.h"

#include "widgets/state/plaintext.h"
#include "widgets/table/tablecolumns.h"
#include "widgets/table/tabledelegate.h"
#include "widgets/table/tableheader.h"
#include "widgets/table/tabletext.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kTriangle = 8;

} // namespace

TableView::TableView(const Theme &theme, TableInterface &model, QWidget *parent)
    : QTreeView(parent)
    , m_theme(theme)
    , m_table(model)
    , m_header(new TableHeader(theme, this))
    , m_delegate(new TableDelegate(theme, this))
{
    setHeader(m_header);
    m_header->setSectionsClickable(true); // setHeader() switches it off
    setFrameShape(QFrame::NoFrame);
    setIndentation(0);
    setRootIsDecorated(false);
    setItemsExpandable(true);
    setExpandsOnDoubleClick(false);
    setUniformRowHeights(true);
    setSelectionMode(ExtendedSelection);
    setSelectionBehavior(SelectRows);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setTextElideMode(Qt::ElideRight);
    setItemDelegate(m_delegate);
    setModel(&model);
    m_columns = new TableColumns(*this, *m_header);
    const auto dress = [this] {
        // Delegates of any kind paint a selected row with these.
        QPalette colors = m_theme.palette();
        colors.setColor(QPalette::Highlight, m_theme.color(Color::Select));
        colors.setColor(QPalette::HighlightedText, m_theme.color(Color::Text));
        setPalette(colors);
        m_columns->measure();
    };
    connect(&theme, &Theme::changed, this, dress);
    dress();
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex &i) { rememberFolding(i, true); });
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex &i) { rememberFolding(i, false); });
    connect(&model, &QAbstractItemModel::layoutChanged, this, &TableView::takeModel);
    connect(&model, &QAbstractItemModel::modelReset, this, &TableView::takeModel);
    takeModel();
}

void TableView::takeModel()
{
    foldAsRemembered();
    if (currentIndex().isValid() || m_lastId.isEmpty())
        return;
    const QModelIndex again = m_table.indexOf(m_lastId);
    // Otherwise its group would be expanded.
    if (again.isValid() && (!again.parent().isValid() || isExpanded(again.parent())))
        selectionModel()->setCurrentIndex(again, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void TableView::foldAsRemembered()
{
    if (!m_table.isGrouped())
        return;
    m_folding = true;
    for (int i = 0; i < m_table.rowCount(); ++i) {
        const QModelIndex heading = m_table.index(i, 0);
        const QString id = heading.data(kRowIdRole).toString();
        if (!m_met.contains(id)) {
            m_met.insert(id);
            if (heading.data(kGroupFoldedRole).toBool())
                m_folded.insert(id);
        }
        // Rows found by a filter are always visible.
        const bool open = !m_folded.contains(id) || !m_table.filterText().isEmpty();
        if (isExpanded(heading) != open)
            setExpanded(heading, open);
    }
    m_folding = false;
}

void TableView::rememberFolding(const QModelIndex &heading, bool folded)
{
    if (m_folding || !m_table.filterText().isEmpty())
        return;
    const QString id = heading.data(kRowIdRole).toString();
    if (folded)
        m_folded.insert(id);
    else
        m_folded.remove(id);
    Q_EMIT foldingChanged();
}

QStringList TableView::foldedGroups() const
{
    QStringList ids(m_folded.begin(), m_folded.end());
    ids.sort();
    return ids;
}

void TableView::setFoldedGroups(const QStringList &ids)
{
    m_folded = QSet<QString>(ids.begin(), ids.end());
    for (int i = 0; m_table.isGrouped() && i < m_table.rowCount(); ++i)
        m_met.insert(m_table.index(i, 0).data(kRowIdRole).toString());
    foldAsRemembered();
}

QString TableView::currentId() const
{
    const QModelIndex current = currentIndex();
    return current.isValid() && !current.data(kGroupRole).toBool() ? current.data(kRowIdRole).toString() : QString();
}

void TableView::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTreeView::currentChanged(current, previous);
    // The base class repaints selected items, which headings never are; their focus ring is as wide as the view.
    for (const QModelIndex &index : {current, previous}) {
        const QRect cell = index.isValid() ? visualRect(index) : QRect();
        viewport()->update(QRect(0, cell.top(), viewport()->width(), cell.height()));
    }
    const QString id = currentId();
    if (!id.isEmpty())
        m_lastId = id;
    if (current.row() != previous.row() || current.parent() != previous.parent())
        Q_EMIT currentIdChanged(id);
}

void TableView::drawBranches(QPainter *, const QRect &, const QModelIndex &) const
{
    // Headings draw their own mark.
}

void TableView::drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QRect row(0, option.rect.top(), viewport()->width(), option.rect.height());
    const bool heading = index.data(kGroupRole).toBool();
    const bool selected = !heading && selectionModel()->isSelected(index);
    painter->fillRect(row, m_theme.color(heading ? Color::Background : selected ? Color::Select : Color::Surface));
    QStyleOptionViewItem cells = option;
    cells.state &= ~QStyle::State_KeyboardFocusChange; // the cell's ring would end with the last column
    if (heading)
        drawHeading(painter, row, index);
    else
        QTreeView::drawRow(painter, cells, index);
    painter->fillRect(QRect(row.left(), row.bottom(), row.width(), 1), m_theme.color(Color::Border));
    const QModelIndex current = currentIndex();
    const bool keyboard = option.state & QStyle::State_KeyboardFocusChange;
    if (keyboard && hasFocus() && current.row() == index.row() && current.parent() == index.parent()) {
        QStyleOptionFocusRect ring;
        ring.initFrom(this);
        ring.rect = row;
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &ring, painter, this);
    }
}

void TableView::drawHeading(QPainter *painter, const QRect &row, const QModelIndex &index) const
{
    const Qt::LayoutDirection direction = layoutDirection();
    const QFont bold = m_theme.font(TextSize::Body, QFont::DemiBold);
    const QFont plain = m_theme.font();
    int room = 0; // for the text: up to the first total
    bool wordsEnd = false;
    for (int place = 0; place < m_header->count(); ++place) {
        const int column = m_header->logicalIndex(place);
        if (m_header->isSectionHidden(column))
            continue;
        const QModelIndex cell = index.siblingAtColumn(column);
        const QString total = column == 0 ? QString() : shownLine(cell.data().toString());
        wordsEnd = wordsEnd || !total.isEmpty();
        if (!wordsEnd)
            room += columnWidth(column);
        if (total.isEmpty())
            continue;
        const QRect box(columnViewportPosition(column), row.top(), columnWidth(column), row.height());
        const auto wanted = static_cast<Qt::Alignment>(cell.data(Qt::TextAlignmentRole).toInt());
        const Qt::Alignment side = QStyle::visualAlignment(direction, wanted & Qt::AlignHorizontal_Mask);
        const QRect words = TableDelegate::textRect(box, direction, false);
        painter->setFont(bold);
        painter->setPen(m_theme.color(Color::Text));
        painter->drawText(words, static_cast<int>(side | Qt::AlignAbsolute | Qt::AlignVCenter) | Qt::TextSingleLine,
                          QFontMetrics(bold).elidedText(total, Qt::ElideRight, words.width()));
    }
    const int shift = columnViewportPosition(0) - (direction == Qt::RightToLeft ? row.width() - columnWidth(0) : 0);
    const QRect words(row.left() + shift + TableDelegate::kPadding, row.top(),
                      (wordsEnd ? room : row.width()) - 2 * TableDelegate::kPadding, row.height());
    const auto placed = [&](int from, int width) {
        QRect logical(row.left() + TableDelegate::kPadding + from, row.top(), width, row.height());
        return QStyle::visualRect(direction, row, logical).translated(shift, 0);
    };
    const QRect mark = placed(0, kTriangle);
    paintTriangle(*painter, QRectF(mark.left(), mark.center().y() - kTriangle / 2.0 + .5, kTriangle, kTriangle),
                  isExpanded(index) ? Pointing::Down : Pointing::Onwards, direction, m_theme.color(Color::Text));
    const int textAt = kTriangle + 5;
    const int left = words.width() - textAt;
    const QString title = QFontMetrics(bold).elidedText(shownLine(index.data().toString()), Qt::ElideRight, left);
    const int titleWidth = QFontMetrics(bold).horizontalAdvance(title) + 1;
    constexpr int kFlags = Qt::AlignVCenter | Qt::TextSingleLine | Qt::AlignAbsolute;
    const int side = static_cast<int>(QStyle::visualAlignment(direction, Qt::AlignLeft)) | kFlags;
    painter->setFont(bold);
    painter->setPen(m_theme.color(Color::Text));
    painter->drawText(placed(textAt, titleWidth), side, title);
    const int detailAt = textAt + titleWidth + 5;
    if (const int rest = words.width() - detailAt; rest > 0) {
        const QString detail = shownLine(index.data(kGroupDetailRole).toString());
        painter->setFont(plain);
        painter->setPen(m_theme.color(Color::Muted));
        painter->drawText(placed(detailAt, rest), side, QFontMetrics(plain).elidedText(detail, Qt::ElideRight, rest));
    }
}

void TableView::tick()
{
    const QModelIndex current = currentIndex().siblingAtColumn(0);
    QModelIndexList rows = selectionModel()->selectedRows();
    if (!rows.contains(current))
        rows = {current};
    if (current.data(kGroupRole).toBool()) {
        rows.clear();
        for (int i = 0; i < m_table.rowCount(current); ++i)
            rows.push_back(m_table.index(i, 0, current));
    }
    rows.removeIf([](const QModelIndex &row) { return !(row.flags() & Qt::ItemIsUserCheckable); });
    if (rows.isEmpty())
        return;
    const bool allTicked = std::all_of(rows.begin(), rows.end(), [](const QModelIndex &row) {
        return row.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    });
    QStringList ids;
    for (const QModelIndex &row : rows)
        ids.push_back(row.data(kRowIdRole).toString());
    m_table.setChecked(ids, !allTicked);
}

void TableView::activateCurrent()
{
    const QModelIndex current = currentIndex().siblingAtColumn(0);
    if (!current.isValid())
        return;
    if (current.data(kGroupRole).toBool())
        setExpanded(current, !isExpanded(current));
    else
        Q_EMIT rowActivated(current.data(kRowIdRole).toString());
}

// The reading direction expands; the opposite direction collapses or moves up to the heading.
bool TableView::foldByKey(QKeyEvent *event)
{
    if (!m_table.isGrouped() || (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right))
        return false;
    const QModelIndex current = currentIndex().siblingAtColumn(0);
    const bool opens = (event->key() == Qt::Key_Right) == (layoutDirection() == Qt::LeftToRight);
    if (current.data(kGroupRole).toBool())
        setExpanded(current, opens);
    else if (!opens && current.parent().isValid())
        setCurrentIndex(current.parent());
    return true;
}

void TableView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        Q_EMIT copyRequested();
        return;
    }
    const bool bare = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (bare && foldByKey(event))
        return;
    if (bare && event->key() == Qt::Key_Space && currentIndex().isValid())
        return tick();
    if (bare && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid())
        return activateCurrent();
    if (event->key() == Qt::Key_Escape) {
        event->ignore(); // the page or the window may handle it
        Q_EMIT escapePressed();
        return;
    }
    QTreeView::keyPressEvent(event);
}

void TableView::mousePressEvent(QMouseEvent *event)
{
    QTreeView::mousePressEvent(event);
    const QModelIndex index = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && index.data(kGroupRole).toBool())
        setExpanded(index.siblingAtColumn(0), !isExpanded(index.siblingAtColumn(0)));
}

void TableView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const QModelIndex index = indexAt(event->position().toPoint());
    if (index.data(kGroupRole).toBool())
        return mousePressEvent(event); // a double click counts as two clicks
    QTreeView::mouseDoubleClickEvent(event);
    const bool onCheck = index.column() == 0 && index.flags() & Qt::ItemIsUserCheckable
        && TableDelegate::checkRect(visualRect(index), layoutDirection()).contains(event->position().toPoint());
    if (event->button() == Qt::LeftButton && index.isValid() && !onCheck)
        Q_EMIT rowActivated(index.data(kRowIdRole).toString());
}

void TableView::contextMenuEvent(QContextMenuEvent *event)
{
    QPoint place = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard && currentIndex().isValid())
        place = viewport()->mapToGlobal(visualRect(currentIndex().siblingAtColumn(0)).center());
    Q_EMIT menuRequested(place);
}

void TableView::resizeEvent(QResizeEvent *event)
{
    QTreeView::resizeEvent(event);
    m_columns->fit();
}

void TableView::showEvent(QShowEvent *event)
{
    QTreeView::showEvent(event);
    m_columns->fit();
}

bool TableView::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QTreeView::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QModelIndex index = indexAt(help->pos());
    if (!index.data(kGroupRole).toBool())
        return QTreeView::viewportEvent(event);
    const QString words = index.siblingAtColumn(0).data(Qt::AccessibleTextRole).toString();
    QToolTip::showText(help->globalPos(), plainToolTip(tipLines(words)), this);
    return true;
}

} // namespace gpuledger::widgets
