// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/cards/card.h"

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace gpuledger::widgets {
class DataTable;
}

namespace gpuledger::ui {

// A card with a title, a table or a sentence if it has no rows, and buttons for its current row. Owned by its parent;
// the model must outlive it; GUI thread.
class AlertList : public widgets::Card {
    Q_OBJECT
public:
    // `none`: the sentence.
    AlertList(const widgets::Theme &theme, const QString &title, const QString &none, TableModel &model,
              QWidget *parent = nullptr);

    widgets::DataTable *table() const { return m_table; }
    // Below the table, after those added before. Its owner enables and connects it.
    QPushButton *addButton(const QString &text);
    // Beside the title.
    QPushButton *showTitleButton(const QString &text);
    QString current() const; // row; empty: none
    void showRows(); // after the model changed; the first row becomes current if none is

Q_SIGNALS:
    void currentChanged();

private:
    TableModel &m_model;
    QHBoxLayout *m_header = nullptr, *m_buttons = nullptr;
    QLabel *m_none = nullptr;
    QPushButton *m_titleButton = nullptr; // hidden until it is needed
    widgets::DataTable *m_table = nullptr;
};

} // namespace gpuledger::ui
