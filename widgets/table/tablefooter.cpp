// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/tablefooter.h"

#include "widgets/table/tabledelegate.h"
#include "widgets/table/tableheader.h"
#include "widgets/table/tabletext.h"
#include "widgets/table/tableview.h"

#include <QAbstractTableModel>
#include <QPainter>
#include <QScrollBar>

namespace gpuledger::widgets {

namespace {

// The total as a row, so that the delegates of the columns can paint it.
class TotalRow : public QAbstractTableModel {
public:
    explicit TotalRow(const TableInterface &table)
        : m_table(table)
    {
    }

    int rowCount(const QModelIndex &parent) const override { return parent.isValid() ? 0 : 1; }
    int columnCount(const QModelIndex &parent) const override { return parent.isValid() ? 0 : m_table.columnCount(); }
    QVariant data(const QModelIndex &index, int role) const override
    {
        if (role == Qt::TextAlignmentRole)
            return m_table.headerData(index.column(), Qt::Horizontal, role);
        if (role == Qt::FontRole) {
            QFont font;
            font.setWeight(QFont::DemiBold);
            return font;
        }
        return m_table.total(index.column(), role == kRawValueRole ? static_cast<int>(Qt::DisplayRole) : role);
    }

private:
    const TableInterface &m_table;
};

} // namespace

TableFooter::TableFooter(const Theme &theme, TableView &view, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_view(view)
    , m_row(std::make_unique<TotalRow>(view.table()))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    const TableInterface *model = &view.table();
    connect(model, &QAbstractItemModel::dataChanged, this, &TableFooter::take);
    connect(model, &QAbstractItemModel::layoutChanged, this, &TableFooter::take);
    connect(model, &QAbstractItemModel::modelReset, this, &TableFooter::take);
    connect(model, &QAbstractItemModel::headerDataChanged, this, &TableFooter::take);
    connect(model, &TableInterface::filterChanged, this, &TableFooter::take);
    const auto repaint = [this] { update(); };
    connect(view.header(), &QHeaderView::sectionResized, this, repaint);
    connect(view.header(), &QHeaderView::sectionMoved, this, repaint);
    connect(view.horizontalScrollBar(), &QScrollBar::valueChanged, this, repaint);
    connect(&theme, &Theme::changed, this, repaint);
    hide();
    take();
}

TableFooter::~TableFooter() = default;

void TableFooter::take()
{
    const TableInterface &table = m_view.table();
    const bool shown = table.hasTotal() && table.filterText().isEmpty() && table.shownRows() > 0;
    if (shown)
        setAccessibleName(words());
    if (shown == isHidden()) {
        setVisible(shown);
        Q_EMIT shownChanged();
    }
    update();
}

QString TableFooter::words() const
{
    const TableInterface &table = m_view.table();
    QStringList parts;
    for (int column = 1; column < table.columnCount(); ++column) {
        const QString value = shownLine(table.total(column, Qt::DisplayRole).toString());
        if (!value.isEmpty())
            parts << tr("%1: %2", "title of a column, its total")
                         .arg(shownLine(table.headerData(column, Qt::Horizontal).toString()), value);
    }
    return tr("%1. %2", "name of the total, its figures")
        .arg(shownLine(table.total(0, Qt::DisplayRole).toString()), parts.join(QStringLiteral("; ")));
}

QSize TableFooter::sizeHint() const
{
    return {0, m_view.textDelegate().rowHeight()};
}

void TableFooter::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Color::Surface));
    const QHeaderView *header = m_view.header();
    QStyleOptionViewItem option;
    option.initFrom(this);
    option.palette = m_view.palette();
    option.state = QStyle::State_Enabled;
    option.textElideMode = Qt::ElideRight;
    const int inset = m_view.viewport()->mapTo(parentWidget(), QPoint()).x() - x();
    for (int column = 0; column < header->count(); ++column) {
        if (header->isSectionHidden(column))
            continue;
        option.rect = QRect(inset + m_view.columnViewportPosition(column), 0, m_view.columnWidth(column), height());
        const QModelIndex cell = m_row->index(0, column);
        m_view.itemDelegateForIndex(cell)->paint(&painter, option, cell);
    }
    painter.fillRect(0, 0, width(), 1, m_theme.color(Color::Outline));
    painter.fillRect(0, height() - 1, width(), 1, m_theme.color(Color::Surface)); // no next row to be divided from
}

} // namespace gpuledger::widgets
