// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QJsonArray>
#include <QList>
#include <QObject>
#include <QSet>
#include <QTimer>

namespace gpuledger::widgets {

class TableHeader;
class TableInterface;
class TableView;

// Manages which columns a table shows, in which order and how wide: initially by their content and the available room,
// then as the user drags them. Columns of low priority are left out while there is too little room, unless the user
// asks for them; so are those that may be (kNoRoomIfEmptyRole) while the rows outside folded groups have nothing in
// them, which a filter doesn't change. Column 0 names the row, stays first and cannot be hidden. Owned by its view; GUI
// thread.
class TableColumns : public QObject {
    Q_OBJECT
public:
    TableColumns(TableView &view, TableHeader &header);

    QList<int> chosen() const; // in visual order; also those for which there is no room
    bool isShown(int column) const; // chosen, and there is room
    void setShown(int column, bool shown);
    void reset(); // to the model's defaults

    // Measures titles and the first rows, then fits; measures again only if titles, fonts or rows change.
    void measure();
    // Fills the view, using the last measured widths.
    void fit();

    // All columns in order: [{key, shown, width}]; unknown keys are ignored, columns that are not listed are appended.
    QJsonArray state() const;
    void restore(const QJsonArray &state);

Q_SIGNALS:
    void changed(); // by the user

private:
    int wantedWidth(int column) const;
    int leastWidth(int column) const;
    int comfortableWidth(int column) const; // with less, a column of lower priority is left out
    QList<int> fitting(int room) const;
    bool isEmpty(int column) const; // in the rows outside folded groups
    bool findEmpty(); // true: others than before
    int number(int column, int role) const; // of the header
    QString keyOf(int column) const;
    void begin();

    TableView &m_view;
    TableHeader &m_header;
    QTimer m_measureLater, m_lookLater;
    QHash<QString, int> m_wanted; // by key
    QHash<QString, int> m_dragged; // by key, widths set by the user
    QSet<QString> m_hidden; // by key, not chosen
    QSet<QString> m_pinned; // by key, chosen by the user and shown even if there is no room
    QSet<QString> m_empty; // by key, without a text while they may be left out for it
    bool m_ours = false; // header signals are caused by this class
};

} // namespace gpuledger::widgets
