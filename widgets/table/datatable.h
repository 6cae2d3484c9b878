// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/table/tableinterface.h"
#include "widgets/theme/theme.h"

#include <QHash>
#include <QJsonObject>
#include <QWidget>

class QAbstractItemDelegate;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QTreeView;

namespace gpuledger::widgets {

class TableFooter;
class TableView;

// The table of every page. A click on a title sorts; Ctrl+F filters, Esc ends the filter; Ctrl+C copies the selected
// rows as TSV and HTML; Space toggles the check box, Enter opens, Left and Right collapse and expand groups; menus
// choose columns, copy and export. Widths follow the content and the room until the user drags them; columns of low
// priority are left out while there is no room. Owned by its
// parent; the model must outlive it; GUI thread.
class DataTable : public QWidget {
    Q_OBJECT
public:
    static constexpr QKeyCombination kExportKeys = Qt::CTRL | Qt::Key_E;

    // `name` is the accessible name of the table, e.g. "Idle workloads".
    DataTable(const Theme &theme, const QString &name, TableInterface &model, QWidget *parent = nullptr);

    TableInterface &model() const;
    const QString &name() const { return m_name; }
    QTreeView *view() const; // for focus and tests; its settings belong to the table
    // Sets a delegate for one column, replacing plain text; the caller keeps ownership.
    void setDelegate(const QString &columnKey, QAbstractItemDelegate *delegate);
    void setRowHeight(int pixels);
    int heightFor(int rows) const; // height in pixels that shows this many rows without scrolling
    // Rows that do not fit are left out whole: no row is cut in half at the bottom.
    void showWholeRows();

    QString currentRowId() const; // empty: none
    // Selects the row and scrolls to it; returns false if it is not visible.
    bool setCurrentRow(const QString &rowId);
    QStringList selectedRowIds() const; // in shown order

    void openFilter();
    void closeFilter(); // shows all rows again
    bool isFilterOpen() const;

    // All shown rows and columns in on-screen order, as RFC 4180 text (UTF-8).
    QByteArray csv() const;
    // Copies the selected rows, or all if none is selected, to the clipboard as TSV and HTML.
    void copy(bool all);

    // Columns, their order and widths, sorting and collapsed groups. An unreadable state is ignored.
    QJsonObject saveState() const;
    void restoreState(const QJsonObject &state);

Q_SIGNALS:
    void rowActivated(const QString &rowId); // Enter or double click
    void currentRowChanged(const QString &rowId); // empty: none, or a heading
    void exportRequested(); // the page asks for a file and writes csv()
    // Emitted before a context menu opens, so that the page can add its actions first. `rowId` may be empty.
    void menuOpening(QMenu *menu, const QString &rowId);
    void stateChanged(); // saveState() has changed

protected:
    void resizeEvent(QResizeEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QWidget *makeFilterBar();
    void makeEmptyMessage();
    void clickTitle(int column);
    void sortBy(int column, Qt::SortOrder order);
    void showSort();
    void placeDelegates();
    void showFilterResult();
    int rowHeight() const;
    int rowsInView() const; // with headings, and without what is folded
    void snapHeight();
    void openMenu(const QPoint &place);
    void openHeaderMenu(const QPoint &place, int column);
    void addColumnMenus(QMenu *menu);
    void retranslate();

    const Theme &m_theme;
    QString m_name;
    TableView *m_view;
    QWidget *m_filterBar = nullptr;
    QHash<QString, QAbstractItemDelegate *> m_delegates; // by key of the column; not owned
    QLineEdit *m_filterField = nullptr;
    QLabel *m_filterCount = nullptr;
    QPushButton *m_filterClose = nullptr;
    QWidget *m_emptyMessage = nullptr;
    QLabel *m_emptyText = nullptr;
    QPushButton *m_emptyClear = nullptr;
    TableFooter *m_footer = nullptr;
    bool m_wholeRows = false;
};

} // namespace gpuledger::widgets
