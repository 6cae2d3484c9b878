// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace gpuledger::widgets {

// An entry to pick. Plain text.
struct PickEntry {
    QString key; // stable, identifies the entry
    QString text; // shown and searched
    QString detail; // at the other end of the line: "42 %", "Ctrl+N"
    QString kind; // muted, after the text: "Team"; also searched
    bool quiet = false; // only shown once something has been typed
    QString also = {}; // other words for it, searched and not shown
};

// The entries that match the typed text, best first; ties in the given order. Entries in which the letters only occur
// with gaps are left out if others contain the words. 10,000 entries are filtered within a
// frame. Owned by its list; GUI thread.
class PickModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { KeyRole = Qt::UserRole + 1, DetailRole, KindRole };
    using QAbstractListModel::QAbstractListModel;

    void setEntries(std::vector<PickEntry> entries);
    void setPattern(const QString &pattern);
    QString pattern() const { return m_pattern; }
    const PickEntry &entryAt(int row) const { return m_entries[m_shown[static_cast<std::size_t>(row)]]; }

    int rowCount(const QModelIndex &parent = QModelIndex()) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    void match();

    std::vector<PickEntry> m_entries;
    std::vector<QString> m_folded; // text and kind of each, for the search
    std::vector<std::size_t> m_shown;
    QString m_pattern;
};

} // namespace gpuledger::widgets
