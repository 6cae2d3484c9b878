// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/table/tableinterface.h"
#include "widgets/theme/theme.h"

#include <QJsonObject>
#include <QWidget>

class QAbstractItemDelegate;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QTreeView;

namespace gpuledger::widgets {

class TableView;

// The table of every page. A click on a title sorts; Ctrl+F filters, Esc ends that; Ctrl+C copies the selected rows as
// TSV and HTML; Space ticks, Enter opens, Left and Right fold groups; menus choose columns, copy and export. Widths
// follow the content and the room until a person drags them. Owned by its parent; the model outlives it; GUI thread.
class DataTable : public QWidget {
    Q_OBJECT
public:
    static constexpr QKeyCombination kExportKeys = Qt::CTRL | Qt::Key_E;

    // `name` is what a screen reader calls the table: "Idle workloads".
    DataTable(const Theme &theme, const QString &name, TableInterface &model, QWidget *parent = nullptr);

    TableInterface &model() const;
    const QString &name() const { return m_name; }
    QTreeView *view() const; // for focus and tests; its settings are the table's own
    // For one column, instead of plain text; the delegate stays its maker's.
    void setDelegate(const QString &columnKey, QAbstractItemDelegate *delegate);
    void setRowHeight(int pixels);
    int heightFor(int rows) const; // pixels that show so many rows without scrolling

    QString currentRowId() const; // empty: none
    // Selects and shows the row; false when it is not among the shown ones.
    bool setCurrentRow(const QString &rowId);
    QStringList selectedRowIds() const; // in shown order

    void openFilter();
    void closeFilter(); // shows all rows again
    bool isFilterOpen() const;

    // All shown rows and columns in the order of the screen, as a file of RFC 4180 (UTF-8).
    QByteArray csv() const;
    // To the clipboard, as TSV and HTML: the selected rows (none selected: all).
    void copy(bool all);

    // Columns, their order and widths, sorting and folded groups. An unreadable state changes nothing.
    QJsonObject saveState() const;
    void restoreState(const QJsonObject &state);

Q_SIGNALS:
    void rowActivated(const QString &rowId); // Enter or double click
    void currentRowChanged(const QString &rowId); // empty: none, or a heading
    void exportRequested(); // the page asks where to and writes csv()
    // Before a context menu opens: actions of the page come first. `rowId` may be empty.
    void menuOpening(QMenu *menu, const QString &rowId);
    void stateChanged(); // saveState() is another now

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
    void showFilterResult();
    void openMenu(const QPoint &place);
    void openHeaderMenu(const QPoint &place, int column);
    void addColumnMenus(QMenu *menu);
    void retranslate();

    const Theme &m_theme;
    QString m_name;
    TableView *m_view;
    QWidget *m_filterBar = nullptr;
    QLineEdit *m_filterField = nullptr;
    QLabel *m_filterCount = nullptr;
    QPushButton *m_filterClose = nullptr;
    QWidget *m_emptyMessage = nullptr;
    QLabel *m_emptyText = nullptr;
    QPushButton *m_emptyClear = nullptr;
};

} // namespace gpuledger::widgets
