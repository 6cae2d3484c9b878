// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QJsonArray>
#include <QList>
#include <QObject>
#include <QTimer>

namespace gpuledger::widgets {

class TableHeader;
class TableInterface;
class TableView;

// Which columns a table shows, in which order and how wide: at first by their content and the room there is, then as
// people drag them. Column 0 names the row, stays first and can't be hidden. Owned by its view; GUI thread.
class TableColumns : public QObject {
    Q_OBJECT
public:
    TableColumns(TableView &view, TableHeader &header);

    QList<int> shown() const; // as they stand, from where reading begins
    bool isShown(int column) const;
    void setShown(int column, bool shown);
    void reset(); // to what the model says

    // Looks at titles and the first rows, then fits; anew only when titles, fonts or rows change.
    void measure();
    // Fills the view with the widths it last measured.
    void fit();

    // Of all columns: [{key, shown, width}] in order; unknown keys are passed over, columns that are not named follow.
    QJsonArray state() const;
    void restore(const QJsonArray &state);

Q_SIGNALS:
    void changed(); // by a person

private:
    int wantedWidth(int column) const;
    QString keyOf(int column) const;
    void begin();

    TableView &m_view;
    TableHeader &m_header;
    QTimer m_measureLater;
    QHash<QString, int> m_wanted; // by key
    QHash<QString, int> m_dragged; // by key, widths of the person
    bool m_ours = false; // header signals are our own doing
};

} // namespace gpuledger::widgets
