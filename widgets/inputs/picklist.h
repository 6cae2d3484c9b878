// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/inputs/pickmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QListView;

namespace gpuledger::widgets {

// A search field above a list: type to search, Up and Down (also Page Up and Page Down) move, Enter or a click picks.
// The focus stays in the field, so typing can always continue. Owned by its parent; GUI thread.
class PickList : public QWidget {
    Q_OBJECT
public:
    // `name` is the accessible name of the list, e.g. "Values of cluster".
    PickList(const Theme &theme, const QString &name, QWidget *parent = nullptr);

    void setName(const QString &name);
    void setPlaceholder(const QString &text);
    // The text shown while the list is empty: during loading, or if nothing matches.
    void setEmptyText(const QString &text);
    void setEntries(std::vector<PickEntry> entries);
    void setPattern(const QString &pattern);
    const PickModel &model() const { return m_model; }
    QLineEdit *field() const { return m_field; }
    QString currentKey() const; // empty: none
    int wantedHeight() const; // pixels that show all entries which match, or that none does

Q_SIGNALS:
    void picked(const QString &key);
    void resultShown(); // the entries or the pattern changed
    // Backspace or Left was pressed in an empty field: go one step back, if the owner has one.
    void leftEmpty();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool handleKey(int key);
    void move(int rows);
    void pick();
    void showResult();

    PickModel m_model;
    QLineEdit *m_field;
    QListView *m_view;
    QLabel *m_empty;
};

} // namespace gpuledger::widgets
