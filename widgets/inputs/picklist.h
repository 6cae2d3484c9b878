// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/inputs/pickmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QListView;

namespace gpuledger::widgets {

// A search field over a list: type to find, Up and Down (also Page Up and Page Down) move, Enter or a click picks. The
// focus stays in the field, so that one can always go on typing. Owned by its parent; GUI thread.
class PickList : public QWidget {
    Q_OBJECT
public:
    // `name` is what a screen reader calls the list: "Values of cluster".
    PickList(const Theme &theme, const QString &name, QWidget *parent = nullptr);

    void setName(const QString &name);
    void setPlaceholder(const QString &text);
    // What stands where the list is empty: while loading, or when nothing matches.
    void setEmptyText(const QString &text);
    void setEntries(std::vector<PickEntry> entries);
    void setPattern(const QString &pattern);
    const PickModel &model() const { return m_model; }
    QLineEdit *field() const { return m_field; }
    QString currentKey() const; // empty: none

Q_SIGNALS:
    void picked(const QString &key);
    // Backspace or Left in an empty field: one step back, where the owner has one.
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
