// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/table/tableinterface.h"
#include "widgets/theme/theme.h"

#include <QPointer>
#include <QSet>
#include <QTreeView>

namespace gpuledger::widgets {

class TableColumns;
class TableDelegate;
class TableHeader;

// The rows of a DataTable: painting, group headings, keyboard. Created and owned by its table; GUI thread.
class TableView : public QTreeView {
    Q_OBJECT
public:
    TableView(const Theme &theme, TableInterface &model, QWidget *parent = nullptr);

    TableInterface &table() const { return m_table; }
    TableColumns &columns() const { return *m_columns; }
    TableDelegate &textDelegate() const { return *m_delegate; }
    QString currentId() const;
    QStringList foldedGroups() const;
    void setFoldedGroups(const QStringList &ids);

Q_SIGNALS:
    void rowActivated(const QString &rowId);
    void currentIdChanged(const QString &rowId); // empty: none, or a heading
    void copyRequested();
    void escapePressed();
    void menuRequested(const QPoint &globalPlace);
    void foldingChanged();

protected:
    void drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void drawHeading(QPainter *painter, const QRect &row, const QModelIndex &index) const;
    void takeModel();
    void foldAsRemembered();
    void rememberFolding(const QModelIndex &heading, bool folded);
    void tick();
    void activateCurrent();
    bool foldByKey(QKeyEvent *event);

    const Theme &m_theme;
    TableInterface &m_table;
    TableHeader *m_header;
    TableColumns *m_columns;
    TableDelegate *m_delegate;
    QSet<QString> m_folded;
    QSet<QString> m_met; // groups whose initial state has been applied
    bool m_folding = false; // by this class, not by the user
    QString m_lastId; // the user's current row, restored when a filter is cleared
};

} // namespace gpuledger::widgets
