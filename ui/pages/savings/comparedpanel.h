// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/compare/comparedviewmodel.h"
#include "widgets/theme/theme.h"

#include <QString>
#include <QWidget>

class QLabel;

namespace gpuledger::widgets {
class DataTable;
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// What is said of the table and where there is none. Plain, translated.
struct ComparedTexts {
    QString table; // for screen readers
    QString failed; // title of an error
    QString emptyTitle, empty;
};

// What others say beside the bills: a part of the Compare tab. Owned by its parent; the view model must
// outlive it; GUI thread.
class ComparedPanel : public QWidget {
    Q_OBJECT
public:
    ComparedPanel(const widgets::Theme &theme, ComparedViewModel &model, ComparedTexts texts,
                  QWidget *parent = nullptr);

    widgets::DataTable *table() const { return m_table; }
    ComparedViewModel &model() const { return m_model; }

private:
    void showState();

    ComparedViewModel &m_model;
    ComparedTexts m_texts;
    widgets::StatePanel *m_panel = nullptr;
    widgets::DataTable *m_table = nullptr;
    QLabel *m_note = nullptr;
};

} // namespace gpuledger::ui
